// How did each search?
const measurePanel = measure => {
  const rows = source.data.process.filter(row => row[measure.key] !== null && row[measure.key] !== undefined && (state.agent === null || row.agent === state.agent));
  if (!rows.length) return null;
  const spread = side => rows.map(row => row[`${measure.key}_${side}`] === null ? 0 : Math.abs(row[`${measure.key}_${side}`] - row[measure.key]));
  const trace = {type: "bar", orientation: "h", y: rows.map(row => row.agent), x: rows.map(row => row[measure.key]), marker: {color: rows.map(row => colourOf(row.agent))},
    error_x: {type: "data", symmetric: false, array: spread("high"), arrayminus: spread("low"), color: themed("--quiet"), thickness: 1.2}, hovertemplate: "%{y}: %{x:.4g}<extra></extra>"};
  return el("section", {class: "panel"}, el("h3", {}, measure.title, measure.embedded ? el("small", {class: "quiet"}, `  by ${source.data.embedder}`) : null), chart([trace], {yaxis: {autorange: "reversed"}}));
};

const relations = () => {
  const shown = pair => pair === null ? "–" : `${pair.rho >= 0 ? "+" : ""}${figure(pair.rho, 2)} (p ${figure(pair.p, 2)})`;
  return table(["process metric", "runs", "pooled", "within task", "dense tasks", "sparse tasks"], source.data.correlations.map(row => [row.title, String(row.runs), shown(row.pooled), shown(row.within), shown(row.dense), shown(row.sparse)]), [1, 2, 3, 4, 5]);
};

const explorationMap = (task, runs) => {
  const place = el("section", {class: "panel"}, el("h3", {}, task), el("p", {class: "quiet"}, "placing the steps …"));
  source.maps(task).then(maps => {
    const own = runs.filter(run => maps[run.id]);
    if (!own.length) { place.replaceChildren(el("h3", {}, task), el("p", {class: "quiet"}, "no places: make the report with --embedder tokens")); return; }
    const traces = own.map(run => { const places = maps[run.id]; return {
      x: places.map(p => p[0]), y: places.map(p => p[1]), mode: "lines+markers", name: run.agent, line: {color: `${colourOf(run.agent)}66`, width: 1, dash: dashOf(run.agent)},
      marker: {color: colourOf(run.agent), size: places.map((_, i) => i === run.bestStep ? 12 : 6), symbol: places.map((_, i) => i === 0 ? "diamond" : run.steps.value[i - 1] === null ? "x" : "circle")},
      text: places.map((_, i) => `${run.agent}, seed ${run.seed}, ${i ? `step ${i}` : "baseline"}`), hovertemplate: "%{text}<extra></extra>", customdata: places.map((_, i) => [run.id, i])}; });
    const [x, y] = maps[own[0].id][0];
    traces.push({x: [x], y: [y], mode: "markers+text", text: ["baseline"], textposition: "top center", marker: {symbol: "diamond", size: 13, color: themed("--text")}, hoverinfo: "skip"});
    const picture = chart(traces, {xaxis: {showticklabels: false, title: {text: "first direction"}}, yaxis: {showticklabels: false, title: {text: "second direction"}}}, "chart tall");
    place.replaceChildren(el("h3", {}, task), picture);
    chartLibrary().then(() => picture.on?.("plotly_click", event => { const [run, step] = event.points[0].customdata ?? []; if (run) go({view: "run", run, step: String(step)}); }));
  }, error => place.append(el("p", {class: "quiet"}, String(error.message))));
  return place;
};

const behaviour = runs => [
  el("h2", {}, "How did each search?"),
  el("p", {class: "quiet"}, "Means over tasks of the means over seeds, with 95 % intervals. The bars are of all runs of the results, whatever task or seed is filtered."),
  el("div", {class: "small panels"}, source.data.measures.filter(measure => measure.group === "process").map(measurePanel)),
  el("h2", {}, "What goes with improvement?"),
  el("p", {class: "quiet"}, "Spearman correlation with the improvement on test. The pooled figure alone can mislead: tasks differ in both."), relations(),
  el("h2", {}, "Where did they look?"),
  el("p", {class: "quiet"}, "Each step's code, placed by the two directions in which the programs of a task differ most. Diamond: the baseline. Cross: failed. Large: best."),
  legend(source.data.agents.filter(agent => runs.some(run => run.agent === agent))),
  el("div", {class: "panels"}, [...new Set(runs.map(run => run.task))].sort().map(task => explorationMap(task, runs.filter(run => run.task === task)))),
];
