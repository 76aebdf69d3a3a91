// One search: which step grew from which.
const DX = 34, DY = 40, MARGIN = 26;

const layoutOf = run => {
  // depth by lineage from above, columns by order of time within the subtree
  const children = new Map(), depth = [0], column = [];
  run.steps.parent.forEach((parent, i) => { children.set(parent, [...(children.get(parent) ?? []), i + 1]); depth[i + 1] = (depth[parent] ?? 0) + 1; });
  let next = 0;
  const stack = [[0, false]];
  while (stack.length) {
    const [node, seen] = stack.pop(), below = children.get(node) ?? [];
    if (!below.length) column[node] = next++;
    else if (seen) column[node] = (column[below[0]] + column[below[below.length - 1]]) / 2;
    else { stack.push([node, true]); for (const child of below.toReversed()) stack.push([child, false]); }
  }
  return {depth, column, width: next, height: Math.max(...depth) + 1};
};

const nodeColour = (run, index) => {
  if (index === 0) return themed("--quiet");
  const gain = run.steps.gain[index - 1];
  if (gain === null) return "transparent";
  const top = Math.max(...run.steps.gain.map(each => each ?? 0), 1e-12);
  return gain <= 0 ? themed("--grey") : shade(0.15 + 0.85 * gain / top).background;
};

const describeNode = (run, index) => index === 0 ? `baseline, ${figure(run.baseline)}` :
  `step ${index}, ${source.data.requests[run.steps.request[index - 1]]} of ${run.steps.parent[index - 1]}, ${run.steps.value[index - 1] === null ? source.data.kinds[run.steps.kind[index - 1]] : figure(run.steps.value[index - 1], 5)}${index === run.bestStep ? ", the best" : ""}`;

const treeOf = (run, zoom) => {
  const {depth, column, width, height} = layoutOf(run), at = i => [MARGIN + column[i] * DX, MARGIN + depth[i] * DY];
  const w = 2 * MARGIN + Math.max(0, width - 1) * DX, h = 2 * MARGIN + (height - 1) * DY;
  const edges = run.steps.parent.map((parent, i) => { const [x1, y1] = at(parent), [x2, y2] = at(i + 1), kind = source.data.requests[run.steps.request[i]];
    return svg("path", {d: `M${x1},${y1} C${x1},${(y1 + y2) / 2} ${x2},${(y1 + y2) / 2} ${x2},${y2}`, fill: "none", stroke: kind === "debug" ? themed("--bad") : themed("--quiet"), "stroke-width": 1.4, "stroke-dasharray": {draft: "1 4", debug: "5 3", combine: "8 3 2 3"}[kind]}); });
  const nodes = Array.from({length: run.steps.kind.length + 1}, (_, i) => {
    const [x, y] = at(i), failed = i > 0 && run.steps.value[i - 1] === null, best = i === run.bestStep;
    const mark = failed ? [svg("circle", {r: 9, fill: "transparent", stroke: themed("--bad"), "stroke-width": 1.5}), svg("path", {d: "M-5,-5 L5,5 M-5,5 L5,-5", stroke: themed("--bad"), "stroke-width": 2})]
      : i === 0 ? [svg("rect", {x: -9, y: -9, width: 18, height: 18, rx: 3, fill: nodeColour(run, i), stroke: themed("--text")})] : [svg("circle", {r: best ? 12 : 9, fill: nodeColour(run, i), stroke: best ? themed("--text") : themed("--quiet"), "stroke-width": best ? 2.5 : 1})];
    const node = svg("g", {class: "node", transform: `translate(${x},${y})`, tabindex: String(i) === (state.step ?? "0") ? 0 : -1, role: "button", "aria-label": describeNode(run, i), "aria-current": String(i) === state.step, "data-step": i}, svg("title"), ...mark);
    node.querySelector("title").textContent = describeNode(run, i);
    node.addEventListener("click", () => go({step: String(i)}));
    node.addEventListener("keydown", event => moveInTree(event, run, i));
    return node;
  });
  return svg("svg", {width: w * zoom, height: h * zoom, viewBox: `0 0 ${w} ${h}`, role: "group", "aria-label": `search tree of ${run.id}`}, ...edges, ...nodes);
};

// arrows: up to the parent, down to the first child, left and right in order of time; Enter opens
const moveInTree = (event, run, i) => {
  const parents = run.steps.parent, target = {ArrowUp: i ? parents[i - 1] : null, ArrowDown: parents.indexOf(i) + 1 || null, ArrowLeft: i - 1, ArrowRight: i + 1, Enter: i, " ": i}[event.key];
  if (target === undefined || target === null || target < 0 || target > parents.length) return;
  event.preventDefault();
  if (event.key === "Enter" || event.key === " ") go({step: String(i)});
  else event.currentTarget.ownerSVGElement.querySelector(`[data-step="${target}"]`)?.focus();
};

let zoom = 1;
const runView = runs => {
  const run = source.data.runs.find(each => each.id === state.run) ?? runs[0];
  if (!run) return [el("p", {}, "No run matches the filters.")];
  const picker = el("select", {id: "run", onchange: event => go({run: event.target.value, step: null})}, runs.includes(run) ? null : el("option", {value: run.id, selected: true}, run.id), runs.map(each => el("option", {value: each.id, selected: each === run}, `${each.agent} · ${each.task} · ${each.model} · seed ${each.seed}`)));
  const tree = el("div", {class: "tree"}, treeOf(run, zoom));
  const scale = factor => () => { zoom = Math.max(0.3, Math.min(3, zoom * factor)); tree.replaceChildren(treeOf(run, zoom)); };
  const panel = el("section", {"aria-live": "polite"});
  openStep(panel, run, state.step ?? String(run.bestStep));
  return [
    el("div", {class: "toolbar"}, el("label", {for: "run"}, "run "), picker, el("button", {type: "button", class: "plain", onclick: scale(1.25)}, "zoom in"), el("button", {type: "button", class: "plain", onclick: scale(0.8)}, "zoom out")),
    el("p", {class: "quiet"}, `${run.steps.kind.length} steps, ended by: ${run.reason || "still running"}. Improvement ${figure(run.val)} on validation, ${figure(run.test)} on test (${run.note}). Colour: metric; cross: failed; dotted: draft, dashed: debug. Arrow keys walk the tree.`),
    el("div", {class: "split"}, tree, panel),
  ];
};
