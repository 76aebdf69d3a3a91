// The page: which view, which filters, and what is new.
const VIEWS = {leaderboard: ["Leaderboard", leaderboard], curves: ["Curves", curves], behaviour: ["Behaviour", behaviour], run: ["Run", runView], integrity: ["Integrity", integrityView]};
let source = null;

const drawNavigation = () => document.getElementById("views").replaceChildren(...Object.entries(VIEWS).map(([name, [title]]) =>
  el("a", {href: addressOf({view: name}), "aria-current": state.view === name ? "page" : null}, title)));

const drawFilters = () => document.getElementById("filters").replaceChildren(...FILTERS.map(key => {
  const values = [...new Set(source.data.runs.map(run => String(run[key])))].sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
  return el("label", {}, key, el("select", {name: key, onchange: event => go({[key]: event.target.value || null})}, el("option", {value: ""}, "all"), values.map(value => el("option", {value, selected: state[key] === value}, value))));
}));

const draw = () => {
  const main = document.getElementById("main"), runs = chosenRuns(source.data);
  drawNavigation();
  drawFilters();
  const view = VIEWS[state.view] ?? VIEWS.leaderboard;
  main.replaceChildren(...(runs.length || state.view === "run" ? view[1](runs) : [el("p", {}, "No run matches the filters.")]).filter(part => part !== null));
  main.dataset.ready = state.view;
  const finished = source.data.runs.filter(run => run.finished).length;
  document.getElementById("footer").textContent = `${source.data.runs.length} runs, ${finished} finished. Assay ${source.data.assay}${source.live ? ", live" : ""}. ${source.data.detailNote ?? ""}`;
};

const keepFresh = () => setTimeout(async () => {
  try { if (await source.refresh()) draw(); } catch (error) { document.getElementById("footer").textContent = `The server does not answer: ${error.message}`; }
  keepFresh();
}, 1000);

const switchTheme = () => {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  draw();
};

openSource().then(opened => {
  source = opened;
  readAddress();
  draw();
  addEventListener("hashchange", () => { const before = state.view; readAddress(); draw(); if (before !== state.view) document.getElementById("main").focus(); });
  document.getElementById("theme").addEventListener("click", switchTheme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  if (source.live) keepFresh();
}, error => document.getElementById("main").replaceChildren(el("p", {}, `The results could not be read: ${error.message}`)));
