// The chart library is loaded when the first chart comes into sight, and each chart is drawn when it does.
let library = null;
const chartLibrary = () =>
  (library ??= source.library().then(
    code =>
      new Promise((resolve, reject) => {
        const script = el("script");
        script.onload = () => resolve(window.Plotly);
        script.onerror = () => reject(new Error("the chart library could not be loaded"));
        if (code === null) script.src = addressed("/charts.js");
        else script.textContent = code;
        document.head.append(script);
        if (code !== null) resolve(window.Plotly);
      }),
  ));

// the library reads a few tags in its labels; names are names, and leave room for the figure
const LABEL = 48;
const label = text =>
  (text.length > LABEL ? `${text.slice(0, LABEL - 1)}…` : text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const drawers = new WeakMap();
const inSight = new IntersectionObserver(
  entries => {
    for (const {isIntersecting, target} of entries)
      if (isIntersecting) {
        inSight.unobserve(target);
        drawers.get(target)();
      }
  },
  {rootMargin: "400px"},
);

const chart = (traces, layout = {}, {kind = "chart", title = "", onclick = null} = {}) => {
  const place = el("div", {class: kind, role: "img", "aria-label": title});
  drawers.set(place, () =>
    chartLibrary()
      .then(plotly => {
        const axis = {
          gridcolor: themed("--line"),
          zerolinecolor: themed("--line"),
          linecolor: themed("--line"),
          automargin: true,
          tickangle: 0,
        };
        const base = {
          paper_bgcolor: "rgba(0,0,0,0)",
          plot_bgcolor: "rgba(0,0,0,0)",
          font: {color: themed("--text"), size: 12, family: "system-ui, sans-serif"},
          margin: {l: 10, r: 12, t: 8, b: 10},
          showlegend: false,
          hovermode: "closest",
          ...layout,
          xaxis: {...axis, ...layout.xaxis},
          yaxis: {...axis, ...layout.yaxis},
        };
        return plotly.newPlot(place, traces, base, {responsive: true, displayModeBar: false}).then(() => {
          if (onclick) place.on("plotly_click", event => onclick(event.points[0].customdata));
          place.dataset.drawn = "yes";
        });
      })
      .catch(error => place.replaceChildren(el("p", {class: "quiet"}, String(error.message)))),
  );
  inSight.observe(place);
  return place;
};
