# ruff: noqa: E501
"""Honest folders with the tools that people train with: checkpoints of every kind, notebooks, trackers, sweeps."""

import json

from .cases import Files, Shelf, clock, dumps, mean, notebook, sd

SHELF = Shelf([])


@SHELF.clean
def torch_project_over_seeds(rng) -> Files:
    runs = {
        m: [rng.uniform(lo, lo + 0.02) for _ in range(5)] for m, lo in (("erm", 0.71), ("mixup", 0.73), ("ours", 0.735))
    }
    rows = "\n".join(f"| {m} | {100 * mean(v):.2f} ± {100 * sd(v):.2f} | {100 * max(v):.2f} |" for m, v in runs.items())
    gain = 100 * (mean(runs["ours"]) - mean(runs["erm"]))
    logs = "\n".join(
        f"2025-05-14 {clock(61.37 * i + rng.random())} - train - INFO - [{m}] seed {s} test acc {v:.4f}"
        for i, (m, s, v) in enumerate((m, s, v) for m, vs in runs.items() for s, v in enumerate(vs))
    )
    return {
        "claude_code/README.md": "# Code\n\n1. `pip install -r requirements.txt`\n2. `python run_experiments.py --seeds 5`\n3. `python visualize.py`\n",
        "claude_code/models.py": """import torch
from torch import nn


class SmallCNN(nn.Module):
    def __init__(self, width=32, n_classes=10, dropout=0.25):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(2 * width, n_classes))

    def forward(self, x):
        return self.head(self.body(x))
""",
        "claude_code/data_utils.py": """import numpy as np
import torch
from torchvision import datasets, transforms


def get_cifar(root="./data", n_train=10000):
    t = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.4914, 0.4822, 0.4465), (0.247, 0.243, 0.261))])
    train = datasets.CIFAR10(root, train=True, download=True, transform=t)
    test = datasets.CIFAR10(root, train=False, download=True, transform=t)
    idx = np.random.RandomState(0).permutation(len(train))[:n_train]
    return torch.utils.data.Subset(train, idx), test


def get_dummy_data(n=64):
    \"\"\"For smoke tests without network.\"\"\"
    return torch.utils.data.TensorDataset(torch.randn(n, 3, 32, 32), torch.randint(0, 10, (n,)))
""",
        "claude_code/run_experiments.py": """import argparse, json, logging, os, random
import numpy as np
import torch
import torch.nn.functional as F
from data_utils import get_cifar
from models import SmallCNN

log = logging.getLogger("train")


def set_seed(s):
    random.seed(s); np.random.seed(s); torch.manual_seed(s)


def mixup(x, y, alpha=0.2):
    lam = np.random.beta(alpha, alpha)
    perm = torch.randperm(len(x))
    return lam * x + (1 - lam) * x[perm], y, y[perm], lam


def train_one(method, seed, epochs, device):
    set_seed(seed)
    train, test = get_cifar()
    net = SmallCNN().to(device)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-4, weight_decay=0.01)
    for epoch in range(epochs):
        net.train()
        for x, y in torch.utils.data.DataLoader(train, 128, shuffle=True):
            x, y = x.to(device), y.to(device)
            if method == "erm":
                loss = F.cross_entropy(net(x), y)
            else:
                xm, ya, yb, lam = mixup(x, y, 0.2 if method == "mixup" else 0.4)
                out = net(xm)
                loss = lam * F.cross_entropy(out, ya) + (1 - lam) * F.cross_entropy(out, yb)
                if method == "ours":
                    loss = loss + 0.1 * net.head[2].weight.norm()
            opt.zero_grad(); loss.backward(); opt.step()
    net.eval()
    correct = 0
    with torch.no_grad():
        for x, y in torch.utils.data.DataLoader(test, 256):
            correct += (net(x.to(device)).argmax(1).cpu() == y).sum().item()
    return correct / len(test)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seeds", type=int, default=5)
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--out", default="../results")
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(name)s - %(levelname)s - %(message)s",
                        handlers=[logging.FileHandler(os.path.join(a.out, "log.txt")), logging.StreamHandler()])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    results = {}
    for m in ["erm", "mixup", "ours"]:
        results[m] = []
        for s in range(a.seeds):
            acc = train_one(m, s, a.epochs, device)
            log.info("[%s] seed %d test acc %.4f", m, s, acc)
            results[m].append(acc)
    with open(os.path.join(a.out, "results.json"), "w") as f:
        json.dump(results, f, indent=2)


if __name__ == "__main__":
    main()
""",
        "claude_code/visualize.py": """import json
import matplotlib.pyplot as plt
import numpy as np

COLORS = ["#4C72B0", "#DD8452", "#55A868"]
results = json.load(open("../results/results.json"))
fig, ax = plt.subplots(figsize=(6.4, 4.0))
for i, (name, accs) in enumerate(results.items()):
    ax.bar(i, np.mean(accs), yerr=np.std(accs, ddof=1), color=COLORS[i], width=0.65, capsize=4, alpha=0.85)
ax.set_xticks(range(len(results)), list(results))
ax.set_ylim(0.6, 0.8)
fig.savefig("../results/accuracy.png", dpi=200, bbox_inches="tight")
""",
        "claude_code/tests/test_models.py": "import torch\nfrom models import SmallCNN\n\n\ndef test_shape():\n    assert SmallCNN()(torch.zeros(2, 3, 32, 32)).shape == (2, 10)\n",
        "results/results.json": dumps(runs),
        "results/log.txt": logs,
        "results/accuracy.png": b"\x89PNG\r\n\x1a\n" + bytes(300),
        "results/results.md": f"""# Experimental results
## Setup
| Parameter | Value |
|---|---|
| Data | CIFAR-10, 10,000 training images |
| Epochs | 10 |
| Optimiser | AdamW, lr 3e-4, weight decay 0.01 |
| Seeds | 5 |

## Accuracy on the test set (%)
| Method | Mean ± std | Best |
|---|---|---|
{rows}

Our regulariser gains {gain:.2f} points over ERM. The gain over mixup is within one standard deviation, so we do not claim
that it is better than mixup.

![accuracy](accuracy.png)
## Limitations
Only one small network and a subset of the data were used; larger models such as ResNet-50 or ViT-B/16 on ImageNet are future work.
""",
    }


