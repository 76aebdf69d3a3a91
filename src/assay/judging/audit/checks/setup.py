"""P12: models, data sets and hardware that a report names and nothing here ever touched."""

import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.documents.read import Document
from assay.judging.audit.model import ClaimVerdict, Evidence, Finding

DATASETS = re.compile(
    r"\b(CIFAR-?100|CIFAR-?10(?:-C)?|(?:Tiny-?)?ImageNet(?:-\w+)?|(?:Fashion-?)?MNIST|SVHN|CelebA|COCO|Waterbirds"
    r"|MultiNLI|MNLI|SNLI|SST-?2|IMDB|AG ?News|Yelp|GLUE|SuperGLUE|SQuAD|TriviaQA|Natural ?Questions|"
    r"HotpotQA|GSM-?8K|MATH-?500|MMLU|HellaSwag|ARC-(?:Challenge|Easy|C|E)|TruthfulQA|HumanEval|MBPP|APPS|BigBench"
    r"|BBH|WikiText-?(?:2|103)|LAMBADA|PIQA|BoolQ|WinoGrande|LongBench|FEVER|HaluEval|"
    r"CodeSearchNet|SWE-?bench|ShareGPT|Alpaca|HH-RLHF|CivilComments|COMPAS|Adult Income|UCI Adult|MovieLens|Cora"
    r"|Citeseer|PubMed(?:QA)?|ogbn-\w+|QM9|ZINC|MIMIC-(?:III|IV)|ETTh1|LibriSpeech|CommonVoice|"
    r"KITTI|Cityscapes|ADE20K|Places365|DomainNet|PACS|Office-?Home|VLCS|DomainBed|WMT-?\d+|CNN/?DailyMail|XSum"
    r"|SAMSum|MuJoCo|Atari|D4RL|Procgen|miniF2F|ProofNet|PG-?19|The Pile|RedPajama|OpenWebText|StrategyQA"
    r"|CommonsenseQA)\b"
)
MODELS = re.compile(
    r"\b((?:Tiny|Code)?Llama[- ]?\d?(?:\.\d)?[- ]?\d+(?:\.\d+)?B|Mi[sx]tral[- ]?\d*x?\d+B|Ministral[- ]?8B"
    r"|Qwen[- ]?\d?(?:\.\d)?[- ]?\d+(?:\.\d+)?B|Gemma[- ]?\d?[- ]?\d+B|Phi[- ]?\d(?:\.\d)?|Falcon[- ]?\d+B"
    r"|Pythia[- ]?[\d.]+[MB]|"
    r"OPT[- ]?[\d.]+[MB]|GPT-?4o(?:-mini)?|GPT-?4(?:\.\d)?(?:-turbo)?|GPT-?3\.5(?:-turbo)?|GPT-?2(?:-(?:medium"
    r"|large|xl))?|GPT-?J(?:-6B)?|Claude[- ]?\d(?:[.-]\d)?(?:[- ](?:Sonnet|Opus|Haiku))?"
    r"|Gemini[- ]?\d\.\d(?:[- ](?:Pro|Flash))?|"
    r"(?:Ro|De|Distil|Al|Mobile|Code|Sci|Bio)?BERT(?:a)?-(?:base|large|small|xlarge)|DistilBERT|CodeBERT"
    r"|GraphCodeBERT|T5-(?:small|base|large|3B|11B|XXL)|CodeT5\+?(?:-\w+)?|BART-(?:base|large)|"
    r"ResNet-?\d+|WideResNet[- ]?\d+|DenseNet-?\d+|VGG-?\d+|ViT-(?:B|L|H|S|Ti)(?:/\d+)?|EfficientNet-?B\d"
    r"|MobileNet-?V\d|BLIP-?2|StarCoder\d?|DeepSeek[- ]?(?:R1|V3|Coder)(?:-[\d.]+B)?|Whisper|Stable Diffusion"
    r"|LLaVA(?:-[\d.]+)?)\b"
)
HARDWARE = re.compile(
    r"\b(A100s?|V100s?|H100s?|H200s?|A6000s?|A40s?|L40S?s?|RTX[- ]?\d{4}(?: ?Ti)?s?|GTX[- ]?\d{4}(?: ?Ti)?s?"
    r"|Tesla T4|T4 GPUs?|P100s?|TPU[- ]?v?\d)\b"
)
USED = re.compile(
    r"\b(we|our|were|was|is|are|experiments?|train\w*|fine-?tun\w*|evaluat\w*|test\w*|us(?:e|ed|ing)|conduct\w*"
    r"|run|ran|implement\w*|perform\w*|dataset|datasets|on|benchmark\w*|baseline)\b",
    re.I,
)
NOT_USED = re.compile(
    r"\b(future|would|could|plan\w*|such as|e\.g|for example|like|including but|unlike|et al|not|rather than"
    r"|instead of|previous|prior|similar to|inspired|originally|limitations?|only|larger|beyond|modern|recent"
    r"|extend\w*|scal(?:e|ing) to|should|"
    r"comparable|designed for|proxy|mimic\w*|resembl\w*|simulat\w*|synthetic|style|similar|based on the|emulat\w*"
    r"|inspired)\b|\[\d+\]|\((?:19|20)\d\d\)",
    re.I,
)
SECTIONS = re.compile(
    r"experiment|setup|set-up|result|dataset|data|model|abstract|evaluation|implementation|hardware|conclu"
    r"|analysis|baseline|method|environment|configuration|detail",
    re.I,
)
NO_GPU = re.compile(
    r"device\W{0,6}cpu\b|using cpu|no gpu|cuda (?:is )?not available|cuda available\W{0,3}false"
    r"|is_available\(\)\W{0,3}false|cpu only|cpu-only",
    re.I,
)
GPU_CODE = re.compile(r"cuda|gpu|\.to\(device|device_map|accelerat|jax|tensorflow|tpu|mps", re.I)


