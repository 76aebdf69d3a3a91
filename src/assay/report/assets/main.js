// The page: which view, which filters, and what is new.
const VIEWS = {
  leaderboard: {title: "Leaderboard", draw: leaderboard},
  curves: {title: "Curves", draw: curves},
  behaviour: {title: "Behaviour", draw: behaviour},
  run: {title: "Run", draw: runView, update: updateRun},
  integrity: {title: "Integrity", draw: integrityView},
  audit: {title: "Audit", draw: auditView, ofFolders: true},
};

// a page may be about runs, about research folders, or about both
const shownViews = () => {
  const {runs, damaged} = source.data,
    ofRuns = source.live || runs.length > 0 || damaged.length > 0;
  return Object.keys(VIEWS).filter(name => (VIEWS[name].ofFolders ? auditedFolders().length > 0 : ofRuns));
};

const drawNavigation = () =>
  document
    .getElementById("views")
    .replaceChildren(
      ...shownViews().map(name =>
        el(
          "a",
          {href: addressOf({view: name}), "aria-current": state.view === name ? "page" : null},
          VIEWS[name].title,
        ),
      ),
    );

let filtersShown = "";
const drawFilters = () => {
  document.getElementById("filters").hidden = Boolean(VIEWS[state.view].ofFolders);
  const values = FILTERS.map(key =>
    distinct(source.data.runs.map(run => String(run[key]))).sort((a, b) => a.localeCompare(b, "en", {numeric: true})),
  );
  const wanted = JSON.stringify([values, FILTERS.map(key => state[key])]);
  if (wanted === filtersShown) return; // a list that is open stays open
  filtersShown = wanted;
  const chosen = FILTERS.some(key => state[key] !== null),
    focused = document.activeElement?.name;
  const form = document.getElementById("filters");
  form.replaceChildren(
    ...FILTERS.map((key, i) =>
      el(
        "label",
        {},
        key,
        el(
          "select",
          {
            name: key,
            class: state[key] === null ? "" : "chosen",
            onchange: event => go({[key]: event.target.value || null}),
          },
          el("option", {value: ""}, "all"),
          values[i].map(value => el("option", {value, selected: state[key] === value}, value)),
        ),
      ),
    ),
    chosen
      ? el(
          "button",
          {type: "button", class: "plain", onclick: () => go(Object.fromEntries(FILTERS.map(key => [key, null])))},
          "show all",
        )
      : "",
  );
  if (focused && FILTERS.includes(focused)) form.elements[focused].focus();
};

const say = () => {
  const {runs, assay, detailNote} = source.data,
    audited = auditedFolders().length,
    finished = runs.filter(run => run.finished).length;
  document.getElementById("status").textContent =
    (runs.length || !audited ? `${plural(runs.length, "run")}, ${finished} finished. ` : "") +
    (audited ? `${plural(audited, "research folder")} audited. ` : "") +
    `Assay ${assay}${source.live ? ", live" : ""}. ` +
    (detailNote ?? "");
};

const draw = (whole = true) => {
  const main = document.getElementById("main"),
    runs = chosenRuns(),
    view = VIEWS[state.view];
  themeColours.clear();
  drawNavigation();
  drawFilters();
  say();
  if (!whole && main.dataset.ready === state.view && view.update?.(runs)) return;
  const parts = runs.length || view.update || view.ofFolders ? view.draw(runs) : [el("p", {}, "No run matches the filters.")];
  main.replaceChildren(...parts.filter(part => part !== null && part !== ""));
  main.dataset.ready = state.view;
};

const keepFresh = () =>
  setTimeout(async () => {
    try {
      if (await source.refresh()) {
        const {scrollX, scrollY} = window;
        draw(false);
        scrollTo(scrollX, scrollY);
      } else say();
    } catch (error) {
      document.getElementById("status").textContent =
        `The server does not answer (${error.message}). What is shown is the last it said.`;
    }
    keepFresh();
  }, 1000);

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = null;
const applyTheme = () => {
  document.documentElement.dataset.theme = chosenTheme ?? (prefersDark.matches ? "dark" : "light");
  if (source) draw();
};

const switchTheme = () => {
  chosenTheme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  applyTheme();
};

const followAddress = () => {
  const {view, folder} = state;
  readAddress();
  draw(false);
  if (view !== state.view) {
    document.getElementById("main").focus({preventScroll: true});
    scrollTo(0, 0);
  } else if (folder !== state.folder) document.querySelector(".audited")?.scrollIntoView();
};

applyTheme();
openSource().then(
  opened => {
    source = opened;
    readAddress();
    draw();
    addEventListener("hashchange", followAddress);
    document.getElementById("theme").addEventListener("click", switchTheme);
    document.getElementById("skip").addEventListener("click", event => {
      event.preventDefault();
      document.getElementById("main").focus();
    });
    prefersDark.addEventListener("change", applyTheme);
    if (source.live) keepFresh();
  },
  error =>
    document.getElementById("main").replaceChildren(el("p", {}, `The results could not be read: ${error.message}`)),
);
