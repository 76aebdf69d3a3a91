// Colours that nearly everyone can tell apart, and line styles for those who cannot.
const COLOURS = [
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC79A7",
  "#E69F00",
  "#56B4E9",
  "#8C6D1F",
  "#6A51A3",
  "#7F7F7F",
  "#B2182B",
];
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const STROKES = {solid: null, dash: "7 4", dot: "2 3", dashdot: "7 3 2 3", longdash: "11 4"};

const agentIndex = agent => Math.max(0, source.data.agents.indexOf(agent));
const colourOf = agent => COLOURS[agentIndex(agent) % COLOURS.length];
const dashOf = agent => DASHES[agentIndex(agent) % DASHES.length];

// emptied before each drawing; asking the browser anew for each of ten thousand nodes would take seconds
const themeColours = new Map();
const themed = name => {
  if (!themeColours.has(name))
    themeColours.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return themeColours.get(name);
};

const swatch = agent => el("span", {class: "swatch", style: {background: colourOf(agent)}});

const legend = agents =>
  el(
    "ul",
    {class: "legend"},
    agents.map(agent =>
      el(
        "li",
        {},
        svg(
          "svg",
          {width: 28, height: 10, "aria-hidden": "true"},
          svg("line", {
            x1: 0,
            x2: 28,
            y1: 5,
            y2: 5,
            stroke: colourOf(agent),
            "stroke-width": 3,
            "stroke-dasharray": STROKES[dashOf(agent)],
          }),
        ),
        agent,
      ),
    ),
  );

const channels = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
const brightness = rgb => {
  const [r, g, b] = rgb.map(c => c / 255).map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

// one hue from near the page's own colour to far from it: read by lightness alone, in both themes
const shade = share => {
  const [low, middle, high] = ["--ramp-low", "--ramp-middle", "--ramp-high"].map(name => channels(themed(name)));
  const x = 2 * Math.max(0, Math.min(1, share ?? 0)),
    [from, to, t] = x < 1 ? [low, middle, x] : [middle, high, x - 1];
  const rgb = from.map((c, k) => Math.round(c + t * (to[k] - c)));
  return {background: `rgb(${rgb.join(",")})`, color: brightness(rgb) > 0.18 ? "#10141a" : "#ffffff"};
};
