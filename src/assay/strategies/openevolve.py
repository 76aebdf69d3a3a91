"""OpenEvolve: evolution on islands, with a grid of features and an archive of elites."""

from typing import Any, ClassVar

from pydantic import Field

from assay.strategies.base import Params, Search, Strategy
from assay.strategies.population import Archive, Island, Program, References, Scales
from assay.strategies.request import Request, Step


class OpenEvolveParams(Params):
    """Defaults as FML-bench ran it; `upstream` has more islands and bins, a larger archive and rarer migration."""

    num_islands: int = Field(3, ge=1)
    """Populations that meet only by migration."""
    feature_bins: int = Field(5, ge=1)
    """Bins of each of the two features, size and diversity."""
    archive_size: int = Field(30, ge=1)
    """The best programs of all islands that are kept at hand."""
    exploration_ratio: float = Field(0.2, ge=0, le=1)
    """How often a parent is any elite of a cell of its island's grid."""
    exploitation_ratio: float = Field(0.7, ge=0, le=1)
    """How often a parent comes from the archive; in the remaining cases elites of cells are weighted by fitness."""
    migration_interval: int = Field(10, ge=1)
    """Generations between migrations."""
    migration_rate: float = Field(0.1, ge=0, le=1)
    """Share of an island's programs that are copied to each neighbour; at least one."""
    num_top_programs: int = Field(3, ge=0)
    """The island's best programs that a request is told of, in words and figures."""
    num_inspirations: int = Field(3, ge=0)
    """Other programs whose code a parent's change may draw upon."""
    elite_selection_ratio: float = Field(0.1, ge=0, le=1)
    """Share of the inspirations taken from the island's best; at least one."""
    debug_prob: float = Field(0.3, ge=0, le=1)
    """How often an island mends a broken program when it has one."""
    max_debug_depth: int = Field(2, ge=0)
    """Attempts to mend a program before it is retired."""
    diversity_reference_size: int = Field(10, ge=1)
    """Programs against which diversity is measured."""
    analyse: bool = True
    """Whether each step is analysed (one model call) and the analysis remembered."""

    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "upstream": {
            "num_islands": 5,
            "feature_bins": 10,
            "archive_size": 100,
            "migration_interval": 50,
            "diversity_reference_size": 20,
        }
    }


class OpenEvolve(Strategy):
    """Every generation takes a parent on each island and changes all of them as one batch.

    The elites of the grid's cells are what a parent is chosen from, and cells are drawn anew as the scale of features
    grows. Programs count once by their content. A broken program is mended or retired, never a parent.
    """

    name = "openevolve"
    summary = "evolution on islands with a feature grid and an archive of elites"
    Params: ClassVar[type[Params]] = OpenEvolveParams

    def search(self, start: Step) -> Search:
        self.memory.add(start)
        self.references = References(self.params.diversity_reference_size)
        self.scales = Scales(self.params.feature_bins)
        self.archive = Archive(self.params.archive_size)
        self.islands = [Island(number, self.scales) for number in range(self.params.num_islands)]
        seed = self.program(start, generation=0)
        self.archive.add(seed)
        for island in self.islands:
            island.add(seed)
        generation = 0
        while True:
            generation += 1
            plans = [self.plan(island) for island in self.islands]
            steps = yield from self.attempts([request for request, _ in plans])
            for step, (_, parent), island in zip(steps, plans, self.islands, strict=True):
                if self.params.analyse:
                    yield from self.analyse(step)
                if step.ok:
                    child = self.program(step, parent.generation + 1)
                    island.add(child)
                    self.archive.add(child)
                elif step.buggy and parent.debug_depth < self.params.max_debug_depth:
                    island.broken.append(Program(step, self.worth(step), parent.generation + 1, parent.debug_depth + 1))
            if generation % self.params.migration_interval == 0:
                self.migrate()

    def plan(self, island: Island) -> tuple[Request, Program]:
        """A request for an island, and the program it starts from."""
        origin = f"island {island.number}"
        memory = self.memory.history()
        if island.broken and self.rng.random() < self.params.debug_prob:
            broken = island.broken.pop(self.rng.randrange(len(island.broken)))
            return Request(kind="debug", parents=(broken.index,), memory=memory, origin=origin), broken
        parent = self.parent(island)
        inspirations = island.inspirations(
            parent, self.params.num_inspirations, self.params.elite_selection_ratio, self.rng
        )
        parents = (parent.index, *(program.index for program in inspirations))
        top = self.memory.history([program.index for program in island.best(self.params.num_top_programs)])
        guidance = f"The best on this island:\n{top}" if top else ""
        return Request(kind="improve", parents=parents, guidance=guidance, memory=memory, origin=origin), parent

    def parent(self, island: Island) -> Program:
        draw = self.rng.random()
        elites = island.elites()
        if draw < self.params.exploration_ratio:
            return self.rng.choice(elites)
        if draw < self.params.exploration_ratio + self.params.exploitation_ratio:
            at_home = [program for program in self.archive.programs if program.digest in island.programs]
            return self.rng.choice(at_home or self.archive.programs)
        low = min(program.worth for program in elites)
        width = max(program.worth for program in elites) - low
        weights = [max((program.worth - low) / width, 0.001) if width else 1.0 for program in elites]
        return self.rng.choices(elites, weights)[0]

    def program(self, step: Step, generation: int) -> Program:
        """A working program with its features, which then count for the scales and for the diversity of others."""
        diversity, vector = self.references.measure(step.candidate)
        program = Program(step, self.worth(step), generation, features=(float(len(step.candidate.code)), diversity))
        self.references.offer(vector)
        self.scales.widen(program.features)
        return program

    def migrate(self) -> None:
        """Copy each island's best natives to both neighbours on the ring."""
        count = len(self.islands)
        moving = [island.emigrants(self.params.migration_rate) for island in self.islands]
        for number, programs in enumerate(moving):
            for neighbour in {(number - 1) % count, (number + 1) % count} - {number}:
                for program in programs:
                    self.islands[neighbour].add(program, native=False)
