// Everything is made through here: text is text and never markup.
const el = (tag, properties = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "style") Object.assign(node.style, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined));
  return node;
};

const svg = (tag, attributes = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
};

// a typographic minus, so that signs line up with digits
const signed = text => text.replace("-", "−");

const figure = (value, digits = 3) => {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  return signed(size >= 1e5 || size < 1e-4 ? value.toExponential(1) : String(Number(value.toPrecision(digits))));
};

const fixed = (value, digits = 3) => (value === null || value === undefined ? "–" : signed(value.toFixed(digits)));
const percent = value => (value === null || value === undefined ? "–" : `${Math.round(100 * value)} %`);
const priced = usd => (usd === null ? "price unknown" : `$${figure(usd)}`);
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const mean = values => (values.length ? values.reduce((a, b) => a + b, 0) / values.length : null);
const sum = values => values.reduce((a, b) => a + b, 0);
const distinct = values => [...new Set(values)];

const table = (heads, rows, numeric = []) => {
  const kind = i => (numeric.includes(i) ? "number" : null);
  return el(
    "div",
    {class: "scroll", tabindex: 0},
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map((head, i) => el("th", {scope: "col", class: kind(i)}, head)),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map(row =>
          el(
            "tr",
            {},
            row.map((cell, i) => el("td", {class: kind(i)}, cell)),
          ),
        ),
      ),
    ),
  );
};

const question = (title, ...explained) => [
  el("h2", {}, title),
  explained.length ? el("p", {class: "quiet lead"}, ...explained) : null,
];
