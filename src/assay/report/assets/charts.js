// The chart library is loaded when the first chart is drawn.
// Okabe and Ito's palette: told apart by nearly everyone.
const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6D1F", "#6A51A3", "#7F7F7F", "#B2182B"];
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const colourOf = agent => COLOURS[Math.max(0, source.data.agents.indexOf(agent)) % COLOURS.length];
const dashOf = agent => DASHES[Math.floor(Math.max(0, source.data.agents.indexOf(agent)) / COLOURS.length) % DASHES.length];

let library = null;
const chartLibrary = () => library ??= new Promise((resolve, reject) => {
  source.library().then(code => {
    const script = document.createElement("script");
    if (code === null) {
      script.src = addressed("/charts.js");
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => reject(new Error("the chart library could not be loaded"));
    } else script.textContent = code;
    document.head.append(script);
    if (code !== null) resolve(window.Plotly);
  }, reject);
});

const themed = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const chart = (traces, layout = {}, kind = "chart") => {
  const place = el("div", {class: kind});
  const axis = {gridcolor: themed("--line"), zerolinecolor: themed("--line"), automargin: true};
  const base = {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: {color: themed("--text"), size: 12},
    margin: {l: 10, r: 10, t: 8, b: 10}, showlegend: false, hovermode: "closest",
    ...layout, xaxis: {...axis, ...layout.xaxis}, yaxis: {...axis, ...layout.yaxis},
  };
  chartLibrary().then(plotly => { if (place.isConnected) plotly.newPlot(place, traces, base, {responsive: true, displaylogo: false, displayModeBar: false}); },
    error => place.replaceChildren(el("p", {class: "quiet"}, String(error.message))));
  return place;
};

const legend = agents => el("ul", {class: "legend"}, agents.map(agent => el("li", {}, el("span", {class: "swatch", style: {background: colourOf(agent)}}), agent)));