def check(case: Case) -> Iterator[Finding | ClaimVerdict]:
    if not case.program.modules:
        return
    used = _plain(
        case.material + " " + " ".join(f.name.lower() for f in case.inventory.files) + " " + _small_data(case)
    )
    yield from _names(case, used)
    yield from _hardware(case)


NOT_ALPHANUMERIC = bytes(b for b in range(128) if not chr(b).isalnum())


def _plain(text: str) -> str:
    """Letters and digits alone, so that CIFAR-10, cifar10 and CIFAR_10 are one."""
    return text.lower().encode("ascii", "ignore").translate(None, NOT_ALPHANUMERIC).decode("ascii")


def _small_data(case: Case) -> str:
    return " ".join(
        f.text
        for f in case.inventory.of("raw", "other", "readme")
        if f.size < 100_000 and f.suffix in (".json", ".yaml", ".yml", ".csv", ".toml", ".md", ".txt")
    )


def _names(case: Case, used: str) -> Iterator[Finding | ClaimVerdict]:
    """Models and data sets, those in result tables first: a row that nothing ran cannot have a value."""
    tabled: dict[str, Evidence] = {}
    told: dict[str, Evidence] = {}
    for document in case.documents:
        for table in document.tables:
            for cell in table.results:
                for name in _found(f"{cell.row} ; {cell.column}") if cell.numbers else ():
                    if not _is_used(name, used):
                        tabled.setdefault(
                            name,
                            Evidence(
                                file=document.file, line=cell.line, quote=f"{cell.row} / {cell.column}: {cell.text}"
                            ),
                        )
        for name, place in _told(document):
            if not _is_used(name, used):
                told.setdefault(name, place)
    for name, place in {**told, **tabled}.items():
        yield ClaimVerdict(
            text=name,
            where=place,
            verdict="unbacked",
            how="named as used, but no code, log, command or data file mentions it",
        )
    told = {n: e for n, e in told.items() if n not in tabled}
    if tabled:
        yield _inflated(
            0.55 if len(tabled) == 1 else 0.65,
            f"results are reported for {', '.join(sorted(tabled)[:5])}, which nothing here loads",
            tabled,
        )
    if told:
        weight = 0.3 if len(told) == 1 else 0.45 if len(told) == 2 else 0.55
        grown = {n for n in told if _has_other_size(n, used)}
        if grown:
            weight = max(weight, 0.4)
        yield _inflated(weight, f"named as used, but nothing here loads it: {', '.join(sorted(told)[:6])}", told)


