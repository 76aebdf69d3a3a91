// One step, opened. All of it is data that agents wrote: text, and nothing but text.
const WORDS = new Set("and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield".split(" "));
const TOKEN = /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|([^#"'A-Za-z_]+|.)/g;

const coloured = line => [...line.matchAll(TOKEN)].map(([text, comment, string, word]) =>
  comment !== undefined ? el("span", {class: "com"}, text) : string !== undefined ? el("span", {class: "str"}, text) : word !== undefined && WORDS.has(word) ? el("span", {class: "kw"}, text) : text);

const code = text => el("pre", {tabindex: 0}, text.split("\n").flatMap(line => [...coloured(line), "\n"]));

const diffOf = text => el("pre", {tabindex: 0, class: "diff"}, text.split("\n").map(line => {
  const sign = line[0], kind = line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@") ? "hunk" : sign === "+" ? "add" : sign === "-" ? "del" : null;
  return el("span", {class: kind}, ...(kind === "hunk" ? [line] : [sign ?? "", ...coloured(line.slice(1))]), "\n");
}));

const long = (title, text, open = false) => text ? el("details", {open}, el("summary", {}, title), el("pre", {class: "wrap", tabindex: 0}, text)) : null;

const openStep = (panel, run, index) => {
  panel.replaceChildren(el("p", {class: "quiet"}, "opening the step …"));
  source.detail(run.id, index).then(detail => panel.replaceChildren(...(detail ? stepView(run, detail) : absentStep(run, index))), error => panel.replaceChildren(el("p", {}, String(error.message))));
};

const absentStep = (run, index) => [el("h2", {}, describeNode(run, Number(index))), el("p", {class: "quiet"}, source.data.detailNote || "This file does not hold the step's code. Open it live: assay view")];

const stepView = (run, detail) => {
  const {outcome, request, usage} = detail, ok = outcome.kind === "ok", facts = [];
  const fact = (name, value) => { if (value !== null && value !== undefined && value !== "") facts.push(el("dt", {}, name), el("dd", {}, value)); };
  fact("outcome", el("span", {}, el("span", {class: ok ? "badge ok" : "badge bad"}, outcome.kind), outcome.blame ? ` blame: ${outcome.blame}. ` : " ", outcome.message));
  for (const [name, value] of Object.entries(outcome.metrics)) fact(name, `${figure(value, 6)}${name in outcome.stderrs ? ` ± ${figure(outcome.stderrs[name], 2)}` : ""}`);
  for (const each of outcome.constraints) fact("constraint", `${each.metric} ${each.op} ${figure(each.limit, 4)}: ${each.holds ? "holds" : "broken"} (${figure(each.value, 4)})`);
  if (request) { fact("asked for", `${request.kind} of step ${request.parents.join(", ")}`); fact("idea", request.idea); fact("guidance", request.guidance); fact("place", request.origin); }
  if (detail.repeats !== null) fact("repeats", `the same code as step ${detail.repeats}; nothing was evaluated`);
  if (usage?.calls) fact("spent", `${usage.calls} calls, ${usage.input_tokens + usage.output_tokens} tokens, ${usage.usd === null ? "price unknown" : `$${figure(usage.usd)}`}`);
  fact("time", `${figure(detail.seconds)} s${detail.evaluation ? `, of which evaluation ${figure(detail.evaluation.seconds)} s, ${figure(detail.evaluation.peak_mb)} MB` : ""}`);
  return [
    el("h2", {}, describeNode(run, detail.step)), el("p", {}, detail.description), el("dl", {}, facts),
    detail.diff ? el("h3", {}, `Change against step ${request.parents[0]}`) : null, detail.diff ? diffOf(detail.diff) : null,
    long("Log of the candidate", detail.log, !ok), long("Memory it was given", request?.memory),
    ...detail.calls.map((call, i) => el("details", {}, el("summary", {}, `Model call ${i + 1}: ${call.usage.input_tokens} → ${call.usage.output_tokens} tokens, ${call.stop}`), el("h3", {}, "Asked"), el("pre", {class: "wrap"}, call.prompt), el("h3", {}, "Answered"), el("pre", {class: "wrap"}, call.answer))),
    ...Object.entries(detail.files).map(([path, text]) => el("details", {}, el("summary", {}, `Whole ${path}`), code(text))),
  ].filter(part => part !== null);
};