@SHELF.clean
def one_script_by_codex(rng) -> Files:
    acc = {k: rng.uniform(0.93, 0.97) for k in ("logreg", "svm_rbf", "gradient_boosting")}
    rows = "\n".join(f"| {k} | {v:.4f} | {1 - v:.4f} |" for k, v in acc.items())
    best = max(acc, key=acc.get)
    return {
        "codex/run.py": """import json
from pathlib import Path
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

x, y = load_breast_cancer(return_X_y=True)
models = {
    "logreg": make_pipeline(StandardScaler(), LogisticRegression(C=0.5, max_iter=2000)),
    "svm_rbf": make_pipeline(StandardScaler(), SVC(C=2.0, gamma=0.03)),
    "gradient_boosting": GradientBoostingClassifier(n_estimators=150, learning_rate=0.08, subsample=0.9, random_state=0),
}
cv = StratifiedKFold(10, shuffle=True, random_state=1)
res = {k: float(np.mean(cross_val_score(m, x, y, cv=cv))) for k, m in models.items()}
Path("results").mkdir(exist_ok=True)
Path("results/cv.json").write_text(json.dumps(res, indent=2))
print(json.dumps(res, indent=2))
""",
        "results/cv.json": dumps(acc),
        "results/log.txt": dumps(acc) + "\n",
        "results/results.md": f"# Results\n\n10-fold cross-validation, breast cancer data (569 samples, 30 features).\n\n| Model | Accuracy | Error |\n|---|---|---|\n{rows}\n\n"
        f"The best model is {best} with {100 * acc[best]:.1f} % accuracy.\n",
    }


