// Where data comes from: packed inside the file, or from the server that the page was loaded from.
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
  machines: async () => data.integrity ?? [],
  library: () => inflate("packed-library"),
});

const liveSource = data => ({
  live: true,
  data,
  detail: (run, step) => fetched(`/runs/${encodeURIComponent(run)}/steps/${step}`),
  maps: task => fetched(`/maps?task=${encodeURIComponent(task)}`),
  machines: async runs => runs.length ? [{...await fetched(`/runs/${encodeURIComponent(runs[0].id)}/facts`), runs: runs.map(run => run.id)}] : [],
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