def _inflated(weight: float, message: str, places: dict[str, Evidence]) -> Finding:
    return Finding(
        pattern="P12", verdict="contradicted", weight=weight, message=message, evidence=tuple(list(places.values())[:4])
    )


def _found(text: str) -> set[str]:
    return {m[1] for pattern in (DATASETS, MODELS) for m in pattern.finditer(text)}


def _told(document: Document) -> Iterator[tuple[str, Evidence]]:
    for sentence in document.sentences:
        if not SECTIONS.search(sentence.section) or re.search(
            r"related|future|limitation|reference|background|introduction", sentence.section
        ):
            continue
        if not USED.search(sentence.text) or NOT_USED.search(sentence.text):
            continue
        for name in _found(sentence.text):
            yield name, Evidence(file=document.file, line=sentence.line, quote=sentence.text[:240])


def _is_used(name: str, used: str) -> bool:
    plain = _plain(name)
    short = re.sub(r"(base|large|small|income|uci)$|^uci", "", plain)
    loose = {
        plain,
        plain.replace("adultincome", "adult"),
        plain.replace("multinli", "mnli"),
        plain.replace("arcchallenge", "arc"),
        re.sub(r"(sonnet|opus|haiku|pro|flash|turbo)$", "", plain),
    }
    if plain.startswith(("bert", "roberta", "t5")) and short in used and plain.endswith("base"):
        return True
    return any(form and form in used for form in loose)


def _has_other_size(name: str, used: str) -> bool:
    """Whether the same family of models is used in another size."""
    family = re.match(r"[a-z]+", _plain(name))
    return bool(family and len(family[0]) >= 4 and MODELS.search(name) and family[0] in used)


def _hardware(case: Case) -> Iterator[Finding | ClaimVerdict]:
    claimed: dict[str, Evidence] = {}
    for document in case.documents:
        for sentence in document.sentences:
            if NOT_USED.search(sentence.text) or re.search(r"related|future|reference", sentence.section):
                continue
            for match in HARDWARE.finditer(sentence.text):
                claimed.setdefault(
                    match[1], Evidence(file=document.file, line=sentence.line, quote=sentence.text[:240])
                )
    if not claimed:
        return
    code = case.program.text
    seen = "\n".join(
        [
            *("\n".join(line.text for line in log.lines) for log in case.logs),
            *(a.text for t in case.traces for a in t.of("output")),
            *(p.output for p in case.processes),
        ]
    )
    name, place = next(iter(claimed.items()))
    model = re.sub(r"[^a-z0-9]|s$", "", name.lower())
    if model in _plain(seen):
        yield ClaimVerdict(text=name, where=place, verdict="backed", how="a log or an output names it")
        return
    cpu = NO_GPU.search(seen)
    others = {re.sub(r"[^a-z0-9]|s$", "", m[1].lower()) for m in HARDWARE.finditer(seen)}
    if cpu or others or not GPU_CODE.search(code):
        how = (
            f"a log says '{cpu[0]}'"
            if cpu
            else f"logs name {', '.join(sorted(others))}"
            if others
            else "no code here can use one"
        )
        yield ClaimVerdict(text=name, where=place, verdict="contradicted", how=how)
        yield _inflated(0.55 if cpu or others else 0.35, f"the report names {name}, but {how}", claimed)
    else:
        yield ClaimVerdict(text=name, where=place, verdict="unbacked", how="no log and no output names it")
