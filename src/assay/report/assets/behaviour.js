// How did each search?
const measureRows = (measure, runs) => {
  const agents = source.data.agents.filter(agent => runs.some(run => run.agent === agent));
  if (!narrowed()) {
    const rows = source.data.process.filter(row => agents.includes(row.agent));
    return rows.map(row => ({
      agent: row.agent,
      value: row[measure.key],
      low: row[`${measure.key}_low`],
      high: row[`${measure.key}_high`],
    }));
  }
  return agents.map(agent => ({
    agent,
    value: meanOverTasks(
      runs.filter(run => run.agent === agent),
      run => run.measured?.[measure.key],
    ),
    low: null,
    high: null,
  }));
};

const measurePanel = (measure, runs) => {
  const rows = measureRows(measure, runs).filter(row => row.value !== null && row.value !== undefined);
  const whisker = side => rows.map(row => (row[side] === null ? 0 : Math.abs(row[side] - row.value)));
  const body = !rows.length
    ? el(
        "p",
        {class: "quiet"},
        measure.embedded && !source.data.embedder
          ? "not measured yet: assay score --embedder tokens"
          : "undefined for every run",
      )
    : rows.every(row => row.value === 0)
      ? el("p", {class: "quiet"}, "0 for every agent")
      : chart(
          [
            {
              type: "bar",
              orientation: "h",
              y: rows.map(row => label(row.agent)),
              x: rows.map(row => row.value),
              marker: {color: rows.map(row => colourOf(row.agent))},
              hovertemplate: "%{y}: %{x:.4g}<extra></extra>",
              error_x: {
                type: "data",
                symmetric: false,
                array: whisker("high"),
                arrayminus: whisker("low"),
                color: themed("--text"),
                thickness: 1.2,
                width: 3,
              },
            },
          ],
          {yaxis: {autorange: "reversed", type: "category"}, xaxis: {nticks: 4}},
          {title: `${measure.title}: ${rows.map(row => `${row.agent} ${figure(row.value)}`).join(", ")}`},
        );
  return el(
    "section",
    {class: "panel"},
    el("h3", {}, measure.title),
    measure.embedded && source.data.embedder ? el("p", {class: "quiet"}, `embedder: ${source.data.embedder}`) : null,
    body,
  );
};

const relations = () => {
  const bar = rho =>
    svg(
      "svg",
      {width: 84, height: 12, "aria-hidden": "true"},
      svg("line", {x1: 42, x2: 42, y1: 0, y2: 12, stroke: themed("--quiet")}),
      svg("rect", {
        x: rho < 0 ? 42 + 40 * rho : 42,
        y: 2,
        width: Math.abs(40 * rho),
        height: 8,
        fill: rho < 0 ? COLOURS[1] : COLOURS[0],
      }),
    );
  const shown = pair =>
    pair === null
      ? "–"
      : el(
          "span",
          {class: "pair"},
          bar(pair[0]),
          ` ${pair[0] >= 0 ? "+" : ""}${fixed(pair[0], 2)} `,
          el("small", {class: "quiet"}, pair[1] < 0.001 ? "p < 0.001" : `p ${fixed(pair[1])}`),
        );
  return table(
    ["process metric", "runs", "pooled", "within task", "dense tasks", "sparse tasks"],
    source.data.correlations.map(row => [
      row.title,
      String(row.runs),
      shown(row.pooled),
      shown(row.within),
      shown(row.dense),
      shown(row.sparse),
    ]),
    [1, 2, 3, 4, 5],
  );
};

const mapTraces = (runs, maps) => {
  const traces = runs.map(run => {
    const places = maps[run.id],
      failed = i => i > 0 && run.steps.value[i - 1] === null,
      colour = colourOf(run.agent);
    return {
      x: places.map(p => p[0]),
      y: places.map(p => p[1]),
      mode: "lines+markers",
      line: {color: `${colour}55`, width: 1, dash: dashOf(run.agent)},
      marker: {
        color: colour,
        size: places.map((_, i) => (i === run.bestStep ? 13 : 7)),
        symbol: places.map((_, i) => (i === 0 ? "diamond" : failed(i) ? "x" : "circle")),
        line: {color: themed("--text"), width: places.map((_, i) => (i === run.bestStep ? 2 : 0))},
      },
      text: places.map((_, i) => label(`${run.agent}, seed ${run.seed}, ${i ? `step ${i}` : "baseline"}`)),
      hovertemplate: "%{text}<extra></extra>",
      customdata: places.map((_, i) => ({run: run.id, step: i})),
    };
  });
  const [x, y] = maps[runs[0].id][0];
  return [
    ...traces,
    {
      x: [x],
      y: [y],
      mode: "markers+text",
      text: ["baseline"],
      textposition: "top center",
      marker: {symbol: "diamond", size: 13, color: themed("--text")},
      hoverinfo: "skip",
    },
  ];
};

const explorationMap = (task, runs) => {
  const place = el("section", {class: "panel"}, el("h3", {}, task), el("p", {class: "quiet"}, "placing the steps …")),
    say = (...parts) => place.replaceChildren(el("h3", {}, task), ...parts);
  source
    .maps(task)
    .then(maps => {
      const own = runs.filter(run => Object.hasOwn(maps, run.id) && maps[run.id].length <= run.steps.value.length + 1);
      if (!own.length) return say(el("p", {class: "quiet"}, "no steps are placed here"));
      const axis = {showticklabels: false, zeroline: false},
        left = runs.length - own.length;
      say(
        left ? el("p", {class: "quiet"}, `${own.length} of ${runs.length} runs, the first by seed`) : "",
        chart(
          mapTraces(own, maps),
          {xaxis: {...axis, title: {text: "first direction"}}, yaxis: {...axis, title: {text: "second direction"}}},
          {
            kind: "chart tall",
            title: `Places of the steps on ${task}`,
            onclick: clicked => clicked && go({view: "run", run: clicked.run, step: String(clicked.step)}),
          },
        ),
      );
    })
    .catch(error => say(el("p", {class: "quiet"}, String(error.message))));
  return place;
};

const behaviour = runs => [
  ...question(
    "How did each search?",
    "The twelve process metrics: means over tasks of the means over seeds",
    narrowed() ? ", of the runs that the filters leave." : ", with 95 % intervals.",
  ),
  el(
    "div",
    {class: "small panels"},
    source.data.measures.filter(measure => measure.group === "process").map(measure => measurePanel(measure, runs)),
  ),
  ...question(
    "What goes with improvement?",
    "Spearman's correlation with the improvement on test, over all runs. ",
    "The pooled figure alone can mislead: tasks differ in both, ",
    "so look within tasks. Dense are the tasks on which many steps improve.",
  ),
  relations(),
  ...question(
    "Where did they look?",
    "Each step's code, placed by the two directions in which the programs of a task differ most. ",
    "Diamond: the baseline. Cross: failed. Ringed: the best. ",
    "Drag to zoom, double click to go back, click to open a step.",
  ),
  legend(source.data.agents.filter(agent => runs.some(run => run.agent === agent))),
  el(
    "div",
    {class: "panels"},
    distinct(runs.map(run => run.task))
      .sort()
      .map(task =>
        explorationMap(
          task,
          runs.filter(run => run.task === task),
        ),
      ),
  ),
];
