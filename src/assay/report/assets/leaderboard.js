// Who is better, and is it noise?
const CONTROLS = ["oracle", "nop"];

const verdict = rows => {
  const rivals = rows.filter(row => !CONTROLS.includes(row.agent));
  if (rivals.length < 2) return null;
  const [first, second] = rivals;
  const known = [first.improvement_low, first.improvement_high, second.improvement_low, second.improvement_high].every(
    v => v !== null,
  );
  const apart = known && first.improvement_low > second.improvement_high;
  return el(
    "p",
    {class: "answer"},
    el("strong", {}, first.agent),
    ` leads with a mean improvement of ${fixed(first.improvement)}, before `,
    el("strong", {}, second.agent),
    ` with ${fixed(second.improvement)}. `,
    !known
      ? "There are too few runs for an interval: nobody can tell whether this is noise."
      : apart
        ? "Their 95 % intervals do not overlap."
        : "Their 95 % intervals overlap, so this may be noise; ",
    !known || apart ? null : [el("code", {}, "assay compare"), " says how many seeds would tell."],
  );
};

// an interval on the scale of its column: a line from low to high, a dot at the value
const intervalMark = (row, most) => {
  const x = value => 6 + (128 * value) / (most || 1),
    {improvement, improvement_low: low, improvement_high: high} = row;
  return svg(
    "svg",
    {
      width: 140,
      height: 18,
      role: "img",
      "aria-label": low === null ? fixed(improvement) : `${fixed(low)} to ${fixed(high)}`,
    },
    svg("line", {x1: x(0), x2: x(0), y1: 1, y2: 17, stroke: themed("--line")}),
    ...(low === null
      ? []
      : [
          svg("line", {
            x1: x(low),
            x2: x(high),
            y1: 9,
            y2: 9,
            stroke: colourOf(row.agent),
            "stroke-width": 4,
            "stroke-linecap": "round",
            opacity: 0.5,
          }),
        ]),
    svg("circle", {cx: x(improvement ?? 0), cy: 9, r: 5, fill: colourOf(row.agent), stroke: themed("--page")}),
  );
};

const spread = (row, key, digits) => {
  const low = row[`${key}_low`],
    high = row[`${key}_high`];
  return [
    fixed(row[key], digits),
    low === null || low === undefined || low === high
      ? null
      : el("small", {}, ` ${fixed(low, digits)} … ${fixed(high, digits)}`),
  ];
};

// with some runs left out there are means, and no intervals or ranks: those are of all runs
const narrowedRows = runs =>
  distinct(runs.filter(run => run.finished).map(run => run.agent))
    .map(agent => {
      const own = runs.filter(run => run.agent === agent && run.finished);
      return {
        agent,
        runs: own.length,
        improvement: meanOverTasks(own, run => run.score),
        improvement_low: null,
        improvement_high: null,
        within_noise: mean(own.filter(run => run.noise !== null).map(run => Number(run.noise))),
      };
    })
    .sort((a, b) => (b.improvement ?? 0) - (a.improvement ?? 0));

const spent = (runs, agent) => {
  const own = runs.filter(run => run.agent === agent);
  return [
    own.some(run => run.usd === null) ? "?" : `$${fixed(sum(own.map(run => run.usd)), 2)}`,
    figure(sum(own.map(run => run.hours)), 2),
  ];
};

const agentsTable = (runs, rows) => {
  const most = Math.max(...rows.map(row => row.improvement_high ?? row.improvement ?? 0));
  return table(
    [
      "agent",
      "mean improvement (95 %)",
      "",
      "interquartile mean",
      "mean rank",
      "win rate",
      "within noise",
      "dollars",
      "hours",
      "runs",
    ],
    rows.map(row => [
      el("a", {href: addressOf({view: "curves", agent: row.agent}), class: "name"}, swatch(row.agent), row.agent),
      el("span", {}, ...spread(row, "improvement").filter(Boolean)),
      intervalMark(row, most),
      el("span", {}, ...spread(row, "iqm").filter(Boolean)),
      el("span", {}, ...spread(row, "mean_rank", 1).filter(Boolean)),
      el("span", {}, ...spread(row, "win_rate", 2).filter(Boolean)),
      percent(row.within_noise),
      ...spent(runs, row.agent),
      String(row.runs),
    ]),
    [1, 3, 4, 5, 6, 7, 8, 9],
  );
};

