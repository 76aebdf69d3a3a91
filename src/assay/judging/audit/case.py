"""Everything the checks look at, read once."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from assay.judging.audit.code.flow import Flow
from assay.judging.audit.code.outcomes import Outcome, outcomes
from assay.judging.audit.code.source import Program, read_modules
from assay.judging.audit.documents.disclosure import Disclosures, disclosures
from assay.judging.audit.documents.read import Document, printed_text, read_document
from assay.judging.audit.documents.tables import Cell
from assay.judging.audit.inventory import Inventory, take_inventory
from assay.judging.audit.model import Evidence
from assay.judging.audit.sources.logs import Log, index_series, index_text, read_log
from assay.judging.audit.sources.raw import read_raw
from assay.judging.audit.sources.runs import read_runs
from assay.judging.audit.sources.trace import Trace, read_traces
from assay.judging.audit.sources.values import Source, ValueIndex
from assay.research.evidence import PROCESSES, ProcessRecord, read_processes

MOST_REPORTS = 30
MOST_LOGS = 200
MOST_LINES = 5000
"""What a run used, its log names early."""


@dataclass
class Case:
    """One folder under audit."""

    inventory: Inventory
    documents: list[Document]
    program: Program
    flow: Flow
    index: ValueIndex
    logs: list[Log]
    traces: list[Trace]
    processes: list[ProcessRecord]
    unseen: list[str]

    @cached_property
    def declared(self) -> Disclosures:
        return disclosures(self.documents)

    @cached_property
    def outcomes(self) -> list[Outcome]:
        return outcomes(self.program, self.flow)

    @cached_property
    def cells(self) -> list[tuple[Document, Cell]]:
        """Every result cell of every report."""
        return [(d, cell) for d in self.documents for table in d.tables for cell in table.results]

    @cached_property
    def commands(self) -> list[str]:
        """Every command line that is known to have run."""
        traced = [act.text for trace in self.traces for act in trace.of("command")]
        return traced + [" ".join(p.command) for p in self.processes]

    def locate(self, source: Source, text: str) -> Evidence:
        """The evidence of a source; in a log, the first line that has the text."""
        log = next((log for log in self.logs if log.file == source.file), None)
        line = next((line for line in log.lines if text in line.text), None) if log else None
        return source.evidence if line is None else Evidence(file=source.file, line=line.number, quote=line.text[:200])

    @cached_property
    def material(self) -> str:
        """All that could show that a thing was used: code, shell scripts, logs, outputs. In lower case."""
        parts = [self.program.text, *(f.text for f in self.inventory.of("shell"))]
        parts += ["\n".join(line.text for line in log.lines[:MOST_LINES]) for log in self.logs]
        parts += [act.text for trace in self.traces for act in trace.acts if act.kind in ("command", "output")]
        parts += [p.output for p in self.processes]
        return "\n".join(parts).lower()


def open_case(root: Path) -> Case:
    """Read a folder."""
    inventory = take_inventory(root)
    unseen = list(inventory.unseen)
    traces = read_traces(inventory)
    traced = {trace.file for trace in traces}
    reports = inventory.of("report", "notebook")
    documents = [read_document(file) for file in reports[:MOST_REPORTS]]
    unseen += [d.problem for d in documents if d.problem]
    unseen += [f"{f.name}: more than {MOST_REPORTS} reports" for f in reports[MOST_REPORTS:]]
    modules, broken = read_modules(inventory)
    unseen += broken
    program = Program(tuple(modules))
    index = ValueIndex()
    for file in inventory.of("raw"):
        if file.name not in traced and file.name != PROCESSES and (problem := read_raw(file, index)):
            unseen.append(problem)
    for file in inventory.of("notebook"):
        index_text(printed_text(file.text), Source(file.name, "output"), index)
    logs = [read_log(f) for f in inventory.of("log")[:MOST_LOGS] if f.name not in traced]
    for log in logs:
        # by the log and not by the line: a printed number is looked up in it again when a verdict needs the line
        index_text("\n".join(line.words for line in log.lines), Source(log.file, "log"), index)
        index_series(log, index)
    read_runs([f for f in inventory.of("raw") if f.name not in traced], logs, index)
    for trace in traces:
        for act in trace.of("output"):
            index_text(act.text, Source(trace.file, "output", act.line, act.text[:120]), index)
    processes = list(read_processes(root))
    for process in processes:
        index_text(process.output, Source(PROCESSES, "output", quote=" ".join(process.command)), index)
    if not modules:
        unseen.append("no code: what made the results cannot be seen")
    if not traces and not processes:
        unseen.append("no trace and no recorded processes: that a file was typed by hand can only be guessed")
    documents = [d for d in documents if d.text.strip()]
    return Case(inventory, documents, program, Flow(program), index, logs, traces, processes, unseen)