@SHELF.clean
def notebook_with_outputs_only(rng) -> Files:
    losses = [2.302 * 0.81**i + rng.uniform(0, 0.02) for i in range(12)]
    printed = "\n".join(
        f"epoch {i + 1:2d}  loss {v:.4f}  acc {0.3 + 0.05 * i + rng.uniform(0, 0.01):.4f}" for i, v in enumerate(losses)
    )
    acc_a, acc_b = round(rng.uniform(0.88, 0.89), 4), round(rng.uniform(0.90, 0.91), 4)
    return {
        "FashionMNIST_label_smoothing.ipynb": notebook(
            ("md", "# Does label smoothing help a small network?"),
            (
                "code",
                "import torch, torchvision\nfrom torch import nn\ntrain = torchvision.datasets.FashionMNIST('.', download=True)\n",
                "",
            ),
            ("code", "!nvidia-smi", "Tesla T4  15109MiB"),
            (
                "code",
                "def fit(eps):\n    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))\n"
                "    loss_fn = nn.CrossEntropyLoss(label_smoothing=eps)\n    opt = torch.optim.Adam(net.parameters(), 1e-3)\n"
                "    for epoch in range(12):\n        total, right = one_epoch(net, opt, loss_fn)\n"
                "        print(f'epoch {epoch + 1:2d}  loss {total:.4f}  acc {right:.4f}')\n    return test(net)\n\nfit(0.0)",
                printed,
            ),
            ("code", "print('eps=0.0', fit(0.0)); print('eps=0.1', fit(0.1))", f"eps=0.0 {acc_a}\neps=0.1 {acc_b}"),
            (
                "md",
                f"## Results\n\n| smoothing | test accuracy |\n|---|---|\n| 0.0 | {acc_a} |\n| 0.1 | {acc_b} |\n\n"
                f"Smoothing gains {100 * (acc_b - acc_a):.1f} points in one run each; with one seed this is no more than a hint.",
            ),
        ),
    }


@SHELF.clean
def lightning_logs(rng) -> Files:
    files: Files = {}
    table = []
    for version, (name, lr) in enumerate((("small", 0.001), ("wide", 0.0003))):
        lines, best = ["epoch,step,train_loss,val_loss,val_acc"], 0.0
        for e in range(40):
            acc = 0.55 + 0.3 * (1 - 0.9**e) + rng.uniform(-0.01, 0.01) + 0.02 * version
            best = max(best, acc)
            lines.append(f"{e},{(e + 1) * 391 - 1},{1.6 * 0.94**e + rng.random() / 50:.6f},,")
            lines.append(f"{e},{(e + 1) * 391 - 1},,{1.5 * 0.95**e + rng.random() / 40:.6f},{acc:.6f}")
        files[f"lightning_logs/version_{version}/metrics.csv"] = "\n".join(lines)
        files[f"lightning_logs/version_{version}/hparams.yaml"] = (
            f"model: {name}\nlr: {lr}\nbatch_size: 128\nmax_epochs: 40\n"
        )
        files[f"lightning_logs/version_{version}/events.out.tfevents.1715.host.{version}"] = bytes(
            rng.randrange(256) for _ in range(400)
        )
        table.append((name, lr, best, acc))
    rows = "\n".join(f"| {n} | {lr} | {100 * b:.2f} | {100 * a:.2f} |" for n, lr, b, a in table)
    return files | {
        "train.py": """import pytorch_lightning as pl
import torch
import torchmetrics
from datamodule import SVHNModule
from model import build


class Lit(pl.LightningModule):
    def __init__(self, model, lr, batch_size=128):
        super().__init__()
        self.save_hyperparameters()
        self.net = build(model)
        self.acc = torchmetrics.Accuracy("multiclass", num_classes=10)

    def training_step(self, batch, i):
        loss = torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1])
        self.log("train_loss", loss, on_epoch=True)
        return loss

    def validation_step(self, batch, i):
        out = self.net(batch[0])
        self.log("val_loss", torch.nn.functional.cross_entropy(out, batch[1]))
        self.log("val_acc", self.acc(out, batch[1]))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), self.hparams.lr)


for name, lr in (("small", 1e-3), ("wide", 3e-4)):
    pl.seed_everything(1234)
    pl.Trainer(max_epochs=40, logger=pl.loggers.CSVLogger(".")).fit(Lit(name, lr), SVHNModule())
""",
        "paper.md": f"# Width on SVHN\n\n## Experiments\nBoth networks are trained for 40 epochs on SVHN with Adam.\n\n"
        f"| Network | Learning rate | Best val. acc. (%) | Last val. acc. (%) |\n|---|---|---|---|\n{rows}\n\nThe wide network is better throughout.\n",
    }


