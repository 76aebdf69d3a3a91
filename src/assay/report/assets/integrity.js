// Can I believe it?
const ENDS = {
  tampering: ["tampering"],
  "constraint broken": ["constraint"],
  failed: ["crashed", "timeout", "out_of_memory", "invalid_output"],
  "nothing new": ["no_change", "unparsable", "refused"],
};
const ended = (run, kinds) => sum(kinds.map(kind => run.ends[kind] ?? 0));
const gapOf = run => (run.test === null ? null : run.measured.generalisation_gap);

const counted = (name, count) =>
  el(
    count && name === "tampering" ? "strong" : "span",
    {class: !count ? "quiet" : name === "tampering" ? "bad" : null},
    String(count),
  );

const believable = runs => {
  const steps = sum(runs.map(run => run.steps.kind.length)),
    tampering = sum(runs.map(run => ended(run, ENDS.tampering))),
    broken = sum(runs.map(run => ended(run, ENDS["constraint broken"])));
  const open = runs.filter(run => run.isolation !== "full").length,
    gaps = runs.map(gapOf).filter(gap => gap !== null),
    stopped = runs.filter(run => /^(tokens|usd|hours|sweep)/.test(run.reason)).length;
  const items = [
    [
      !open,
      open
        ? `${open} of ${plural(runs.length, "run")} had less than full isolation`
        : `all ${plural(runs.length, "run")} had full isolation`,
    ],
    [
      !tampering,
      tampering
        ? `${plural(tampering, "step")} of ${steps} tampered with what was out of bounds`
        : `no tampering in ${plural(steps, "step")}`,
    ],
    [
      !source.data.damaged.length,
      source.data.damaged.length
        ? `${plural(source.data.damaged.length, "journal")} damaged or cut`
        : "no journal is damaged",
    ],
    [null, `${plural(broken, "step")} broke a constraint and counted as no result`],
    [
      null,
      gaps.length
        ? `improvements on validation and on test lie ${fixed(mean(gaps))} apart, on average over runs`
        : "no run is finished, so nothing was tested",
    ],
    [
      null,
      stopped
        ? `${plural(stopped, "run")} stopped by a cap other than steps`
        : "no run was stopped by a cap other than steps",
    ],
  ];
  return el(
    "ul",
    {class: "checks"},
    items.map(([good, text]) =>
      el("li", {class: good === null ? "" : good ? "good" : "bad"}, good === null ? "· " : good ? "✓ " : "✗ ", text),
    ),
  );
};

const machineView = each =>
  el(
    "section",
    {class: "panel"},
    el("h3", {}, `${plural(each.runs.length, "run")}, isolation: ${each.isolation.level}`),
    el(
      "dl",
      {},
      el("dt", {}, "active"),
      el("dd", {}, each.isolation.measures.join(", ") || "nothing"),
      each.isolation.missing.length
        ? [el("dt", {}, "missing"), el("dd", {class: "bad"}, each.isolation.missing.join("; "))]
        : [],
    ),
    el(
      "dl",
      {class: "columns"},
      Object.entries({...each.machine, ...each.versions}).map(([name, value]) =>
        el("div", {}, el("dt", {}, name), el("dd", {}, String(value))),
      ),
    ),
  );

const damageView = damaged =>
  damaged.length
    ? el(
        "div",
        {class: "panel", role: "alert"},
        el("h3", {class: "bad"}, "Damaged or cut journals, in no figure"),
        damaged.map(each => el("p", {class: "wrap"}, `${each.message} (${each.hint})`)),
      )
    : null;

const integrityView = runs => {
  const where = el("div", {class: "machines"}, el("p", {class: "quiet"}, "reading …")),
    ids = new Set(runs.map(run => run.id));
  source.machines().then(
    found => where.replaceChildren(...found.filter(each => each.runs.some(id => ids.has(id))).map(machineView)),
    error => where.replaceChildren(String(error.message)),
  );
  const rows = runs.map(run => [
    el("a", {href: addressOf({view: "run", run: run.id, step: null})}, run.agent),
    run.task,
    String(run.seed),
    run.isolation === "full" ? "full" : el("strong", {class: "bad"}, run.isolation),
    ...Object.entries(ENDS).map(([name, kinds]) => counted(name, ended(run, kinds))),
    fixed(run.val),
    fixed(run.test),
    fixed(gapOf(run)),
    run.reason || "running",
    run.note,
  ]);
  return [
    ...question("Can I believe it?"),
    believable(runs),
    damageView(source.data.damaged),
    table(
      ["agent", "task", "seed", "isolation", ...Object.keys(ENDS), "validation", "test", "gap", "ended by", "note"],
      rows,
      [2, 4, 5, 6, 7, 8, 9, 10],
    ),
    ...question("On what machine?"),
    where,
  ];
};
