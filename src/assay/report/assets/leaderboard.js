// Who is better, and is it noise?
const shade = share => {
  // cividis, by three stops: dark blue, grey, yellow
  const stops = [[0, 48, 110], [124, 123, 120], [253, 231, 85]];
  const x = Math.max(0, Math.min(1, share)) * 2, i = Math.min(1, Math.floor(x)), t = x - i;
  const [r, g, b] = stops[i].map((low, k) => Math.round(low + t * (stops[i + 1][k] - low)));
  return {background: `rgb(${r},${g},${b})`, color: share > 0.52 ? "#14181f" : "#ffffff"};
};

const cellsOf = runs => {
  const found = new Map();
  for (const run of runs) if (run.finished) {
    const key = JSON.stringify([run.task, run.agent]);
    found.set(key, [...(found.get(key) ?? []), run]);
  }
  return found;
};

const heatMap = (runs, tasks, agents) => {
  const grid = cellsOf(runs), published = new Map(source.data.improvement.map(row => [JSON.stringify([row.task, row.agent]), row]));
  const cell = (task, agent) => {
    const key = JSON.stringify([task, agent]), own = grid.get(key);
    if (!own) return el("td", {class: "cell"}, "–");
    const row = published.get(key), whole = row && row.seeds === own.length;
    const value = mean(own.map(run => run.score)), sigmas = own.map(run => run.sigmas).filter(s => s !== null);
    const noise = sigmas.length ? mean(sigmas) < 2 : false;
    const interval = whole && row.low !== null && row.low !== row.high ? `${figure(row.low, 2)} … ${figure(row.high, 2)}` : `${own.length} seed${own.length > 1 ? "s" : ""}`;
    const best = own.reduce((a, b) => (b.score ?? 0) > (a.score ?? 0) ? b : a);
    return el("td", {class: noise ? "cell noise" : "cell", style: shade(value), title: row?.note ?? ""},
      el("a", {href: addressOf({view: "run", run: best.id, step: null}), style: {color: "inherit"}}, figure(value)), el("small", {}, noise ? "within noise" : interval));
  };
  return el("div", {class: "scroll"}, el("table", {class: "heat"},
    el("caption", {class: "quiet"}, "Normalised improvement on test: 0 is the baseline, 1 the best anyone can name. Grey: inside two sigma of the baseline's own spread."),
    el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "task"), agents.map(agent => el("th", {scope: "col", class: "number"}, agent)))),
    el("tbody", {}, tasks.map(task => el("tr", {}, el("th", {scope: "row"}, el("a", {href: addressOf({view: "curves", task})}, task)), agents.map(agent => cell(task, agent)))))));
};

const verdict = rows => {
  const honest = rows.filter(row => !["oracle", "nop"].includes(row.agent));
  if (honest.length < 2) return null;
  const [first, second] = honest;
  const apart = first.improvement_low !== null && second.improvement_high !== null && first.improvement_low > second.improvement_high;
  return el("p", {class: "answer"}, `${first.agent} leads with a mean improvement of ${figure(first.improvement)}, before ${second.agent} with ${figure(second.improvement)}. `,
    apart ? "Their 95 % intervals do not overlap." : "Their 95 % intervals overlap: more seeds or tasks are needed to tell them apart (assay compare says how many).");
};

const leaderboard = runs => {
  const rows = source.data.leaderboard.filter(row => runs.some(run => run.agent === row.agent));
  const spend = agent => { const own = runs.filter(run => run.agent === agent); return [own.some(run => run.usd === null) ? "?" : `$${figure(own.reduce((a, run) => a + run.usd, 0))}`, figure(own.reduce((a, run) => a + run.hours, 0))]; };
  const range = (row, key) => row[key] === null ? "–" : row[`${key}_low`] === null || row[`${key}_low`] === row[`${key}_high`] ? figure(row[key]) : `${figure(row[key])}  (${figure(row[`${key}_low`], 2)} … ${figure(row[`${key}_high`], 2)})`;
  const agents = source.data.agents.filter(agent => runs.some(run => run.agent === agent)), tasks = [...new Set(runs.map(run => run.task))].sort();
  return [
    el("h2", {}, "Who is better?"), verdict(rows),
    table(["agent", "improvement (95 %)", "interquartile mean", "mean rank", "win rate", "within noise", "dollars", "hours", "runs"],
      rows.map(row => [el("span", {}, el("span", {class: "swatch", style: {background: colourOf(row.agent)}}), row.agent), range(row, "improvement"), range(row, "iqm"), range(row, "mean_rank"), range(row, "win_rate"), percent(row.within_noise), ...spend(row.agent), String(row.runs)]), [1, 2, 3, 4, 5, 6, 7, 8]),
    el("h2", {}, "On which task?"), heatMap(runs, tasks, agents),
  ];
};
