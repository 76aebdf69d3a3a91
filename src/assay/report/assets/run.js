// One run: its tree, its values over time, and the step that is open.
let shown = null;
let zoom = 1;

const wantedRun = runs => source.data.runs.find(each => each.id === state.run) ?? runs[0];
const wantedStep = run => {
  const step = state.step === null ? run.bestStep : Number(state.step);
  return Number.isInteger(step) && step >= 0 && step <= run.steps.kind.length ? step : run.bestStep;
};

const runPicker = (run, runs) =>
  el(
    "select",
    {id: "run", onchange: event => go({run: event.target.value, step: null})},
    distinct([run, ...runs])
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(each =>
        el(
          "option",
          {value: each.id, selected: each === run},
          `${each.agent} · ${each.task} · ${each.model} · seed ${each.seed}`,
        ),
      ),
  );

const scaleTree = () => {
  const picture = shown.tree.firstElementChild;
  picture.setAttribute("width", picture.dataset.width * zoom);
  picture.setAttribute("height", picture.dataset.height * zoom);
};

const zoomBy = factor => {
  zoom = Math.max(0.2, Math.min(4, zoom * factor));
  scaleTree();
};
const zoomToFit = () => {
  const {width, height} = shown.tree.firstElementChild.dataset;
  zoom = Math.max(0.2, Math.min(1.6, (shown.tree.clientWidth - 4) / width, 700 / height));
  scaleTree();
};

const facts = run => {
  const noise =
    run.noise === null
      ? ""
      : run.noise
        ? ", within the noise of the baseline"
        : `, ${figure(run.sigmas, 2)} standard deviations of the baseline's spread`;
  return [
    el(
      "strong",
      {},
      run.finished
        ? `Improvement ${fixed(run.val)} on validation, ${fixed(run.test)} on test`
        : `Under way: improvement ${fixed(run.val)} on validation so far`,
    ),
    run.finished ? `${noise}. ` : ". ",
    `${plural(run.steps.kind.length, "step")}, ${run.finished ? `ended by ${run.reason}` : "not ended yet"}`,
    run.note === "ok" || !run.finished ? ". " : `; ${run.note}. `,
    run.calls ? `${plural(run.calls, "model call")}, ${figure(run.tokens)} tokens, ${priced(run.usd)}, ` : "",
    `${figure(60 * run.hours, 2)} minutes.`,
  ];
};

const valuesOverTime = run => {
  const task = source.data.tasks.find(each => each.id === run.task),
    {value, gain} = run.steps,
    xs = value.map((_, i) => i + 1);
  let best = run.baseline,
    top = 0;
  const reached = value.map((v, i) => {
    if (v !== null && gain[i] > top) {
      top = gain[i];
      best = v;
    }
    return best;
  });
  const failed = xs.filter(x => failedAt(run, x));
  return chart(
    [
      {
        x: [0, ...xs],
        y: [run.baseline, ...reached],
        mode: "lines",
        line: {shape: "hv", color: themed("--quiet"), width: 1.5},
        hoverinfo: "skip",
      },
      {
        x: xs,
        y: value,
        mode: "markers",
        marker: {color: colourOf(run.agent), size: 8},
        customdata: xs,
        hovertemplate: "step %{x}: %{y:.5g}<extra></extra>",
      },
      {
        x: failed,
        y: failed.map(x => reached[x - 1]),
        mode: "markers",
        marker: {symbol: "x-thin", size: 7, line: {color: themed("--bad"), width: 2}},
        customdata: failed,
        hovertemplate: "step %{x}: failed<extra></extra>",
      },
    ],
    {xaxis: {title: {text: "step"}}, yaxis: {title: {text: label(task.metric)}}},
    {title: `${task.metric} of each step`, onclick: step => go({run: run.id, step: String(step)})},
  );
};

const fillRun = run => {
  const {scrollLeft, scrollTop} = shown.tree,
    focused = shown.tree.contains(document.activeElement) ? document.activeElement.dataset.step : null;
  shown.tree.replaceChildren(treeOf(run));
  shown.facts.replaceChildren(...facts(run));
  shown.values.replaceChildren(run.steps.kind.length ? valuesOverTime(run) : "");
  scaleTree();
  Object.assign(shown.tree, {scrollLeft, scrollTop});
  if (focused !== null) shown.tree.querySelector(`[data-step="${focused}"]`)?.focus();
  shown.signature = signatureOf(run);
};

const signatureOf = run =>
  JSON.stringify([run.id, run.steps.kind.length, run.finished, document.documentElement.dataset.theme]);

const openWanted = run => {
  const step = wantedStep(run),
    node = markStep(shown.tree.firstElementChild, run, step);
  if (shown.step === step) return;
  shown.step = step;
  const box = shown.tree.getBoundingClientRect(),
    at = node.getBoundingClientRect();
  if (at.left < box.left || at.right > box.right) shown.tree.scrollLeft += at.left - box.left - box.width / 2;
  if (at.top < box.top || at.bottom > box.bottom) shown.tree.scrollTop += at.top - box.top - box.height / 2;
  openStep(shown.panel, run, step);
};

// what is on the screen already stays there: a new step of the run, or another one to open, does not disturb the reader
const updateRun = runs => {
  const run = wantedRun(runs);
  if (!shown?.tree.isConnected || shown.run !== run?.id) return false;
  if (shown.signature !== signatureOf(run)) fillRun(run);
  openWanted(run);
  return true;
};

const runView = runs => {
  const run = wantedRun(runs);
  if (!run) return [el("p", {}, "No run matches the filters.")];
  const button = (text, title, onclick) =>
    el("button", {type: "button", class: "plain", title, "aria-label": title, onclick}, text);
  shown = {
    run: run.id,
    step: null,
    signature: "",
    tree: el("div", {class: "tree"}),
    facts: el("p", {class: "answer"}),
    values: el("div", {class: "panel values"}),
    panel: el("section", {class: "step", "aria-live": "polite", "aria-label": "The open step"}),
  };
  queueMicrotask(() => {
    fillRun(run);
    zoomToFit();
    openWanted(run);
  });
  return [
    el(
      "div",
      {class: "toolbar"},
      el("label", {for: "run"}, "run"),
      runPicker(run, runs),
      button("+", "Zoom in", () => zoomBy(1.25)),
      button("−", "Zoom out", () => zoomBy(0.8)),
      button("fit", "Fit the tree", zoomToFit),
    ),
    shown.facts,
    treeLegend(),
    el(
      "div",
      {class: "split"},
      el(
        "div",
        {},
        shown.tree,
        el("p", {class: "quiet hint"}, "Click a step to open it. With the keyboard: arrows walk, Enter opens."),
        shown.values,
      ),
      shown.panel,
    ),
  ];
};
