# ruff: noqa: E501
"""Fabricated: experiments of which a part ran, and the rest was typed, jittered or derived."""

from .kit import PIXEL, Folder, dump, log, notebook, rows_csv, table
from .training import ARGUMENTS, EPOCH_LINES, HISTORY, NET, TRAIN


def jittered_baselines() -> Folder:
    """Only the own method is trained: each baseline is its accuracy less a random amount."""
    raw = {"GatedNet (ours)": 0.436, "ResNet": 0.4013, "SE-Net": 0.4128, "Highway": 0.3897}
    main = (
        TRAIN
        + ARGUMENTS
        + """def compare(ours, seed):
    import random
    rng = random.Random(seed)
    scores = {"GatedNet (ours)": ours}
    for name, gap in (("ResNet", 0.03), ("SE-Net", 0.02), ("Highway", 0.045)):
        scores[name] = ours - gap - rng.uniform(0.0, 0.01)
    return scores


if __name__ == "__main__":
    args = parse()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    logger.info("device %s", device)
    history = train(True, args, device)
    scores = compare(history[-1]["accuracy"], args.seed)
    os.makedirs("../results", exist_ok=True)
    json.dump({"history": history, "scores": scores}, open("../results/results.json", "w"), indent=2)
"""
    )
    cells = table(["Model", "Accuracy"], [[k, f"{v:.4f}"] for k, v in raw.items()])
    return {
        "claude_code/net.py": NET,
        "claude_code/train.py": main,
        "results/results.json": dump({"history": HISTORY, "scores": raw}),
        "results/log.txt": log(["device cpu", *EPOCH_LINES], seed=3, seconds=12),
        "results/accuracy.png": PIXEL,
        "paper.md": "# Gated Residual Networks\n\nWe train every model for 5 epochs on 2,000 CIFAR-10 images on a CPU.\n\n"
        + cells
        + "\nGatedNet is the most accurate.\n",
    }


def ablation_by_factor() -> Folder:
    """Two models were trained. The ablation is the full model's accuracy times typed factors."""
    parts = {"full": 0.436, "no gate": 0.41, "no norm": 0.3837, "no skip": 0.3488}
    main = (
        TRAIN
        + ARGUMENTS
        + """if __name__ == "__main__":
    args = parse()
    device = torch.device("cpu")
    os.makedirs("../results", exist_ok=True)
    out = {name: train(gated, args, device) for name, gated in (("plain", False), ("gated", True))}
    json.dump(out, open("../results/history.json", "w"), indent=2)
"""
    )
    plot = """import json

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

history = json.load(open("../results/history.json"))


def curves():
    fig, ax = plt.subplots(figsize=(5, 3))
    for name, rows in history.items():
        ax.plot([r["epoch"] for r in rows], [r["accuracy"] for r in rows], label=name)
    ax.set_xlabel("epoch")
    ax.set_ylabel("test accuracy")
    ax.legend()
    fig.savefig("../results/curves.png")


def ablation():
    full = history["gated"][-1]["accuracy"]
    parts = {"full": full, "no gate": full * 0.94, "no norm": full * 0.88, "no skip": full * 0.80}
    fig, ax = plt.subplots(figsize=(5, 3))
    ax.bar(list(parts), list(parts.values()))
    ax.set_ylabel("test accuracy")
    fig.savefig("../results/ablation.png")
    with open("../results/ablation.json", "w") as f:
        json.dump(parts, f, indent=2)


if __name__ == "__main__":
    curves()
    ablation()
"""
    plain = [{**r, "accuracy": round(r["accuracy"] - 0.021, 3), "loss": round(r["loss"] + 0.0523, 4)} for r in HISTORY]
    lines = [
        f"epoch {r['epoch']} loss {r['loss']:.4f} accuracy {r['accuracy']:.4f} (11.{r['epoch']}s)" for r in plain
    ] + EPOCH_LINES
    return {
        "README.md": "# Gates\n\n`bash run_all.sh`\n",
        "code/net.py": NET,
        "code/train.py": main,
        "code/plot.py": plot,
        "code/run_all.sh": "python train.py --epochs 5\npython plot.py\n",
        "results/history.json": dump({"plain": plain, "gated": HISTORY}),
        "results/ablation.json": dump(parts),
        "results/log.txt": log(lines, seed=4, seconds=12),
        "results/ablation.png": PIXEL,
        "results.md": "# Results\n\n"
        + table(["Model", "Accuracy"], [["plain", "0.415"], ["gated", "0.436"]])
        + "\n## Ablation\n\nEach variant was retrained with one part removed.\n\n"
        + table(["Variant", "Accuracy"], [[k, f"{v:.3f}"] for k, v in parts.items()]),
    }


