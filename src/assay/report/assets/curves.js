// Best improvement so far, over what it cost.
const AXES = {steps: "steps", tokens: "tokens", usd: "dollars", hours: "hours"};

const bestSoFar = run => { let best = 0; return run.steps.gain.map(gain => best = Math.max(best, gain ?? 0)); };
const spentBy = (run, axis) => axis === "steps" ? run.steps.gain.map((_, i) => i + 1) : run.steps[axis] ?? run.steps.gain.map(() => 0);

// value of a step function at x: the last best whose cost is not above x
const valueAt = (xs, ys, x) => { let low = 0, high = xs.length; while (low < high) { const middle = (low + high) >> 1; if (xs[middle] <= x) low = middle + 1; else high = middle; } return low ? ys[low - 1] : 0; };

const bandOf = (runs, axis) => {
  const series = runs.map(run => [spentBy(run, axis), bestSoFar(run)]).filter(([xs]) => xs.length);
  const end = Math.max(...series.map(([xs]) => xs[xs.length - 1] ?? 0));
  const points = axis === "steps" ? Math.min(end, 200) : 100;
  const xs = Array.from({length: points + 1}, (_, i) => end * i / (points || 1));
  const rows = xs.map(x => series.map(([sx, sy]) => valueAt(sx, sy, x)));
  return {xs, mean: rows.map(mean), low: rows.map(row => Math.min(...row)), high: rows.map(row => Math.max(...row)), runs: series.length};
};

const curvePanel = (task, runs, axis) => {
  const traces = [];
  for (const agent of source.data.agents) {
    const own = runs.filter(run => run.agent === agent && run.steps.gain.length);
    if (!own.length) continue;
    const band = bandOf(own, axis), colour = colourOf(agent);
    if (own.length > 1) traces.push({x: [...band.xs, ...band.xs.toReversed()], y: [...band.high, ...band.low.toReversed()], fill: "toself", fillcolor: `${colour}26`, line: {width: 0}, hoverinfo: "skip", mode: "lines"});
    traces.push({x: band.xs, y: band.mean, name: agent, mode: "lines", line: {color: colour, dash: dashOf(agent), width: 2.2, shape: "hv"}, hovertemplate: `%{y:.3f} after %{x:.4g} ${AXES[axis]}`});
  }
  const facts = source.data.tasks.find(each => each.id === task);
  return el("section", {class: "panel"}, el("h3", {}, task), el("p", {class: "quiet", style: {margin: "0"}}, facts?.title ?? ""),
    chart(traces, {xaxis: {title: {text: AXES[axis]}}, yaxis: {title: {text: "improvement (validation)"}, rangemode: "tozero"}}));
};

const curves = runs => {
  const paid = runs.some(run => run.calls), axes = Object.keys(AXES).filter(axis => paid || axis === "steps" || axis === "hours");
  const axis = axes.includes(state.axis) ? state.axis : "steps", tasks = [...new Set(runs.map(run => run.task))].sort();
  return [
    el("h2", {}, "How fast do they improve?"),
    el("div", {class: "toolbar"}, el("label", {for: "axis"}, "over "), el("select", {id: "axis", onchange: event => go({axis: event.target.value})}, axes.map(each => el("option", {value: each, selected: each === axis}, AXES[each]))),
      el("span", {class: "quiet"}, "line: mean over seeds; band: from the worst to the best seed")),
    legend(source.data.agents.filter(agent => runs.some(run => run.agent === agent))),
    el("div", {class: "panels"}, tasks.map(task => curvePanel(task, runs.filter(run => run.task === task), axis))),
  ];
};
