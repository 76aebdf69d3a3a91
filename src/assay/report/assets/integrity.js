// Can I believe it?
const integrityView = runs => {
  const machines = el("div", {}, el("p", {class: "quiet"}, "reading …"));
  source.machines(runs).then(found => machines.replaceChildren(...found.map(machineView)), error => machines.replaceChildren(String(error.message)));
  const count = (run, ...kinds) => kinds.reduce((sum, kind) => sum + (run.ends[kind] ?? 0), 0);
  const rows = runs.map(run => [
    el("a", {href: addressOf({view: "run", run: run.id, step: null})}, `${run.agent} · ${run.task} · seed ${run.seed}`), run.isolation, String(run.ends.ok ?? 0), String(count(run, "tampering")), String(count(run, "constraint")),
    String(count(run, "crashed", "timeout", "out_of_memory", "invalid_output")), String(count(run, "no_change", "unparsable", "refused")),
    figure(run.val), figure(run.test), run.test === null ? "–" : figure(run.val - Math.max(0, run.test)), run.reason || "running", run.note]);
  return [
    el("h2", {}, "Can I believe it?"),
    source.data.damaged.length ? el("div", {class: "panel", role: "alert"}, el("h3", {}, `${source.data.damaged.length} journals are damaged and in no figure`), source.data.damaged.map(each => el("p", {}, `${each.message} (${each.hint})`))) : null,
    table(["run", "isolation", "ok", "tampering", "constraint", "failed", "nothing new", "validation", "test", "gap", "ended by", "note"], rows, [2, 3, 4, 5, 6, 7, 8, 9]),
    el("h2", {}, "On what machine?"), machines,
  ];
};

const machineView = each => el("section", {class: "panel"},
  el("h3", {}, `${each.runs.length} runs, isolation: ${each.isolation.level}`),
  el("dl", {}, el("dt", {}, "active"), el("dd", {}, each.isolation.measures.join(", ") || "nothing"), each.isolation.missing.length ? [el("dt", {}, "missing"), el("dd", {}, each.isolation.missing.join("; "))] : [],
    Object.entries({...each.machine, ...each.versions}).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))])));