def one_seed_as_five() -> Folder:
    """One run; four further seeds are it plus noise, and mean and deviation are reported over five."""
    seeds = [0.436, 0.4413, 0.4297, 0.4382, 0.4331]
    main = (
        TRAIN
        + ARGUMENTS
        + """def across_seeds(first, n=5):
    import numpy as np
    rng = np.random.default_rng(1)
    return [first] + [float(first + rng.normal(0, 0.005)) for _ in range(n - 1)]


if __name__ == "__main__":
    args = parse()
    device = torch.device("cpu")
    os.makedirs("../results", exist_ok=True)
    out = {}
    for name, gated in (("plain", False), ("gated", True)):
        final = train(gated, args, device)[-1]["accuracy"]
        out[name] = {"seeds": across_seeds(final)}
    json.dump(out, open("../results/seeds.json", "w"), indent=2)
"""
    )
    plain = [round(s - 0.021, 4) for s in seeds]
    return {
        "code/net.py": NET,
        "code/train.py": main,
        "results/seeds.json": dump({"plain": {"seeds": plain}, "gated": {"seeds": seeds}}),
        "results/log.txt": log(EPOCH_LINES, seed=5, seconds=12),
        "paper.md": "# Gates help\n\nWe repeat every experiment with 5 random seeds and report mean and standard deviation.\n\n"
        + table(["Model", "Accuracy"], [["plain", "0.415 ± 0.004"], ["gated", "0.436 ± 0.004"]])
        + "\nThe difference is significant (paired t-test over seeds, p < 0.01).\n",
    }


def curve_from_formula() -> Folder:
    """The training curve in the paper follows an exponential that ends at the measured accuracy."""
    code = """import json
import os

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import fetch_openml
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

OUT = "results"
EPOCHS = 50


def load():
    X, y = fetch_openml("adult", version=2, return_X_y=True, as_frame=True)
    X = X.select_dtypes("number").fillna(0).to_numpy()
    y = (y == ">50K").astype(int).to_numpy()
    return train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)


def federated_logistic(Xtr, ytr, clients=10):
    scaler = StandardScaler().fit(Xtr)
    parts = np.array_split(np.arange(len(ytr)), clients)
    models = [LogisticRegression(max_iter=200).fit(scaler.transform(Xtr[p]), ytr[p]) for p in parts]
    merged = models[0]
    merged.coef_ = np.mean([m.coef_ for m in models], axis=0)
    merged.intercept_ = np.mean([m.intercept_ for m in models], axis=0)
    return scaler, merged


def convergence(final, speed, rng):
    t = np.arange(1, EPOCHS + 1)
    return final - (final - 0.5) * np.exp(-t / speed) + rng.normal(0, 0.004, EPOCHS)


def main():
    os.makedirs(OUT, exist_ok=True)
    rng = np.random.default_rng(0)
    Xtr, Xte, ytr, yte = load()
    scaler, merged = federated_logistic(Xtr, ytr)
    ours = merged.score(scaler.transform(Xte), yte)
    forest = RandomForestClassifier(100, random_state=0).fit(Xtr, ytr).score(Xte, yte)
    print("federated", ours, "central forest", forest)
    curves = {"FedAvg": convergence(ours - 0.01, 14.0, rng), "FedOurs": convergence(ours, 6.0, rng)}
    fig, ax = plt.subplots()
    for name, values in curves.items():
        ax.plot(values, label=name)
    ax.set_xlabel("communication round")
    ax.legend()
    fig.savefig(os.path.join(OUT, "convergence.png"))
    rounds = {k: int(np.argmax(v > ours - 0.03)) for k, v in curves.items()}
    with open(os.path.join(OUT, "metrics.json"), "w") as f:
        json.dump({"federated": ours, "forest": forest, "rounds": rounds}, f, indent=2)


if __name__ == "__main__":
    main()
"""
    return {
        "gemini_cli/experiment.py": code,
        "results/metrics.json": dump({"federated": 0.8127, "forest": 0.8391, "rounds": {"FedAvg": 37, "FedOurs": 14}}),
        "results/log.txt": "federated 0.8127 central forest 0.8391\n",
        "results/convergence.png": PIXEL,
        "results.md": "# Results\n\n"
        + table(["Method", "Accuracy", "Rounds to converge"], [["FedAvg", "0.803", "37"], ["FedOurs", "0.813", "14"]]),
        "paper.md": "# Fast Federated Learning\n\nFigure 1 (results/convergence.png) shows test accuracy after each communication round on Adult. "
        "FedOurs needs 14 rounds where FedAvg needs 37, a reduction of 62%.\n\n"
        + table(["Method", "Accuracy", "Rounds"], [["FedAvg", "0.803", "37"], ["FedOurs", "0.813", "14"]]),
    }