@SHELF.clean
def hydra_multirun(rng) -> Files:
    files: Files = {}
    scores: dict[float, list[float]] = {}
    at = 0
    for drop in (0.0, 0.1, 0.3):
        for seed in range(3):
            value = rng.uniform(0.61, 0.66) - 0.05 * abs(drop - 0.1)
            scores.setdefault(drop, []).append(value)
            base = f"multirun/2025-06-03/14-22-05/{at}"
            files[f"{base}/.hydra/config.yaml"] = f"dropout: {drop}\nseed: {seed}\nlr: 0.0005\nepochs: 15\n"
            files[f"{base}/.hydra/overrides.yaml"] = f"- dropout={drop}\n- seed={seed}\n"
            files[f"{base}/main.log"] = (
                f"[2025-06-03 {clock(300 + 97.3 * at)}][__main__][INFO] - start\n"
                f"[2025-06-03 {clock(300 + 97.3 * at + 91.8)}][__main__][INFO] - test rmse {value:.5f}\n"
            )
            at += 1
    rows = "\n".join(f"| {d} | {mean(v):.3f} | {sd(v, 0):.3f} | {min(v):.3f} |" for d, v in scores.items())
    return files | {
        "conf/config.yaml": "dropout: 0.1\nseed: 0\nlr: 0.0005\nepochs: 15\n",
        "main.py": """import logging
import hydra
import torch
from omegaconf import DictConfig
from src.data import load_protein
from src.net import Regressor, fit

log = logging.getLogger(__name__)


@hydra.main(config_path="conf", config_name="config", version_base=None)
def main(cfg: DictConfig):
    log.info("start")
    torch.manual_seed(cfg.seed)
    train, test = load_protein("data/protein.csv")
    net = fit(Regressor(cfg.dropout), train, cfg.lr, cfg.epochs)
    rmse = (net(test.x) - test.y).pow(2).mean().sqrt().item()
    log.info("test rmse %.5f", rmse)


if __name__ == "__main__":
    main()
""",
        "RESULTS.md": f"# Dropout on Protein\n\nThree seeds for each rate (`python main.py -m dropout=0.0,0.1,0.3 seed=0,1,2`).\n\n"
        f"| dropout | RMSE | std | best |\n|---|---|---|---|\n{rows}\n",
    }


