"""P13: the method that a report describes is made of parts of which the code has none."""

import ast
import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.code.source import Module
from assay.judging.audit.model import Evidence, Finding

PARTS: dict[str, str] = {
    r"contrastive": r"contrast|infonce|nt_?xent|simclr|triplet|clip_?loss",
    r"teacher|distill\w*": r"teacher|distil|kd_",
    r"exponential[- ]moving[- ]average|\bEMA\b": r"ema|moving_?av|momentum|polyak|lerp",
    r"memory bank|replay buffer|episodic memory": r"memory|bank|buffer|replay|queue",
    r"projection head|projector": r"proj",
    r"adapters?\b|\bLoRA\b|low-rank": r"adapter|lora|low_?rank|peft|svd",
    r"attention": r"atten|transformer|bert|gpt|llama|mha|pretrained",
    r"discriminator|adversarial(?:ly)? train\w*|adversarial loss": r"discrim|adversar|gan|fgsm|pgd|reverse_?grad|grl",
    r"diffusion": r"diffus|denois|ddpm|unet|scheduler",
    r"variational|\bVAE\b|\bELBO\b": r"vae|variational|elbo|kl_?|reparam|latent",
    r"graph neural network\w*|message passing|\bGNN\b": r"gnn|gcn|gat|graph|message|adj",
    r"reinforcement learning|policy gradient|\bPPO\b": r"polic|ppo|reward|q_?learn|dqn|gym|env",
    r"meta-learn\w*|\bMAML\b": r"meta|maml|inner_?loop|higher|task_?batch",
    r"hyper-?network": r"hyper_?net",
    r"mixture[- ]of[- ]experts|\bMoE\b": r"expert|moe|gate|router",
    r"recurrent|\bLSTM\b|\bGRU\b": r"lstm|gru|rnn|recurrent",
    r"Gaussian process\w*": r"gaussian_?process|gpytorch|gpr|kernel",
    r"reward model": r"reward",
    r"retriev(?:al|er)\w*": r"retriev|faiss|bm25|index|search|similar",
    r"codebook|vector quanti[sz]\w*": r"codebook|quanti|vq",
    r"spectral|eigen\w*|Laplacian": r"eig|spectr|laplac|svd|fft",
    r"optimal transport|Wasserstein|Sinkhorn": r"transport|wasserst|sinkhorn|emd",
    r"prototyp\w+ (?:loss|alignment|network)": r"proto",
    r"curriculum": r"curricul|difficult|pacing",
    r"symbolic (?:solver|prover|verifier)|\bSMT\b|theorem prover": r"z3|smt|solver|lean|coq|prover|sympy",
}
"""Words for parts of a method, and what code has that has the part: any trace of it will do."""
SECTION = re.compile(r"method|approach|architecture|framework|algorithm|model$|our ", re.I)
BESIDE = re.compile(
    r"\b(unlike|instead of|rather than|without|not|avoid\w*|et al|prior|previous|future|could|may)\b", re.I
)
FEWEST = 3


def check(case: Case) -> Iterator[Finding]:
    modules = [m for m in case.program.modules if not m.is_test]
    if not modules:
        return
    code = "\n".join(_words(m) for m in modules).lower()
    told: dict[str, Evidence] = {}
    for document in case.documents:
        for sentence in document.sentences:
            if SECTION.search(sentence.section) and not BESIDE.search(sentence.text):
                for words in PARTS:
                    if re.search(words, sentence.text, re.I):
                        place = Evidence(file=document.file, line=sentence.line, quote=sentence.text[:240])
                        told.setdefault(words, place)
    absent = {words: place for words, place in told.items() if not re.search(PARTS[words], code)}
    if len(absent) >= FEWEST and len(absent) >= 0.75 * len(told):
        names = [m[0] for words, place in absent.items() if (m := re.search(words, place.quote, re.I))]
        yield Finding(
            pattern="P13",
            verdict="contradicted",
            weight=0.5 if len(absent) == len(told) else 0.4,
            message=f"{len(absent)} of {len(told)} parts of the method that is described are nowhere in the code: "
            f"{', '.join(names[:6])}",
            evidence=tuple(dict.fromkeys(absent.values()))[:4],
        )


def _words(module: Module) -> str:
    """The names and texts of the code, without comments and docstrings, which may promise what is not there."""
    out = []
    for node in module.nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
                out.append(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                out.append(name)
            case ast.ImportFrom(module=str() as name) | ast.keyword(arg=str() as name):
                out.append(name)
            case ast.Constant(value=str() as text) if not isinstance(module.parents.get(node), ast.Expr):
                out.append(text)
    return "\n".join(out)