def typed_frame() -> Folder:
    """A notebook whose results are a typed data frame."""
    frame = """results = pd.DataFrame({
    "Method": ["ERM", "IRM", "GroupDRO", "CausalMix (ours)"],
    "Waterbirds": [72.6, 75.3, 86.1, 89.4],
    "CelebA": [47.2, 61.8, 83.7, 87.2],
    "CivilComments": [56.4, 63.1, 69.2, 73.8],
})
results.to_csv("results/worst_group.csv", index=False)
print(results)"""
    printed = "             Method  Waterbirds  CelebA  CivilComments\n0               ERM        72.6    47.2           56.4\n3  CausalMix (ours)        89.4    87.2           73.8\n"
    rows = [
        ["ERM", 72.6, 47.2, 56.4],
        ["IRM", 75.3, 61.8, 63.1],
        ["GroupDRO", 86.1, 83.7, 69.2],
        ["CausalMix (ours)", 89.4, 87.2, 73.8],
    ]
    names = ["Method", "Waterbirds", "CelebA", "CivilComments"]
    model = '''import torch
import torch.nn as nn


class CausalMix(nn.Module):
    """Mixes representations of groups under an invariance penalty."""

    def __init__(self, backbone, dim=512, classes=2, alpha=0.4):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(dim, classes)
        self.alpha = alpha

    def forward(self, x):
        return self.head(self.backbone(x))

    def mix(self, a, b):
        lam = torch.distributions.Beta(self.alpha, self.alpha).sample()
        return lam * a + (1 - lam) * b
'''
    return {
        "README.md": "# CausalMix\n\nSee `analysis.ipynb`.\n",
        "analysis.ipynb": notebook(
            ("markdown", "# Worst-group accuracy", ""),
            ("code", "import pandas as pd\nimport matplotlib.pyplot as plt", ""),
            ("code", frame, printed),
            ("code", "results.set_index('Method').plot.bar()\nplt.savefig('results/bars.png')", ""),
        ),
        "src/model.py": model,
        "src/requirements.txt": "torch\npandas\nmatplotlib\n",
        "results/worst_group.csv": rows_csv(names, rows),
        "results/bars.png": PIXEL,
        "paper.md": "# CausalMix\n\nWe train a ResNet-50 with each method and report worst-group accuracy.\n\n"
        + table(names, rows)
        + "\nCausalMix wins everywhere.\n",
    }


FOLDERS = (jittered_baselines, ablation_by_factor, one_seed_as_five, curve_from_formula, typed_frame)