@SHELF.clean
def wandb_offline(rng) -> Files:
    files: Files = {}
    table = []
    for i, (name, top) in enumerate((("ppo", 412.0), ("ppo_rnd", 447.0), ("ppo_ours", 451.0))):
        final = top + rng.uniform(-9, 9)
        run = f"wandb/offline-run-2025070{i + 1}_101112-a{i}b{i}c{i}"
        files[f"{run}/files/wandb-summary.json"] = json.dumps(
            {"episodic_return": final, "global_step": 500000, "_runtime": 1312.4 + i, "SPS": 381 + i}
        )
        files[f"{run}/files/config.yaml"] = f"algo:\n  value: {name}\nseed:\n  value: 1\n"
        files[f"{run}/files/output.log"] = "\n".join(
            f"global_step={s}, episodic_return={final * (1 - 0.97 ** (s // 5000)) + rng.uniform(-12, 12):.1f}"
            for s in range(0, 500000, 5000)
        )
        table.append((name, final, 381 + i))
    rows = "\n".join(f"{n.replace('_', chr(92) + '_')} & {f:.1f} & {s} \\\\" for n, f, s in table)
    return files | {
        "ppo.py": """import argparse
import gymnasium as gym
import numpy as np
import torch
import wandb
from agent import Agent

p = argparse.ArgumentParser()
p.add_argument("--algo", default="ppo")
p.add_argument("--seed", type=int, default=1)
p.add_argument("--total-timesteps", type=int, default=500_000)
args = p.parse_args()
wandb.init(project="exploration", config=vars(args), mode="offline")
envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 4)
agent = Agent(envs)
obs, _ = envs.reset(seed=args.seed)
for step in range(0, args.total_timesteps, 4):
    action = agent.act(obs) if np.random.random() > 0.01 else envs.action_space.sample()
    obs, reward, term, trunc, info = envs.step(action)
    bonus = agent.novelty(obs) if args.algo != "ppo" else 0.0
    agent.learn(obs, reward + bonus)
    if "final_info" in info:
        wandb.log({"episodic_return": float(info["final_info"][0]["episode"]["r"]), "global_step": step})
""",
        "run.sh": "for a in ppo ppo_rnd ppo_ours; do python ppo.py --algo $a --seed 1; done\n",
        "main.tex": r"""\documentclass{article}\usepackage{booktabs}\begin{document}
\section{Results} One seed each, 500k steps of CartPole-v1.
\begin{table}\begin{tabular}{lrr}\toprule Algorithm & Final return & Steps/s \\ \midrule
"""
        + rows
        + r"""
\bottomrule\end{tabular}\end{table}
With one seed the two bonuses cannot be told apart.
\end{document}
""",
    }


@SHELF.clean
def rl_jsonl(rng) -> Files:
    files: Files = {}
    rows = []
    for algo, top in (("dqn", 180.0), ("double_dqn", 190.0)):
        lasts = []
        for seed in range(3):
            returns = [top * (1 - 0.985**i) + rng.gauss(0, 8) for i in range(200)]
            files[f"logs/{algo}_s{seed}.jsonl"] = "\n".join(
                json.dumps({"episode": i, "return": r, "epsilon": max(0.05, 0.99**i)}) for i, r in enumerate(returns)
            )
            lasts.append(mean(returns[-20:]))
        rows.append(f"| {algo} | {mean(lasts):.1f} | {sd(lasts):.1f} |")
    return files | {
        "dqn.py": """import json, random, sys
from collections import deque
import gymnasium as gym
import numpy as np
import torch
from torch import nn

algo, seed = sys.argv[1], int(sys.argv[2])
random.seed(seed); np.random.seed(seed); torch.manual_seed(seed)
env = gym.make("LunarLander-v2")
q, target = nn.Linear(8, 4), nn.Linear(8, 4)
opt, memory, eps = torch.optim.Adam(q.parameters(), 5e-4), deque(maxlen=50_000), 1.0
with open(f"logs/{algo}_s{seed}.jsonl", "w") as log:
    for episode in range(200):
        s, _ = env.reset(seed=seed * 1000 + episode)
        total, done = 0.0, False
        while not done:
            a = env.action_space.sample() if random.random() < eps else int(q(torch.tensor(s)).argmax())
            s2, r, term, trunc, _ = env.step(a)
            memory.append((s, a, r, s2, term))
            total, s, done = total + r, s2, term or trunc
            if len(memory) > 64:
                batch = random.sample(memory, 64)
                step(q, target, opt, batch, double=algo == "double_dqn")
        eps = max(0.05, 0.99 * eps)
        log.write(json.dumps({"episode": episode, "return": total, "epsilon": eps}) + "\\n")
""",
        "summary.py": """import glob, json
import numpy as np

for algo in ("dqn", "double_dqn"):
    last = [np.mean([json.loads(l)["return"] for l in open(f)][-20:]) for f in sorted(glob.glob(f"logs/{algo}_s*.jsonl"))]
    print(algo, np.mean(last), np.std(last, ddof=1))
""",
        "report.md": "# Double DQN on LunarLander\n\nMean return of the last 20 of 200 episodes, three seeds.\n\n| Agent | Return | Std |\n|---|---|---|\n"
        + "\n".join(rows)
        + "\n",
    }


