// One search as a tree: which step grew from which.
const DX = 38,
  DY = 46,
  MARGIN = 30,
  RADIUS = 12;
const EDGES = {draft: "1 5", debug: "6 4", combine: "10 4 2 4"};

const layoutOf = parents => {
  // depth by lineage from above, columns by order of time within the subtree
  const children = Array.from({length: parents.length + 1}, () => []),
    depth = [0],
    column = [],
    stack = [[0, false]];
  parents.forEach((parent, i) => {
    children[parent].push(i + 1);
    depth[i + 1] = depth[parent] + 1;
  });
  let next = 0;
  while (stack.length) {
    const [node, seen] = stack.pop(),
      below = children[node];
    if (!below.length) column[node] = next++;
    else if (seen) column[node] = (column[below[0]] + column[below.at(-1)]) / 2;
    else {
      stack.push([node, true]);
      for (const child of below.toReversed()) stack.push([child, false]);
    }
  }
  return {
    place: i => [MARGIN + column[i] * DX, MARGIN + depth[i] * DY],
    width: 2 * MARGIN + (next - 1) * DX,
    height: 2 * MARGIN + depth.reduce((a, b) => Math.max(a, b), 0) * DY,
  };
};

const failedAt = (run, i) => i > 0 && run.steps.value[i - 1] === null;
const kindOf = (run, i) => source.data.requests[run.steps.request[i - 1]];

const describeNode = (run, i) => {
  if (i === 0) return `Baseline: ${figure(run.baseline, 5)}`;
  const end = failedAt(run, i) ? source.data.kinds[run.steps.kind[i - 1]] : figure(run.steps.value[i - 1], 5);
  return `Step ${i}, ${kindOf(run, i)} of ${run.steps.parent[i - 1]}: ${end}${i === run.bestStep ? ", the best" : ""}`;
};

const lineageOf = (run, i) => {
  const path = [];
  for (let at = i; at > 0; at = run.steps.parent[at - 1]) path.push(at);
  return path;
};

const edgeOf = (run, i, place) => {
  const [x1, y1] = place(run.steps.parent[i - 1]),
    [x2, y2] = place(i),
    kind = kindOf(run, i),
    middle = (y1 + y2) / 2;
  return svg("path", {
    class: `edge ${kind}`,
    d: `M${x1},${y1} C${x1},${middle} ${x2},${middle} ${x2},${y2}`,
    "stroke-dasharray": EDGES[kind],
    "data-edge": i,
  });
};

const shapeOf = (run, i, top) => {
  if (i === 0)
    return svg("rect", {x: -RADIUS, y: -RADIUS, width: 2 * RADIUS, height: 2 * RADIUS, rx: 3, class: "base"});
  if (failedAt(run, i)) return svg("circle", {r: RADIUS, class: "failed"});
  const gain = run.steps.gain[i - 1],
    {background, color} = shade(gain > 0 ? 0.15 + (0.85 * gain) / top : 0);
  return svg("circle", {
    r: i === run.bestStep ? RADIUS + 2 : RADIUS,
    class: i === run.bestStep ? "best" : "",
    fill: gain > 0 ? background : themed("--grey"),
    "data-text": gain > 0 ? color : themed("--text"),
  });
};

const nodeOf = (run, i, place, top) => {
  const [x, y] = place(i),
    shape = shapeOf(run, i, top),
    name = describeNode(run, i),
    title = svg("title");
  title.textContent = name;
  const number = svg("text", {
    y: 4,
    "text-anchor": "middle",
    fill: shape.getAttribute("data-text") ?? themed(failedAt(run, i) ? "--bad" : "--page"),
  });
  number.textContent = i;
  const cross = failedAt(run, i) ? [svg("path", {class: "cross", d: "M6,-14 L14,-6 M14,-14 L6,-6"})] : [];
  return svg(
    "g",
    {
      class: "node",
      transform: `translate(${x},${y})`,
      tabindex: -1,
      role: "button",
      "aria-label": name,
      "data-step": i,
    },
    title,
    shape,
    number,
    ...cross,
  );
};

const treeOf = run => {
  const {place, width, height} = layoutOf(run.steps.parent),
    count = run.steps.parent.length,
    top = run.steps.gain.reduce((a, b) => Math.max(a, b ?? 0), 1e-12);
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "group",
    "aria-label": `Search tree of ${run.id}`,
    "data-width": width,
    "data-height": height,
  });
  for (let i = 1; i <= count; i++) picture.append(edgeOf(run, i, place));
  for (let i = 0; i <= count; i++) picture.append(nodeOf(run, i, place, top));
  picture.addEventListener("click", event => {
    const node = event.target.closest("[data-step]");
    if (node) go({run: run.id, step: node.dataset.step});
  });
  picture.addEventListener("keydown", event => moveInTree(event, run));
  return picture;
};

// arrows: up to the parent, down to the first child, left and right in order of time; Enter opens
const moveInTree = (event, run) => {
  const i = Number(event.target.dataset.step),
    parents = run.steps.parent;
  const target = {
    ArrowUp: i ? parents[i - 1] : null,
    ArrowDown: parents.indexOf(i) + 1 || null,
    ArrowLeft: i - 1,
    ArrowRight: i + 1,
    Home: 0,
    End: parents.length,
    Enter: i,
    " ": i,
  }[event.key];
  if (target === undefined || target === null || target < 0 || target > parents.length) return;
  event.preventDefault();
  if (event.key === "Enter" || event.key === " ") go({run: run.id, step: String(i)});
  else event.currentTarget.querySelector(`[data-step="${target}"]`).focus();
};

// the step that is open, and the way that led to it
const markStep = (picture, run, step) => {
  for (const old of picture.querySelectorAll(".way")) old.classList.remove("way");
  for (const i of lineageOf(run, step)) picture.querySelector(`[data-edge="${i}"]`).classList.add("way");
  for (const old of picture.querySelectorAll("[aria-current], [tabindex='0']")) {
    old.removeAttribute("aria-current");
    old.setAttribute("tabindex", -1);
  }
  const node = picture.querySelector(`[data-step="${step}"]`);
  node.setAttribute("aria-current", "true");
  node.setAttribute("tabindex", 0);
  return node;
};

const treeLegend = () => {
  const edge = (kind, name) =>
    el(
      "li",
      {},
      svg(
        "svg",
        {width: 30, height: 12, "aria-hidden": "true"},
        svg("path", {class: `edge ${kind}`, d: "M1,6 L29,6", "stroke-dasharray": EDGES[kind]}),
      ),
      name,
    );
  const node = (name, ...shapes) =>
    el("li", {}, svg("svg", {width: 18, height: 18, viewBox: "-15 -15 30 30", "aria-hidden": "true"}, ...shapes), name);
  return el(
    "ul",
    {class: "legend"},
    node("baseline", svg("rect", {x: -11, y: -11, width: 22, height: 22, rx: 3, class: "base"})),
    node("no gain", svg("circle", {r: 11, fill: themed("--grey")})),
    node("some gain", svg("circle", {r: 11, fill: shade(0.35).background})),
    node("best", svg("circle", {r: 12, class: "best", fill: shade(1).background})),
    node(
      "failed",
      svg("circle", {r: 11, class: "failed"}),
      svg("path", {class: "cross", d: "M5,-13 L13,-5 M13,-13 L5,-5"}),
    ),
    edge("draft", "draft"),
    edge("improve", "improve"),
    edge("debug", "debug"),
    edge("combine", "combine"),
  );
};
