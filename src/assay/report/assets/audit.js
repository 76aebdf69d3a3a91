// Was what the research reports ever measured?
const auditedFolders = () => source.data.audits?.folders ?? [];
const shortName = folder => folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder;
const verdictClass = verdict => `verdict ${verdict.replaceAll(" ", "-")}`;
const verdictBadge = verdict => el("span", {class: verdictClass(verdict)}, verdict);
const placeOf = ({file, line}) => (line === null ? file : `${file}:${line}`);
const doubtful = verdict => !["backed", "derived"].includes(verdict);
const settled = counts => ["derived", "backed"].reduce((all, verdict) => all + (counts[verdict] ?? 0), 0);

const outcome = each =>
  el("span", {class: `badge ${each.flagged ? "bad" : "ok"}`}, each.flagged ? "flagged" : "not flagged");

// the score on its scale, with a mark where flagging begins
const scoreMark = ({score, threshold, flagged}) =>
  el(
    "span",
    {class: "pair"},
    svg(
      "svg",
      {width: 110, height: 16, role: "img", "aria-label": `score ${fixed(score, 2)}, flagged from ${threshold}`},
      svg("rect", {x: 1, y: 5, width: 108, height: 6, rx: 3, fill: themed("--grey")}),
      svg("rect", {x: 1, y: 5, width: 108 * score, height: 6, rx: 3, fill: themed(flagged ? "--bad" : "--good")}),
      svg("line", {
        x1: 1 + 108 * threshold,
        x2: 1 + 108 * threshold,
        y1: 1,
        y2: 15,
        stroke: themed("--text"),
        "stroke-width": 1.5,
      }),
    ),
    fixed(score, 2),
  );

const shares = counts => {
  const order = source.data.audits.verdicts,
    total = sum(Object.values(counts));
  if (!total) return el("span", {class: "quiet"}, "none");
  return el(
    "span",
    {class: "shares", role: "img", "aria-label": inWords(counts)},
    el(
      "span",
      {class: "stack"},
      order
        .toReversed()
        .filter(verdict => counts[verdict])
        .map(verdict => el("i", {class: verdictClass(verdict), style: {flexGrow: counts[verdict]}})),
    ),
    el("small", {}, `${settled(counts)} of ${total} backed`),
  );
};

const inWords = counts =>
  source.data.audits.verdicts
    .filter(verdict => counts[verdict])
    .map(verdict => `${counts[verdict]} ${verdict}`)
    .join(", ");

const signsOf = findings => {
  const heaviest = new Map();
  for (const finding of findings)
    heaviest.set(finding.pattern, Math.max(finding.weight, heaviest.get(finding.pattern) ?? 0));
  const found = [...heaviest].sort(([, a], [, b]) => b - a);
  if (!found.length) return el("span", {class: "quiet"}, "none");
  return el(
    "span",
    {class: "signs"},
    found.map(([pattern, weight]) =>
      el("span", {class: weight ? "sign" : "sign declared", title: source.data.audits.patterns[pattern]}, pattern),
    ),
  );
};

const foldersTable = (folders, chosen) =>
  table(
    ["research", "", "the whole is", "score", "signs", "numbers in tables", "claims in doubt"],
    folders.map(each => [
      el(
        "a",
        {
          href: addressOf({folder: each.folder}),
          class: "name",
          title: each.folder,
          "aria-current": each === chosen ? "true" : null,
        },
        shortName(each.folder),
      ),
      outcome(each),
      verdictBadge(each.verdict),
      scoreMark(each),
      signsOf(each.findings),
      shares(each.counts),
      String(sum(Object.values(each.claimCounts)) - settled(each.claimCounts)),
    ]),
    [6],
  );

const evidenceView = ({evidence, more}) =>
  evidence.length
    ? el(
        "ol",
        {class: "evidence"},
        evidence.map(each =>
          el(
            "li",
            {},
            el("span", {class: "place"}, placeOf(each)),
            each.quote ? el("code", {class: "quote wrap"}, each.quote) : null,
          ),
        ),
        more ? el("li", {class: "quiet"}, `and ${plural(more, "more place")}`) : null,
      )
    : null;