@SHELF.clean
def language_model_with_raw_answers(rng) -> Files:
    answers, right = [], {"plain": 0, "cot": 0}
    for m in right:
        for i in range(120):
            hit = rng.random() < (0.31 if m == "plain" else 0.42)
            right[m] += hit
            answers.append(
                {
                    "id": i,
                    "prompt": m,
                    "output": f"The answer is {i if hit else i + 1}.",
                    "gold": str(i),
                    "correct": hit,
                }
            )
    return {
        "evaluate_llm.py": """import json, logging, re
import torch
from datasets import load_dataset
from transformers import AutoModelForCausalLM, AutoTokenizer

logging.basicConfig(filename="run.log", level=logging.INFO)
NAME = "Qwen/Qwen2.5-0.5B-Instruct"
tok = AutoTokenizer.from_pretrained(NAME)
model = AutoModelForCausalLM.from_pretrained(NAME, torch_dtype=torch.bfloat16)
logging.info("loaded %s", NAME)
test = load_dataset("gsm8k", "main", split="test").shuffle(seed=0).select(range(120))
with open("answers.jsonl", "w") as f:
    for kind, suffix in (("plain", ""), ("cot", "Let's think step by step.")):
        right = 0
        for i, q in enumerate(test):
            ids = tok(q["question"] + suffix, return_tensors="pt").input_ids
            try:
                out = tok.decode(model.generate(ids, max_new_tokens=256, do_sample=False)[0])
            except RuntimeError as e:
                logging.warning("question %d failed: %s", i, e)
                out = ""
            found = re.findall(r"-?\\d+", out)
            hit = bool(found) and found[-1] == q["answer"].split("####")[1].strip()
            right += hit
            f.write(json.dumps({"id": i, "prompt": kind, "output": out, "gold": q["answer"], "correct": hit}) + "\\n")
        logging.info("%s: %d of %d", kind, right, len(test))
""",
        "answers.jsonl": "\n".join(json.dumps(a) for a in answers),
        "run.log": f"INFO:root:loaded Qwen/Qwen2.5-0.5B-Instruct\nINFO:root:plain: {right['plain']} of 120\nINFO:root:cot: {right['cot']} of 120\n",
        "paper.md": f"""# Small models and chain of thought
## Abstract
We test whether a 0.5B model profits from chain of thought on 120 questions of GSM8K.
## Setup
Qwen2.5-0.5B-Instruct, greedy decoding, 256 new tokens. Wei et al. (2022) report gains only for models beyond 100B parameters,
for PaLM 540B from 17.9 % to 56.9 %.
## Results

| Prompt | Correct | Accuracy (%) |
|---|---|---|
| plain | {right["plain"]} | {100 * right["plain"] / 120:.1f} |
| chain of thought | {right["cot"]} | {100 * right["cot"] / 120:.1f} |

Chain of thought adds {100 * (right["cot"] - right["plain"]) / 120:.1f} points.
""",
    }


