// The address keeps the state: any view, filter or step can be shared as a link.
const FILTERS = ["agent", "task", "model", "seed"];
const state = {view: "leaderboard", run: null, step: null, axis: "steps", agent: null, task: null, model: null, seed: null};
const defaults = {...state};

const readAddress = () => {
  Object.assign(state, defaults);
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) if (key in state) state[key] = value;
};

const addressOf = changes => {
  const next = {...state, ...changes};
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(next)) if (value !== null && value !== undefined && value !== defaults[key]) words.set(key, value);
  return `#${words}`;
};

const go = changes => { location.hash = addressOf(changes); };

const chosenRuns = data => data.runs.filter(run => FILTERS.every(key => state[key] === null || String(run[key]) === state[key]));
