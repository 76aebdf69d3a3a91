// The address keeps the state: any view, filter or step can be shared as a link.
const FILTERS = ["agent", "task", "model", "seed"];
const defaults = {
  view: "leaderboard",
  run: null,
  step: null,
  axis: "steps",
  agent: null,
  task: null,
  model: null,
  seed: null,
  folder: null,
};
const state = {...defaults};

const readAddress = () => {
  Object.assign(state, defaults);
  for (const [key, value] of new URLSearchParams(location.hash.slice(1)))
    if (Object.hasOwn(defaults, key)) state[key] = value;
  if (!shownViews().includes(state.view)) [state.view] = shownViews();
};

const addressOf = changes => {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries({...state, ...changes})) {
    if (value !== null && value !== undefined && value !== defaults[key]) words.set(key, value);
  }
  return `#${words}`;
};

const go = changes => {
  location.hash = addressOf(changes);
};

const chosenRuns = () =>
  source.data.runs.filter(run => FILTERS.every(key => state[key] === null || String(run[key]) === state[key]));

// agents apart, whose figures stand side by side anyway: are some runs of an agent left out?
const narrowed = () => state.task !== null || state.model !== null || state.seed !== null;

// mean over tasks of the mean over seeds, as in the published tables; null if no run has a value
const meanOverTasks = (runs, of) => {
  const known = runs.filter(run => (of(run) ?? null) !== null);
  return mean(distinct(known.map(run => run.task)).map(task => mean(known.filter(run => run.task === task).map(of))));
};
