// One step, opened. All of it is data that agents wrote: text, and nothing but text.
const KEYWORDS =
  "and as assert async await break class continue def del elif else except False finally for from global if import " +
  "in is lambda None nonlocal not or pass raise return True try while with yield";
const WORDS = new Set(KEYWORDS.split(" "));
const TOKEN = /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|([^#"'A-Za-z_]+|.)/g;
const TOO_LONG = 2000; // characters of a line beyond which it is shown without colours

const coloured = line =>
  line.length > TOO_LONG
    ? [line]
    : [...line.matchAll(TOKEN)].map(([text, comment, string, word]) => {
        const kind = comment !== undefined ? "com" : string !== undefined ? "str" : WORDS.has(word) ? "kw" : null;
        return kind ? el("span", {class: kind}, text) : text;
      });

const code = text =>
  el(
    "pre",
    {tabindex: 0},
    text.split("\n").flatMap(line => [...coloured(line), "\n"]),
  );

const diffOf = text => {
  const kindOfLine = line => (/^(\+\+\+|---|@@)/.test(line) ? "hunk" : ({"+": "add", "-": "del"}[line[0]] ?? "same"));
  return el(
    "pre",
    {tabindex: 0, class: "diff"},
    text.split("\n").map(line => {
      const kind = kindOfLine(line);
      return el(
        "span",
        {class: kind},
        ...(kind === "hunk" ? [line] : [line.slice(0, 1), ...coloured(line.slice(1))]),
        "\n",
      );
    }),
  );
};

const long = (title, text, open = false) =>
  text ? el("details", {open}, el("summary", {}, title), el("pre", {class: "wrap", tabindex: 0}, text)) : null;

const openStep = (panel, run, step) => {
  const asked = `${run.id} ${step}`;
  panel.dataset.asked = asked;
  panel.setAttribute("aria-busy", "true");
  const show = parts => {
    if (panel.dataset.asked === asked) {
      panel.replaceChildren(...parts);
      panel.removeAttribute("aria-busy");
    }
  };
  source.detail(run.id, step).then(
    detail => show(detail ? stepView(run, detail) : absentStep(run, step)),
    error => show([el("h2", {}, describeNode(run, step)), el("p", {class: "wrap"}, String(error.message))]),
  );
};

const absentStep = (run, step) => [
  el("h2", {}, describeNode(run, step)),
  el("p", {class: "quiet"}, "The code of this step is not in this file. ", source.data.detailNote),
];

const outcomeFacts = (run, detail) => {
  const {outcome, request, usage, evaluation} = detail,
    found = [];
  const fact = (name, value) => {
    if (value) found.push(el("dt", {}, name), el("dd", {}, value));
  };
  fact(
    "outcome",
    el(
      "span",
      {},
      el("span", {class: outcome.kind === "ok" ? "badge ok" : "badge bad"}, outcome.kind),
      outcome.blame ? ` blame: ${outcome.blame}. ` : " ",
      outcome.message,
    ),
  );
  for (const [name, value] of Object.entries(outcome.metrics))
    fact(name, `${figure(value, 6)}${name in outcome.stderrs ? ` ± ${figure(outcome.stderrs[name], 2)}` : ""}`);
  if (detail.step && !failedAt(run, detail.step))
    fact("improvement", `${fixed(run.steps.gain[detail.step - 1])} over the baseline's ${figure(run.baseline, 5)}`);
  for (const each of outcome.constraints)
    fact(
      "constraint",
      `${each.metric} ${each.op} ${figure(each.limit, 4)}: ` +
        `${each.holds ? "holds" : "broken"} (${figure(each.value, 4)})`,
    );
  if (request) {
    fact(
      "asked for",
      el(
        "span",
        {},
        `${request.kind} of step `,
        ...request.parents.flatMap((parent, i) => [
          i ? ", " : "",
          el("a", {href: addressOf({run: run.id, step: String(parent)})}, String(parent)),
        ]),
      ),
    );
    fact("idea", request.idea);
    fact("guidance", request.guidance);
    fact("place", request.origin);
  }
  if (detail.repeats !== null) fact("repeats", `the same code as step ${detail.repeats}; nothing was evaluated`);
  if (usage?.calls)
    fact(
      "spent",
      `${plural(usage.calls, "call")}, ${usage.input_tokens + usage.output_tokens} tokens, ${priced(usage.usd)}`,
    );
  fact(
    "time",
    `${figure(detail.seconds)} s` +
      (evaluation ? `, of which evaluation ${figure(evaluation.seconds)} s, ${figure(evaluation.peak_mb)} MB` : ""),
  );
  return el("dl", {}, found);
};

const callView = (call, i) =>
  el(
    "details",
    {},
    el(
      "summary",
      {},
      `Model call ${i + 1}: ${call.usage.input_tokens} tokens in, ` +
        `${call.usage.output_tokens} out${call.stop ? `, ${call.stop}` : ""}`,
    ),
    el("h3", {}, "Asked"),
    el("pre", {class: "wrap", tabindex: 0}, call.prompt),
    el("h3", {}, "Answered"),
    el("pre", {class: "wrap", tabindex: 0}, call.answer),
  );

const turnView = turn => {
  const ending = turn.ran && turn.kind !== "closed" ? `, exit code ${turn.exit_code ?? "none"}` : "";
  return el(
    "details",
    {class: turn.kind === "ok" || turn.kind === "end" ? "turn" : "turn failed"},
    el(
      "summary",
      {},
      `Turn ${turn.turn}: ${turn.action || "(closed)"}`,
      turn.kind === "ok" || turn.kind === "end" ? "" : ` — ${turn.kind}`,
      ending,
      turn.changed.length ? `, changed ${turn.changed.join(", ")}` : "",
    ),
    turn.said ? el("h3", {}, "Said") : null,
    turn.said ? el("pre", {class: "wrap", tabindex: 0}, turn.said) : null,
    el("h3", {}, "Input"),
    el("pre", {class: "wrap", tabindex: 0}, turn.arguments),
    el("h3", {}, "Observation"),
    el("pre", {class: "wrap", tabindex: 0}, turn.observation),
  );
};

const stepView = (run, detail) => {
  const {outcome, request} = detail,
    link = el(
      "a",
      {href: addressOf({view: "run", run: run.id, step: String(detail.step)}), class: "permalink"},
      "link",
    );
  return [
    el("h2", {}, describeNode(run, detail.step), " ", link),
    el("p", {class: "wrap"}, detail.description),
    outcomeFacts(run, detail),
    detail.diff ? el("h3", {}, `Change against step ${run.steps.parent[detail.step - 1]}`) : null,
    detail.diff ? diffOf(detail.diff) : null,
    long("Log of the candidate", detail.log, outcome.kind !== "ok"),
    long("Memory it was given", request?.memory),
    detail.turns.length ? el("h3", {}, `${plural(detail.turns.length, "turn")} that led here`) : null,
    ...detail.turns.map(turnView),
    ...detail.calls.map(callView),
    ...Object.entries(detail.files).map(([path, text]) =>
      el("details", {}, el("summary", {}, `Whole ${path}`), code(text)),
    ),
  ].filter(part => part !== null);
};