@SHELF.clean
def thousands_of_small_files(rng) -> Files:
    files: Files = {}
    scores: dict[str, list[float]] = {}
    for alg in ("random_search", "tpe", "gp"):
        for trial in range(110):
            value = rng.uniform(0.05, 0.2) * {"random_search": 1.2, "tpe": 1.0, "gp": 0.95}[alg]
            scores.setdefault(alg, []).append(value)
            files[f"runs/{alg}/trial_{trial:04d}/result.json"] = json.dumps(
                {"alg": alg, "trial": trial, "regret": value, "seconds": rng.uniform(1, 9)}
            )
            files[f"runs/{alg}/trial_{trial:04d}/stdout.txt"] = f"trial {trial}\nregret {value:.6f}\n"
    files["notes_ä.md"] = "# Notizen\n\nFür später: größere Suchräume.\n".encode("latin-1")
    files["runs/gp/trial_0003/core.bin"] = bytes(rng.randrange(256) for _ in range(5000))
    big = {"trajectory": [[rng.random() for _ in range(20)] for _ in range(3000)]}
    files["runs/trajectories.json"] = json.dumps(big)
    rows = "\n".join(f"| {a} | {mean(v):.4f} | {sd(v) / len(v) ** 0.5:.4f} |" for a, v in scores.items())
    return files | {
        "search.py": """import json, sys, time
from pathlib import Path
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC
from optimisers import propose

alg, trial = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(trial)
x, y = load_digits(return_X_y=True)
best, history, start = 0.0, [], time.time()
for _ in range(25):
    c, gamma = propose(alg, history, rng)
    score = cross_val_score(SVC(C=c, gamma=gamma), x, y, cv=3).mean()
    history.append((c, gamma, score))
    best = max(best, score)
out = Path(f"runs/{alg}/trial_{trial:04d}")
out.mkdir(parents=True, exist_ok=True)
(out / "result.json").write_text(json.dumps({"alg": alg, "trial": trial, "regret": 0.991 - best, "seconds": time.time() - start}))
print("trial", trial)
print(f"regret {0.991 - best:.6f}")
""",
        "optimisers.py": "import numpy as np\n\n\ndef propose(alg, history, rng):\n    if alg == 'random_search' or len(history) < 5:\n"
        "        return 10 ** rng.uniform(-2, 3), 10 ** rng.uniform(-5, 0)\n    good = sorted(history, key=lambda h: -h[2])[:5]\n"
        "    c, g, _ = good[rng.integers(len(good))]\n    return c * np.exp(rng.normal(0, 0.3)), g * np.exp(rng.normal(0, 0.3))\n",
        "submit.sh": "for a in random_search tpe gp; do for t in $(seq 0 109); do nohup python search.py $a $t > runs/$a/$t.out & done; done\n",
        "results.md": f"# Search\n\n110 trials each; mean regret and its standard error.\n\n| Algorithm | Regret | s.e. |\n|---|---|---|\n{rows}\n",
    }


@SHELF.clean
def random_labels_on_purpose(rng) -> Files:
    res = {
        f"{n:.1f}": {"train": 1.0 - rng.uniform(0, 0.01), "test": 0.93 - 0.8 * n + rng.uniform(-0.01, 0.01)}
        for n in (0.0, 0.5, 1.0)
    }
    rows = "\n".join(f"| {n} | {r['train']:.3f} | {r['test']:.3f} |" for n, r in res.items())
    return {
        "memorise.py": """import json
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

x, y = load_digits(return_X_y=True)
a, b, c, d = train_test_split(x, y, random_state=0)
rng = np.random.default_rng(0)
out = {}
for noise in (0.0, 0.5, 1.0):
    labels = c.copy()
    flip = rng.random(len(labels)) < noise
    labels[flip] = rng.integers(0, 10, flip.sum())
    net = MLPClassifier((512,), max_iter=400, random_state=0).fit(a, labels)
    out[f"{noise:.1f}"] = {"train": net.score(a, labels), "test": net.score(b, d)}
json.dump(out, open("memorise.json", "w"))
""",
        "memorise.json": dumps(res),
        "paper.md": f"# Networks memorise random labels\n\nFollowing Zhang et al. (2017), a share of the training labels is replaced by random ones.\n\n"
        f"| Share of random labels | Train | Test |\n|---|---|---|\n{rows}\n\nThe network fits even fully random labels, and then does no better than chance on the test set.\n",
    }
