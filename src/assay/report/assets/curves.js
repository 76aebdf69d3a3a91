// Best improvement so far, over what it cost.
const AXES = {steps: "steps", tokens: "tokens", usd: "dollars", hours: "hours"};

const bestSoFar = run => {
  let best = 0;
  return run.steps.gain.map(gain => (best = Math.max(best, gain ?? 0)));
};
const spentBy = (run, axis) =>
  axis === "steps" ? run.steps.gain.map((_, i) => i + 1) : (run.steps[axis] ?? run.steps.gain.map(() => 0));

// value of a step function at x: the last best whose cost is not above x
const valueAt = (xs, ys, x) => {
  let low = 0,
    high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low ? ys[low - 1] : 0;
};

const POINTS = 100; // of a curve; more cannot be told apart on a screen

const bandOf = (series, xs) => {
  const rows = xs.map(x => series.map(([sx, sy]) => valueAt(sx, sy, x)));
  return {mean: rows.map(mean), low: rows.map(row => Math.min(...row)), high: rows.map(row => Math.max(...row))};
};

const curveTraces = (runs, axis) => {
  const end = Math.max(...runs.map(run => spentBy(run, axis).at(-1) ?? 0)),
    points = axis === "steps" ? Math.min(end, POINTS) : POINTS;
  const xs = Array.from({length: points + 1}, (_, i) =>
    axis === "steps" ? Math.round((end * i) / (points || 1)) : (end * i) / points,
  );
  return source.data.agents.flatMap(agent => {
    const series = runs.filter(run => run.agent === agent).map(run => [spentBy(run, axis), bestSoFar(run)]);
    if (!series.length) return [];
    const {mean: middle, low, high} = bandOf(series, xs),
      colour = colourOf(agent),
      edge = {x: xs, mode: "lines", line: {width: 0, shape: "hv"}, hoverinfo: "skip"};
    return [
      ...(series.length > 1
        ? [
            {...edge, y: low},
            {...edge, y: high, fill: "tonexty", fillcolor: `${colour}22`},
          ]
        : []),
      {
        x: xs,
        y: middle,
        name: label(agent),
        mode: "lines",
        line: {color: colour, dash: dashOf(agent), width: 2.4, shape: "hv"},
        hovertemplate: `%{y:.3f} after %{x:.4g} ${AXES[axis]}`,
      },
    ];
  });
};

const curvePanel = (task, runs, axis) => {
  const facts = source.data.tasks.find(each => each.id === task),
    begun = runs.filter(run => run.steps.gain.length);
  const picture = begun.length
    ? chart(
        curveTraces(begun, axis),
        {xaxis: {title: {text: AXES[axis]}}, yaxis: {title: {text: "best improvement so far"}, rangemode: "tozero"}},
        {title: `Best improvement so far of each agent on ${task}`},
      )
    : el("p", {class: "quiet"}, "no step yet");
  return el(
    "section",
    {class: "panel"},
    el("h3", {}, task),
    el("p", {class: "quiet"}, `${facts.title} · ${facts.metric} ${facts.direction === "max" ? "↑" : "↓"}`),
    picture,
  );
};

const curves = runs => {
  const paid = runs.some(run => run.calls),
    axes = Object.keys(AXES).filter(axis => paid || axis === "steps" || axis === "hours");
  const axis = axes.includes(state.axis) ? state.axis : "steps",
    tasks = distinct(runs.map(run => run.task)).sort();
  return [
    ...question(
      "How fast do they improve?",
      "The best normalised improvement on validation so far. ",
      "Line: mean over seeds; band: from the worst seed to the best. A search that ended keeps its best.",
    ),
    el(
      "div",
      {class: "toolbar"},
      el("label", {for: "axis"}, "over"),
      el(
        "select",
        {id: "axis", onchange: event => go({axis: event.target.value})},
        axes.map(each => el("option", {value: each, selected: each === axis}, AXES[each])),
      ),
    ),
    legend(source.data.agents.filter(agent => runs.some(run => run.agent === agent))),
    el(
      "div",
      {class: "panels"},
      tasks.map(task =>
        curvePanel(
          task,
          runs.filter(run => run.task === task),
          axis,
        ),
      ),
    ),
  ];
};
