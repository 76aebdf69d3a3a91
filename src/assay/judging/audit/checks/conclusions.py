"""P17: a conclusion stands in the code before there is a result."""

import ast
import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.code.outcomes import SAVERS
from assay.judging.audit.code.source import Module, called_name
from assay.judging.audit.model import Evidence, Finding

SUCCESS = re.compile(
    r"\b(?:(?:significantly |consistently |clearly |substantially )?(?:outperform(?:s|ed)|surpass(?:es|ed)"
    r"|exceed(?:s|ed) (?:all|the) baselines?)"
    r"|(?:demonstrat|show|confirm|validat|prov)(?:es|ed|e|ing)? (?:that |the )?(?:\w+ ){0,5}(?:effective\w*"
    r"|superior\w*|improv\w*|significant\w*|better|outperform\w*|robust\w*)"
    r"|(?:achiev|attain|obtain|deliver)(?:es|ed) (?:the )?(?:best|superior|highest|state-of-the-art|significant\w*"
    r"|better|substantial\w*)"
    r"|(?:significant|substantial|consistent|clear)(?:ly)? (?:improve\w*|better|higher|gains?|reduc\w*)"
    r"|hypothes[ie]s (?:is|was|are) (?:confirmed|supported))\b",
    re.I,
)
PROSE = re.compile(r"\b(our|the|this|we|proposed|method|approach|results?|model|framework|it)\b", re.I)
REPORT = re.compile(r"\.(md|tex|txt|html)\b|report|conclusion|summary|analysis|discussion|findings", re.I)


def check(case: Case) -> Iterator[Finding]:
    for module in case.program.modules:
        if module.is_test or not _writes_report(module):
            continue
        said = list(_sentences(case, module))
        if said:
            yield Finding(
                pattern="P17",
                verdict="invented",
                weight=0.4 if len(said) == 1 else 0.5,
                message=f"{len(said)} sentence(s) of success are text in the script that writes the report, "
                f"whatever the results are",
                evidence=tuple(said[:4]),
            )


def _writes_report(module: Module) -> bool:
    saves = any(called_name(c).rsplit(".", 1)[-1] in SAVERS for c in module.calls)
    return saves and any(
        REPORT.search(text) and len(text) < 80 and re.search(r"\.(md|tex|txt|html)$", text)
        for _, text in module.strings
    )


def _sentences(case: Case, module: Module) -> Iterator[Evidence]:
    """Sentences of success that are written under no condition; a docstring says nothing to a reader."""
    for node in module.nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or len(node.value.split()) < 6:
            continue
        above = list(module.enclosing(node))
        if isinstance(above[0], ast.Expr) or any(isinstance(a, ast.If | ast.IfExp) and not _is_main(a) for a in above):
            continue
        if any(
            isinstance(a, ast.Call)
            and called_name(a).endswith(("add_argument", "ArgumentParser", "print", "info", "debug", "warning"))
            for a in above
        ):
            continue
        if not case.program.lives(module, node) or _is_prompt(node.value, above):
            continue
        for line in re.split(r"\n|(?<=[.!?])\s", node.value):
            if (
                SUCCESS.search(line)
                and PROSE.search(line)
                and not re.search(
                    r"\b(if|whether|may|might|could|hypothesi[sz]e|aims?|expect\w*|not|should|would|goal|assess"
                    r"|to (?:test|see))\b",
                    line,
                    re.I,
                )
            ):
                yield Evidence(file=module.file, line=node.lineno, quote=line.strip()[:200])


def _is_main(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.dump(node.test)


def _is_prompt(text: str, above: list[ast.AST]) -> bool:
    """Texts for a model to read, and data, are no conclusions."""
    names = [t.id for a in above if isinstance(a, ast.Assign) for t in a.targets if isinstance(t, ast.Name)]
    return bool(re.search(r"\bYou are\b|Answer:|Question:", text)) or any(
        re.search(r"prompt|template_q|question|example|dataset|corpus|texts|sentences", n, re.I) for n in names
    )
