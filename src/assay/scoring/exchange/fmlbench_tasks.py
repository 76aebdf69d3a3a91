"""What scoring needs of FML-bench's eighteen tasks: names, scale and published baselines.

Source: the configuration and baseline results of the public benchmark (version 2), where the same figures can be read
off `config.json`, `baseline_results/val_info.json` and `test_info.json` of each task.
"""

from dataclasses import dataclass
from typing import Literal

from assay.tasks.spec import Metric


@dataclass(frozen=True)
class Published:
    """One task as published."""

    dataset: str
    """The key of the result file under which the metric stands."""
    metric: Metric
    val: float
    """The baseline on validation."""
    test: float


def _published(
    dataset: str,
    metric: str,
    direction: Literal["min", "max"],
    best: float,
    worst: float | Literal["baseline"],
    val: float,
    test: float,
    transform: Literal["none", "neg_log10"] = "none",
) -> Published:
    return Published(
        dataset, Metric(name=metric, direction=direction, best=best, worst=worst, transform=transform), val, test
    )


PUBLISHED: dict[str, Published] = {
    "Causality_causalml": _published(
        "ihdp_test", "mae_mean", "min", 0.0, "baseline", 1.2962585694753708, 1.328343456347623
    ),
    "Causality_gcastle": _published("synthetic_dag", "shd_mean", "min", 0.0, "baseline", 72.0, 71.0),
    "Continual_Learning_continual_learning": _published(
        "splitMNIST_scenario_class", "average_acc_mean", "max", 1.0, 0.0, 0.2712503183091418, 0.2709019474984232
    ),
    "Continual_Learning_pycil": _published(
        "cifar100_incremental", "avg_incremental_acc_mean", "max", 1.0, 0.0, 0.5910666666666667, 0.5951666666666667
    ),
    "Data_Efficiency_easyfsl": _published("miniimagenet_test", "accuracy_mean", "max", 1.0, 0.0, 0.6584, 0.6534),
    "Data_Efficiency_usb": _published("cifar100_ssl", "test_acc_mean", "max", 1.0, 0.0, 0.07566666666666666, 0.079),
    "Fairness_and_Bias_aif360": _published(
        "compas", "abs_aod_mean", "min", 0.0, 1.0, 0.2657268424611224, 0.23986259586405548
    ),
    "Fairness_fairlearn": _published(
        "adult", "abs_demographic_parity_diff_mean", "min", 0.0, 1.0, 0.18663158848996153, 0.1730295772151227
    ),
    "Federated_Learning_PFLlib": _published(
        "cifar10_fl", "test_acc_mean", "max", 1.0, 0.0, 0.4405712594723812, 0.45259903175692706
    ),
    "Generalization_domainbed": _published(
        "ColoredMNIST_test_env2", "in_acc_mean", "max", 1.0, 0.0, 0.2791827403914845, 0.2868250275498959
    ),
    "Generalization_domainbed_officehome": _published(
        "OfficeHome_test_env0", "avg_acc_mean", "max", 1.0, 0.0, 0.8832417582417582, 0.8628605061801059
    ),
    "Privacy_opacus": _published(
        "cifar10_dp", "test_acc_mean", "max", 1.0, 0.0, 0.5893848545414169, 0.5877142857142857
    ),
    "Privacy_privacymeter": _published("cifar10", "AUC_gap_mean", "min", 0.0, 0.5, 0.3339, 0.3213666666666667),
    "Representation_Learning_lightly": _published(
        "cifar10_linear_probing", "test_acc_mean", "max", 1.0, 0.0, 0.7527309060096741, 0.7564285397529602
    ),
    "Representation_Learning_solo_learn": _published(
        "cifar100_ssl", "linear_eval_acc_mean", "max", 1.0, 0.0, 0.47765642404556274, 0.4895714223384857
    ),
    "Robustness_and_Reliability_art": _published(
        "poisoned_mnist", "defense_score_mean", "max", 1.0, 0.0, 0.4720302724887606, 0.47742915945583675
    ),
    "Robustness_openood": _published("openood", "auroc_mean", "max", 1.0, 0.0, 0.8757909632571994, 0.9302045714285714),
    "Unlearning_open_unlearning": _published(
        "tofu_unlearning",
        "forget_quality_mean",
        "max",
        0.0,
        "baseline",
        2.2001332500149066e-71,
        1.572462355189384e-167,
        "neg_log10",
    ),
}
