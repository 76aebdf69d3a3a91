"""Names by what they stand for: measures, settings, methods, mock things."""

import re
from functools import lru_cache


def vocabulary(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


MEASURES = vocabulary(
    """
    accuracy acc f1 precision recall auc auroc auprc roc bleu rouge meteor bertscore perplexity ppl mse rmse mae
    mape r2 loss losses ece nll brier iou map mrr ndcg psnr ssim fid regret reward rewards return returns speedup
    throughput latency runtime improvement gain correlation kappa robustness calibration disparity faithfulness
    coherence factuality hallucination success win pass exact trust satisfaction fluency relevance wga worst error
    errors sparsity flops memory time tpr fpr fnr sensitivity specificity coverage efficiency detection agreement
    alignment usefulness clarity completeness score scores wer cer rtf bpc bpb chrf pearson spearman kendall elbo mcc
    em top1 top5 dice ap ap50 smape crps nrmse fps hits ndcg10 pass1
    """
)
"""Words that name an outcome."""
SETTINGS = vocabulary(
    """
    weight weights coef coefficient threshold target targets min max range default alpha lambda scale bound limit
    prior config penalty lr learning batch epochs seed fn func function criterion fraction ratio prob init initial
    step interval budget decay margin timeout window sleep figsize fontsize size width height level tol tolerance
    clip true gt temperature noise factor type name color format cost smoothing constraint sampling feature
    features base mean std stop patience embed dim delta requirement
    """
)
"""Words that make a name a setting even beside an outcome's word."""
ADVANTAGE = re.compile(
    r"(advantage|improvement|boost|bonus|uplift|superiority|degradation|method_effect|performance_factor|base_(acc"
    r"|perf|score))"
)
MOCK = re.compile(
    r"(?<![a-z])(mock|fake|simulat|synthetic_(?:result|metric|perf|exper|eval|out)|dummy|placeholder|canned"
    r"|hardcoded|fabricat)",
    re.I,
)
GENERATOR_FILE = re.compile(
    r"(mock|fake|placeholder|dummy)|(simulat|synthetic|demo)\w*_(result|experiment|run|metric|eval|log|perf|output"
    r"|response|train)|(run|result|experiment|train)\w*_simulat"
    r"|(generate|create|make|produce)_\w*(result|metric|log|number|table)s?"
    r"|(result|metric|log)s?_(generator|simulator)",
    re.I,
)


def words_of(name: str) -> list[str]:
    """The words of an identifier or a key."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return [w for w in re.split(r"[^a-z0-9]+", spaced.lower()) if w]


@lru_cache(maxsize=20_000)
def is_measure(name: str) -> bool:
    """Whether a name stands for an outcome of an experiment."""
    words = words_of(name)
    return bool(words) and len(words) <= 6 and not SETTINGS.intersection(words) and bool(MEASURES.intersection(words))
