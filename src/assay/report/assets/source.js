// Where data comes from: packed inside the file, or from the server that the page was loaded from.
let source = null;

const inflate = async id => {
  const letters = document.getElementById(id).textContent.trim();
  if (!letters) return null;
  const bytes = Uint8Array.from(atob(letters), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};

const addressed = path => {
  const token = new URLSearchParams(location.search).get("token");
  return token ? `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}` : path;
};

const fetched = async path => {
  const response = await fetch(addressed(path));
  if (response.status === 204) return null;
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

const embeddedSource = data => ({
  live: false,
  data,
  detail: async (run, step) => data.details?.[run]?.[step] ?? null,
  maps: async () => data.maps,
  machines: async () => data.machines,
  library: () => inflate("packed-library"),
});

const MAPS_LAST = 15_000; // milliseconds: placing all steps of a task anew is work, and one more step moves little

const liveSource = data => ({
  live: true,
  data,
  placed: new Map(),
  detail: (run, step) => fetched(`/runs/${encodeURIComponent(run)}/steps/${encodeURIComponent(step)}`),
  maps(task) {
    const known = this.placed.get(task);
    if (known && performance.now() - known.when < MAPS_LAST) return known.maps;
    const maps = fetched(`/maps?task=${encodeURIComponent(task)}`);
    this.placed.set(task, {when: performance.now(), maps});
    return maps;
  },
  machines: () => fetched("/machines"),
  library: async () => null,
  async refresh() {
    const next = await fetched(`/data?since=${encodeURIComponent(this.data.stamp)}`);
    if (next) this.data = next;
    return next !== null;
  },
});

const openSource = async () => {
  const packed = await inflate("packed-data");
  return packed ? embeddedSource(JSON.parse(packed)) : liveSource(await fetched("/data"));
};