const findingView = finding =>
  el(
    "article",
    {class: "panel finding"},
    el(
      "h3",
      {},
      el("span", {class: finding.weight ? "sign" : "sign declared"}, finding.pattern),
      source.data.audits.patterns[finding.pattern] ?? finding.pattern,
      verdictBadge(finding.verdict),
      el("small", {class: "quiet"}, finding.weight ? `weight ${fixed(finding.weight, 2)}` : "no weight: declared"),
      finding.source === "audit" ? null : el("small", {class: "quiet"}, `added by ${finding.source}`),
    ),
    el("p", {class: "wrap"}, finding.message),
    evidenceView(finding),
  );

const numbersTable = numbers =>
  table(
    ["number", "where it stands", "verdict", "why", "found at"],
    numbers.map(each => [
      el("strong", {}, each.text),
      el(
        "span",
        {class: "cell"},
        el("span", {class: "place"}, placeOf(each.where)),
        el("code", {class: "quote"}, each.where.quote),
      ),
      verdictBadge(each.verdict),
      el("span", {class: "cell"}, each.how),
      el("span", {class: "cell place"}, each.source ? placeOf(each.source) : "–"),
    ]),
  );

const claimsTable = claims =>
  table(
    ["claim", "where it stands", "verdict", "why"],
    claims.map(each => [
      el("span", {class: "cell"}, each.text),
      el("span", {class: "cell place"}, placeOf(each.where)),
      verdictBadge(each.verdict),
      el("span", {class: "cell"}, each.how),
    ]),
  );

// what is in doubt in sight, the rest to be opened
const judged = (title, items, counts, draw) => {
  const total = sum(Object.values(counts));
  if (!total) return [];
  const open = items.filter(each => doubtful(each.verdict)),
    rest = items.filter(each => !doubtful(each.verdict));
  return [
    el("h3", {}, `${title}: ${inWords(counts)}`),
    open.length ? draw(open) : null,
    rest.length ? el("details", {}, el("summary", {}, `the ${rest.length} that hold`), draw(rest)) : null,
    items.length < total ? el("p", {class: "quiet"}, `${items.length} of ${total} are listed here.`) : null,
  ];
};

const folderView = each => [
  el("h2", {class: "audited"}, shortName(each.folder), " ", outcome(each)),
  el("p", {class: "quiet wrap"}, each.folder),
  el(
    "p",
    {class: "answer"},
    "The whole is ",
    el("strong", {}, each.verdict),
    `, with a score of ${fixed(each.score, 2)}; folders are flagged from ${fixed(each.threshold, 1)}. `,
    each.findings.length ? `${plural(each.findings.length, "sign")}, the heaviest first:` : "No sign was found.",
  ),
  el("div", {class: "findings"}, each.findings.map(findingView)),
  ...judged("Numbers in tables", each.numbers, each.counts, numbersTable),
  ...judged("Claims", each.claims, each.claimCounts, claimsTable),
  el("h3", {}, "What was read"),
  el(
    "dl",
    {class: "columns"},
    Object.entries(each.seen).map(([name, count]) => el("div", {}, el("dt", {}, name), el("dd", {}, String(count)))),
  ),
  each.unseen.length
    ? el(
        "details",
        {open: each.unseen.length <= 5},
        el("summary", {}, `${plural(each.unseen.length, "thing")} not seen`),
        el(
          "ul",
          {},
          each.unseen.map(line => el("li", {class: "wrap"}, line)),
        ),
      )
    : null,
];

const auditView = () => {
  const folders = auditedFolders(),
    flagged = folders.filter(each => each.flagged).length,
    chosen = folders.find(each => each.folder === state.folder) ?? folders[0];
  return [
    ...question(
      "Was it measured?",
      "Every number of a result table and every claim that can be checked, against the raw results, the code, the logs " +
        "and the recorded processes beside it. No model was asked, and nothing was run.",
    ),
    el("p", {class: "answer"}, `${flagged} of ${plural(folders.length, "folder")} flagged.`),
    folders.length > 1 ? foldersTable(folders, chosen) : null,
    ...folderView(chosen),
  ];
};