const heatMap = (runs, tasks, agents) => {
  const key = (task, agent) => JSON.stringify([task, agent]),
    cells = Map.groupBy(
      runs.filter(run => run.finished),
      run => key(run.task, run.agent),
    );
  const published = new Map(source.data.improvement.map(row => [key(row.task, row.agent), row]));
  const cell = (task, agent) => {
    const own = cells.get(key(task, agent));
    if (!own) return el("td", {class: "cell none"}, "–");
    const row = published.get(key(task, agent)),
      whole = row.seeds === own.length,
      value = mean(own.map(run => run.score));
    const noise = whole ? row.within_noise : own.every(run => run.noise);
    const interval =
      whole && row.low !== null && row.low !== row.high
        ? `${fixed(row.low, 2)} … ${fixed(row.high, 2)}`
        : plural(own.length, "seed");
    const best = own.reduce((a, b) => (b.score > a.score ? b : a));
    return el(
      "td",
      {class: noise ? "cell noise" : "cell", style: noise ? {} : shade(Math.sqrt(value))},
      el(
        "a",
        {
          href: addressOf({view: "run", run: best.id, step: null}),
          title: `${row.note}; opens the best of ${plural(own.length, "run")}`,
        },
        fixed(value),
      ),
      el("small", {}, noise ? "within noise" : interval),
    );
  };
  const steps = [0, 0.05, 0.25, 0.5, 1];
  return [
    el(
      "p",
      {class: "scale quiet"},
      "improvement ",
      steps.map(step => el("span", {class: "key", style: shade(Math.sqrt(step))}, String(step))),
      el("span", {class: "key noise"}, "noise"),
    ),
    el(
      "div",
      {class: "scroll", tabindex: 0},
      el(
        "table",
        {class: "heat"},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", {scope: "col"}, "task"),
            agents.map(agent => el("th", {scope: "col"}, agent)),
          ),
        ),
        el(
          "tbody",
          {},
          tasks.map(task =>
            el(
              "tr",
              {},
              el("th", {scope: "row"}, el("a", {href: addressOf({view: "curves", task})}, task)),
              agents.map(agent => cell(task, agent)),
            ),
          ),
        ),
      ),
    ),
  ];
};

const leaderboard = runs => {
  const published = source.data.leaderboard.filter(row => runs.some(run => run.agent === row.agent)),
    rows = narrowed() ? narrowedRows(runs) : published;
  const waiting = runs.filter(run => !run.finished).length;
  if (!rows.length)
    return [
      ...question("Who is better?"),
      el(
        "p",
        {},
        `No run is finished yet: ${waiting} under way. `,
        el("a", {href: addressOf({view: "curves"})}, "Follow their curves."),
      ),
    ];
  const agents = source.data.agents.filter(agent => runs.some(run => run.agent === agent)),
    tasks = distinct(runs.map(run => run.task)).sort();
  return [
    ...question("Who is better?"),
    narrowed() ? null : verdict(rows),
    agentsTable(runs, rows),
    el(
      "p",
      {class: "quiet"},
      narrowed()
        ? "Some runs are filtered out: means of the others. Intervals, ranks and win rates are of all runs."
        : "",
      waiting ? ` ${plural(waiting, "run")} not finished, and in no figure but the hours and dollars.` : "",
    ),
    ...question(
      "On which task?",
      "Normalised improvement on test, mean over seeds: 0 is the baseline, 1 the best anyone can name. ",
      `Grey: less than ${source.data.noiseSigmas} standard deviations of the baseline's own spread over seeds.`,
    ),
    ...heatMap(runs, tasks, agents),
  ];
};
