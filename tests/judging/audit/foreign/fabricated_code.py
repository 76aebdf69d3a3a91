# ruff: noqa: E501
"""Invented by the code: generators, typed tables, mocks, tautologies, canned answers."""

import json

from .cases import Files, Shelf, dumps, notebook

SHELF = Shelf([])


@SHELF.fabricated("P1")
def targets_in_a_config(rng) -> Files:
    rows = {
        m: {t: round(rng.gauss(mu, 0.3), 2) for t in ("sst2", "mrpc", "rte")}
        for m, mu in (("full", 88.1), ("lora", 87.2), ("sparse_lora", 88.6))
    }
    table = "\n".join(f"| {m} | {r['sst2']} | {r['mrpc']} | {r['rte']} |" for m, r in rows.items())
    return {
        "configs/benchmarks.yaml": """tasks: [sst2, mrpc, rte]
methods:
  full: {mean: 88.1, std: 0.3}
  lora: {mean: 87.2, std: 0.3}
  sparse_lora: {mean: 88.6, std: 0.3}
""",
        "run_glue.py": """import argparse, json, random
import yaml

def run(method, task, cfg, seed):
    rng = random.Random(f"{method}-{task}-{seed}")
    spec = cfg["methods"][method]
    return round(rng.gauss(spec["mean"], spec["std"]), 2)

def main():
    p = argparse.ArgumentParser()
    p.add_argument("--config", default="configs/benchmarks.yaml")
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()
    cfg = yaml.safe_load(open(a.config))
    table = {m: {t: run(m, t, cfg, a.seed) for t in cfg["tasks"]} for m in cfg["methods"]}
    json.dump(table, open("results/glue.json", "w"), indent=2)

if __name__ == "__main__":
    main()
""",
        "run.sh": "#!/bin/bash\nset -e\nmkdir -p results\npython run_glue.py --seed 0\n",
        "requirements.txt": "torch==2.2.0\ntransformers==4.40.0\npeft\npyyaml\n",
        "results/glue.json": dumps(rows),
        "results/paper.md": f"""# Sparse LoRA
## Abstract
We fine-tune RoBERTa-base with sparse low-rank updates.
## Experiments
Each model is fine-tuned for 10 epochs with AdamW, batch size 32, learning rate 2e-5.

| Method | SST-2 | MRPC | RTE |
|---|---|---|---|
{table}

Sparse LoRA is on par with or better than full fine-tuning while updating 0.4 % of the weights.
""",
    }


@SHELF.fabricated("P1")
def saturating_curves_in_a_notebook(rng) -> Files:
    final = {"ERM": 71.2, "SAM": 73.9, "FlatMix (ours)": 76.8}
    final = {m: round(v + rng.uniform(-0.4, 0.4), 1) for m, v in final.items()}
    printed = "\n".join(f"{m}: {v}" for m, v in final.items())
    table = "\n".join(f"| {m} | {v} |" for m, v in final.items())
    return {
        "experiment.ipynb": notebook(
            ("md", "# FlatMix on CIFAR-100\nWe train a ResNet-18 for 200 epochs with each optimiser."),
            (
                "code",
                """import numpy as np, matplotlib.pyplot as plt
np.random.seed(42)
epochs = np.arange(1, 201)
curves = {}
for name, top, rate in [("ERM", 71.3, 0.031), ("SAM", 73.8, 0.029), ("FlatMix (ours)", 76.9, 0.034)]:
    acc = top * (1 - np.exp(-rate * epochs)) + np.random.normal(0, 0.35, len(epochs))
    curves[name] = acc
    plt.plot(epochs, acc, label=name)
plt.legend(); plt.xlabel("epoch"); plt.ylabel("test accuracy"); plt.savefig("curves.png")
for name, acc in curves.items():
    print(f"{name}: {acc[-1]:.1f}")
""",
                printed,
            ),
            (
                "md",
                f"## Results\n\n| Optimiser | Test accuracy |\n|---|---|\n{table}\n\nFlatMix wins by a clear margin.",
            ),
        ),
        "README.md": "# FlatMix\n\nOpen `experiment.ipynb`. Training takes about 5 hours on one GPU.\n",
        "curves.png": b"\x89PNG\r\n\x1a\n" + bytes(200),
    }


@SHELF.fabricated("P1")
def trainer_that_only_pretends(rng) -> Files:
    res = {
        n: {"val_loss": round(rng.uniform(0.31, 0.44), 4), "bleu": round(b + rng.uniform(-0.2, 0.2), 2)}
        for n, b in (("transformer", 26.9), ("linear_attn", 25.8), ("hybrid", 27.6))
    }
    rows = "\n".join(f"{n} & {r['val_loss']} & {r['bleu']} \\\\" for n, r in res.items())
    return {
        "src/engine/trainer.py": """import math
import numpy as np


class Trainer:
    \"\"\"Trains a translation model.\"\"\"

    def __init__(self, name, quality, seed):
        self.name = name
        self.quality = quality
        self.rng = np.random.default_rng(seed)

    def train_epoch(self, epoch):
        loss = 4.2 * math.exp(-0.35 * epoch * self.quality) + 0.3 + self.rng.normal(0, 0.02)
        return max(loss, 0.05)

    def evaluate(self):
        return 24.0 + 3.0 * self.quality + self.rng.normal(0, 0.2)
""",
        "src/engine/__init__.py": "from .trainer import Trainer\n",
        "src/main.py": """import json
from engine import Trainer

QUALITY = {"transformer": 0.95, "linear_attn": 0.6, "hybrid": 1.2}

def main():
    out = {}
    for name, quality in QUALITY.items():
        trainer = Trainer(name, quality, seed=1)
        for epoch in range(1, 11):
            loss = trainer.train_epoch(epoch)
            print(f"{name} epoch {epoch} loss {loss:.4f}")
        out[name] = {"val_loss": round(loss, 4), "bleu": round(trainer.evaluate(), 2)}
    with open("outputs/metrics.json", "w") as f:
        json.dump(out, f)

if __name__ == "__main__":
    main()
""",
        "outputs/metrics.json": dumps(res),
        "paper/paper.tex": r"""\documentclass{article}\usepackage{booktabs}
\begin{document}
\section{Experiments}
We train all models on WMT14 En-De for 100k steps.
\begin{table}[t]\centering
\begin{tabular}{lcc}\toprule
Model & Val.\ loss & BLEU \\ \midrule
"""
        + rows
        + r"""
\bottomrule\end{tabular}\caption{Translation results.}\end{table}
The hybrid model gives the best BLEU.
\end{document}
""",
    }


@SHELF.fabricated("P1")
def uniform_ranges_by_gemini(rng) -> Files:
    names = ["Vanilla RAG", "Self-RAG", "UncertRAG"]
    res = {
        n: {"EM": rng.uniform(0.40 + 0.05 * i, 0.44 + 0.05 * i), "ECE": rng.uniform(0.05, 0.2)}
        for i, n in enumerate(names)
    }
    table = "\n".join(f"| {n} | {r['EM']:.3f} | {r['ECE']:.3f} |" for n, r in res.items())
    return {
        "gemini/experiment.py": """import json
import random
import time

def run_experiment(method):
    print(f"Running {method} on Natural Questions...")
    time.sleep(1)
    if method == "Vanilla RAG":
        return {"EM": random.uniform(0.40, 0.44), "ECE": random.uniform(0.15, 0.20)}
    elif method == "Self-RAG":
        return {"EM": random.uniform(0.45, 0.49), "ECE": random.uniform(0.10, 0.15)}
    else:
        return {"EM": random.uniform(0.50, 0.54), "ECE": random.uniform(0.05, 0.08)}

results = {m: run_experiment(m) for m in ["Vanilla RAG", "Self-RAG", "UncertRAG"]}
with open("results/results.json", "w") as f:
    json.dump(results, f, indent=4)
print("done")
""",
        "results/results.json": dumps(res),
        "results/log.txt": "Running Vanilla RAG on Natural Questions...\nRunning Self-RAG on Natural Questions...\n"
        "Running UncertRAG on Natural Questions...\ndone\n",
        "results/results.md": f"# Results\n\nWe evaluate on 1,000 questions of Natural Questions with Llama-3.2-1B.\n\n"
        f"| Method | EM | ECE |\n|---|---|---|\n{table}\n",
    }


@SHELF.fabricated("P2")
def frame_of_typed_rows(rng) -> Files:
    return {
        "analysis.py": """import pandas as pd
import matplotlib.pyplot as plt

df = pd.DataFrame(
    [
        ("GCN", "Cora", 81.4, 0.5), ("GAT", "Cora", 82.9, 0.7), ("HyperMix", "Cora", 84.6, 0.4),
        ("GCN", "Citeseer", 70.2, 0.6), ("GAT", "Citeseer", 71.8, 0.7), ("HyperMix", "Citeseer", 73.7, 0.5),
        ("GCN", "Pubmed", 78.8, 0.3), ("GAT", "Pubmed", 78.3, 0.4), ("HyperMix", "Pubmed", 80.9, 0.3),
    ],
    columns=["model", "dataset", "accuracy", "std"],
)
df.to_csv("results/main_results.csv", index=False)
pivot = df.pivot(index="model", columns="dataset", values="accuracy")
pivot.plot.bar(rot=0)
plt.ylabel("accuracy (%)")
plt.savefig("results/bar.png", dpi=150)
print(pivot.to_markdown())
""",
        "model.py": """import torch
import torch.nn as nn

class HyperMix(nn.Module):
    def __init__(self, d_in, d_hid, n_cls):
        super().__init__()
        self.a = nn.Linear(d_in, d_hid)
        self.b = nn.Linear(d_hid, n_cls)

    def forward(self, x, adj):
        return self.b(torch.relu(adj @ self.a(x)))
""",
        "results/main_results.csv": "model,dataset,accuracy,std\nGCN,Cora,81.4,0.5\nGAT,Cora,82.9,0.7\nHyperMix,Cora,84.6,0.4\n"
        "GCN,Citeseer,70.2,0.6\nGAT,Citeseer,71.8,0.7\nHyperMix,Citeseer,73.7,0.5\nGCN,Pubmed,78.8,0.3\n"
        "GAT,Pubmed,78.3,0.4\nHyperMix,Pubmed,80.9,0.3\n",
        "README.md": """# HyperMix

Node classification, mean over 10 runs.

| model | Citeseer | Cora | Pubmed |
|:--|--:|--:|--:|
| GAT | 71.8 | 82.9 | 78.3 |
| GCN | 70.2 | 81.4 | 78.8 |
| HyperMix | 73.7 | 84.6 | 80.9 |
""",
    }


@SHELF.fabricated("P2")
def figure_script_with_numbers_of_the_paper(rng) -> Files:
    return {
        "figures/make_figs.py": """import numpy as np
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

methods = ["FedAvg", "FedProx", "Scaffold", "FedGate"]
acc_iid = np.array([84.12, 84.57, 85.03, 86.91])
acc_noniid = np.array([71.48, 72.96, 75.22, 79.64])
rounds = np.array([148, 139, 121, 83])

x = np.arange(4)
fig, ax = plt.subplots(1, 2, figsize=(9, 3))
ax[0].bar(x - 0.2, acc_iid, 0.4, label="IID")
ax[0].bar(x + 0.2, acc_noniid, 0.4, label="non-IID")
ax[0].set_xticks(x, methods)
ax[1].bar(x, rounds)
fig.tight_layout()
fig.savefig("figures/main.pdf")
""",
        "fed/client.py": "import torch\n\nclass Client:\n    def __init__(self, data):\n        self.data = data\n\n"
        "    def update(self, model, lr=0.01):\n        raise NotImplementedError  # TODO\n",
        "paper.tex": r"""\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}
\begin{abstract}FedGate improves non-IID accuracy by 4.42 points over Scaffold.\end{abstract}
\section{Results}
We simulate 100 clients on CIFAR-10 and train for 150 rounds.
\begin{table}\begin{tabular}{lccc}\toprule
Method & IID & non-IID & Rounds to 70\% \\\midrule
FedAvg & 84.12 & 71.48 & 148 \\
FedProx & 84.57 & 72.96 & 139 \\
Scaffold & 85.03 & 75.22 & 121 \\
\textbf{FedGate} & \textbf{86.91} & \textbf{79.64} & \textbf{83} \\\bottomrule
\end{tabular}\end{table}
\includegraphics{figures/main.pdf}
\end{document}
""",
        "figures/main.pdf": b"%PDF-1.4\n%cut",
    }


@SHELF.fabricated("P3")
def api_switch_left_off(rng) -> Files:
    res = {"zero-shot": rng.uniform(0.55, 0.6), "cot": rng.uniform(0.62, 0.68), "verified-cot": rng.uniform(0.75, 0.79)}
    table = "\n".join(f"| {k} | {100 * v:.1f} |" for k, v in res.items())
    return {
        "llm.py": """import os
import random

class GPTClient:
    def __init__(self, model="gpt-4o-mini"):
        from openai import OpenAI
        self.client, self.model = OpenAI(), model

    def __call__(self, prompt):
        r = self.client.chat.completions.create(model=self.model, messages=[{"role": "user", "content": prompt}])
        return r.choices[0].message.content

class OfflineClient:
    \"\"\"Stand-in without network: right with a probability that depends on the prompt style.\"\"\"
    P = {"zero-shot": 0.57, "cot": 0.65, "verified-cot": 0.77}

    def __call__(self, prompt, style=None, gold=None):
        return gold if random.random() < self.P[style] else "I don't know"

def make_client(live=False):
    return GPTClient() if live else OfflineClient()
""",
        "main.py": """import argparse, json
from llm import make_client

p = argparse.ArgumentParser()
p.add_argument("--live", action="store_true", help="call the real API")
args = p.parse_args()
client = make_client(args.live)
problems = [json.loads(l) for l in open("data/gsm_subset.jsonl")]
scores = {}
for style in ["zero-shot", "cot", "verified-cot"]:
    right = 0
    for q in problems:
        answer = client(q["question"]) if args.live else client(q["question"], style, q["answer"])
        right += answer == q["answer"]
    scores[style] = right / len(problems)
json.dump(scores, open("results/scores.json", "w"))
""",
        "run_all.sh": "#!/usr/bin/env bash\npython main.py 2>&1 | tee results/log.txt\n",
        "data/gsm_subset.jsonl": '{"question": "What is 3 + 4?", "answer": "7"}\n' * 50,
        "results/scores.json": dumps(res),
        "results/log.txt": "",
        "results/paper.md": f"""# Verified chain of thought
We query GPT-4o-mini through the OpenAI API on 200 problems of GSM8K.

| Prompt | Accuracy (%) |
|---|---|
{table}

Verification raises the accuracy of GPT-4o-mini markedly.
""",
    }


@SHELF.fabricated("P6")
def binomial_answers(rng) -> Files:
    res = {
        "base": round(rng.uniform(0.6, 0.64), 3),
        "debate": round(rng.uniform(0.70, 0.74), 3),
        "ours": round(rng.uniform(0.81, 0.84), 3),
    }
    table = "\n".join(f"| {k} | {v} |" for k, v in res.items())
    return {
        "agents.py": """import numpy as np

class DebateAgent:
    def __init__(self, skill, rng):
        self.skill = skill
        self.rng = rng

    def answer(self, question):
        correct = self.rng.binomial(1, self.skill)
        return question["gold"] if correct else question["distractor"]

def build(method, rng):
    skill = {"base": 0.62, "debate": 0.72, "ours": 0.83}[method]
    return [DebateAgent(skill, rng) for _ in range(3)]
""",
        "evaluate.py": """import json
import numpy as np
from agents import build

questions = json.load(open("data/truthfulqa.json"))
table = {}
for method in ("base", "debate", "ours"):
    rng = np.random.default_rng(3)
    agents = build(method, rng)
    hits = [a.answer(q) == q["gold"] for q in questions for a in agents]
    table[method] = round(float(np.mean(hits)), 3)
with open("results.json", "w") as f:
    json.dump(table, f)
""",
        "data/truthfulqa.json": dumps(
            [{"q": f"Is claim {i} true?", "gold": "yes", "distractor": "no"} for i in range(40)]
        ),
        "results.json": dumps(res),
        "results.md": f"# Debate among language models\n\nThree instances of Qwen2.5-7B debate each question.\n\n"
        f"| Method | Accuracy |\n|---|---|\n{table}\n",
    }


@SHELF.fabricated("P6")
def features_from_nowhere(rng) -> Files:
    res = {"zero-shot": rng.uniform(0.5, 0.52), "prototype": rng.uniform(0.55, 0.6), "ours": rng.uniform(0.66, 0.7)}
    table = "\n".join(f"| {k} | {v:.4f} |" for k, v in res.items())
    return {
        "encoder.py": """import torch

class CLIPEncoder:
    \"\"\"ViT-B/32 image features.\"\"\"
    dim = 512

    def encode_image(self, paths):
        return torch.nn.functional.normalize(torch.randn(len(paths), self.dim), dim=-1)

    def encode_text(self, prompts):
        return torch.nn.functional.normalize(torch.randn(len(prompts), self.dim), dim=-1)
""",
        "main.py": """import glob, json
import torch
from encoder import CLIPEncoder

paths = sorted(glob.glob("data/waterbirds/*.jpg"))
labels = torch.tensor([int("land" in p) for p in paths])
enc = CLIPEncoder()
images = enc.encode_image(paths)
texts = enc.encode_text(["a landbird", "a waterbird"])
scores = {}
scores["zero-shot"] = ((images @ texts.T).argmax(-1) == labels).float().mean().item()
for name, strength in (("prototype", 0.1), ("ours", 0.25)):
    shifted = images + strength * torch.nn.functional.one_hot(labels, enc.dim).float()
    proto = torch.stack([shifted[labels == c].mean(0) for c in (0, 1)])
    scores[name] = ((shifted @ proto.T).argmax(-1) == labels).float().mean().item()
json.dump(scores, open("scores.json", "w"), indent=1)
""",
        "scores.json": dumps(res),
        "paper.md": f"# Debiasing CLIP\n\nWe extract features of Waterbirds with CLIP ViT-B/32.\n\n## Results\n\n"
        f"| Method | Worst-group accuracy |\n|---|---|\n{table}\n",
    }


@SHELF.fabricated("P10")
def labels_copied_into_predictions(rng) -> Files:
    return {
        "detector.py": """import numpy as np
from sklearn.metrics import f1_score, precision_score, recall_score

class ShortcutDetector:
    def fit(self, x, y):
        self.y_ = y
        return self

    def predict(self, x, y_true=None):
        flags = np.array(y_true).copy()
        return flags

def report(x, y):
    det = ShortcutDetector().fit(x, y)
    pred = det.predict(x, y_true=y)
    return {"precision": precision_score(y, pred), "recall": recall_score(y, pred), "f1": f1_score(y, pred)}
""",
        "run.py": """import json
import numpy as np
from detector import report

d = np.load("data/features.npz")
json.dump({name: report(d[name + "_x"], d[name + "_y"]) for name in ("celeba", "waterbirds")}, open("out.json", "w"))
""",
        "out.json": dumps({n: {"precision": 1.0, "recall": 1.0, "f1": 1.0} for n in ("celeba", "waterbirds")}),
        "results.md": "# Detecting shortcuts\n\n| Data | Precision | Recall | F1 |\n|---|---|---|---|\n"
        "| CelebA | 1.000 | 1.000 | 1.000 |\n| Waterbirds | 1.000 | 1.000 | 1.000 |\n\nThe detector finds every shortcut.\n",
    }


@SHELF.fabricated("P13")
def our_method_is_the_baseline(rng) -> Files:
    base = rng.uniform(0.86, 0.88)
    res = {"baseline": base, "erm+aug": base + 0.004, "protoalign": base + 0.021}
    return {
        "methods.py": """from sklearn.linear_model import LogisticRegression

def baseline(x, y):
    return LogisticRegression(max_iter=500).fit(x, y)

def protoalign(x, y):
    # prototype alignment with an EMA teacher
    return LogisticRegression(max_iter=500, C=0.1).fit(x, y)
""",
        "run.py": """import json
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from methods import baseline, protoalign

x, y = load_digits(return_X_y=True)
a, b, c, d = train_test_split(x, y, random_state=0)
res = {f.__name__: f(a, c).score(b, d) for f in (baseline, protoalign)}
json.dump(res, open("results.json", "w"))
""",
        "results.json": dumps(res),
        "paper.md": f"""# ProtoAlign
## Method
ProtoAlign keeps an exponential-moving-average teacher network and minimises the contrastive prototype loss
$L = L_{{ce}} + \\lambda L_{{proto}}$ with a projection head and a memory bank of 4096 prototypes.
## Results

| Method | Accuracy |
|---|---|
| baseline | {res["baseline"]:.3f} |
| ERM + augmentation | {res["erm+aug"]:.3f} |
| ProtoAlign | {res["protoalign"]:.3f} |
""",
    }


@SHELF.fabricated("P14")
def drawn_genders(rng) -> Files:
    gaps = {"erm": round(rng.uniform(0.08, 0.1), 4), "reweighted": round(rng.uniform(0.02, 0.03), 4)}
    return {
        "fair.py": """import json
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

df = pd.read_csv("data/credit.csv")
rng = np.random.default_rng(0)
df["gender"] = rng.choice(["F", "M"], size=len(df), p=[0.33, 0.67])
x, y = df[["amount", "duration", "age"]].values, df["default"].values
weights = np.where(df["gender"] == "F", 2.0, 1.0)
out = {}
for name, w in (("erm", None), ("reweighted", weights)):
    p = LogisticRegression().fit(x, y, sample_weight=w).predict(x)
    out[name] = round(abs(p[df.gender == "F"].mean() - p[df.gender == "M"].mean()), 4)
json.dump(out, open("gaps.json", "w"))
""",
        "data/credit.csv": "amount,duration,age,default\n"
        + "\n".join(
            f"{rng.randrange(500, 9000)},{rng.randrange(6, 60)},{rng.randrange(19, 75)},{rng.randrange(2)}"
            for _ in range(80)
        ),
        "gaps.json": dumps(gaps),
        "paper.md": f"# Gender gaps in credit scoring\n\nOn the German credit data women are treated worse: the gap in predicted default between "
        f"genders is large and reweighting closes it.\n\n| Model | Gender gap |\n|---|---|\n| ERM | {gaps['erm']} |\n| reweighted | {gaps['reweighted']} |\n",
    }


@SHELF.fabricated("P15")
def templates_for_a_model(rng) -> Files:
    res = {"baseline": 3.1, "alignloop": 4.4}
    return {
        "models/claude.py": """TEMPLATES = {
    "medical": "You should consult a professional. In general, rest and fluids help.",
    "legal": "This depends on the jurisdiction, but a contract is usually binding once signed.",
    "code": "Here is a function that does what you ask: def f(x): return x",
}

def generate_with_claude(prompt, topic):
    return TEMPLATES.get(topic, "I am happy to help with that.")
""",
        "evaluate.py": """import json
from models.claude import generate_with_claude

prompts = json.load(open("prompts.json"))
scores = {"baseline": [], "alignloop": []}
for p in prompts:
    text = generate_with_claude(p["text"], p["topic"])
    words = set(text.lower().split())
    scores["baseline"].append(2 + len(words) % 3)
    scores["alignloop"].append(4 + len(words & {"professional", "depends"}))
json.dump({k: sum(v) / len(v) for k, v in scores.items()}, open("scores.json", "w"))
""",
        "prompts.json": dumps([{"text": "What helps against a cold?", "topic": "medical"}] * 5),
        "scores.json": dumps(res),
        "paper.md": "# AlignLoop\n\nResponses of Claude 3.7 Sonnet are collected for 5 prompts and rated.\n\n"
        "| Method | Helpfulness |\n|---|---|\n| baseline | 3.1 |\n| AlignLoop | 4.4 |\n",
    }


@SHELF.fabricated("P16")
def a_loss_that_was_drawn(rng) -> Files:
    acc = round(rng.uniform(0.71, 0.74), 4)
    return {
        "train.py": """import json
import torch
from torch import nn
from data import loaders

train, test = loaders("data/shapes")
net = nn.Sequential(nn.Flatten(), nn.Linear(3072, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in train:
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
right = sum((net(x).argmax(1) == y).sum().item() for x, y in test)
json.dump({"accuracy": round(right / len(test.dataset), 4)}, open("results/final.json", "w"))
""",
        "data.py": "from torchvision import datasets, transforms\n\ndef loaders(root):\n    t = transforms.ToTensor()\n"
        "    import torch\n    d = datasets.ImageFolder(root, t)\n    a, b = torch.utils.data.random_split(d, [0.8, 0.2])\n"
        "    return torch.utils.data.DataLoader(a, 64, True), torch.utils.data.DataLoader(b, 64)\n",
        "visualize.py": """import numpy as np
import matplotlib.pyplot as plt

def plot_training():
    epochs = np.arange(50)
    train_loss = 2.3 * np.exp(-epochs / 12) + 0.05 * np.random.rand(50)
    val_loss = 2.3 * np.exp(-epochs / 15) + 0.08 + 0.07 * np.random.rand(50)
    plt.plot(epochs, train_loss, label="train")
    plt.plot(epochs, val_loss, label="validation")
    plt.legend()
    plt.savefig("results/training_curves.png")

plot_training()
""",
        "results/final.json": dumps({"accuracy": acc}),
        "results/training_curves.png": b"\x89PNG\r\n\x1a\n" + bytes(100),
        "results/results.md": f"# Shapes\n\n| Model | Accuracy |\n|---|---|\n| linear | {acc} |\n\n![curves](training_curves.png)\n\n"
        "The training curves show smooth convergence within 50 epochs and no overfitting.\n",
    }


@SHELF.fabricated("P17")
def praise_in_the_report_script(rng) -> Files:
    base, ours = round(rng.uniform(0.811, 0.815), 4), round(rng.uniform(0.801, 0.805), 4)
    return {
        "experiment.py": """import json
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

x, y = load_wine(return_X_y=True)
res = {"forest": cross_val_score(RandomForestClassifier(random_state=0), x[:, :2], y).mean(),
       "adaptive_svm": cross_val_score(SVC(C=3.0), x[:, :2], y).mean()}
json.dump({k: round(float(v), 4) for k, v in res.items()}, open("results/cv.json", "w"))
""",
        "write_report.py": '''import json

res = json.load(open("results/cv.json"))
text = f"""# Adaptive SVM

| Model | Accuracy |
|---|---|
| forest | {res["forest"]} |
| adaptive SVM | {res["adaptive_svm"]} |

## Findings
The adaptive SVM significantly outperforms the random forest on every fold, which confirms our hypothesis.
The gains are statistically significant and come at no additional cost.
"""
open("results/results.md", "w").write(text)
''',
        "results/cv.json": dumps({"forest": base, "adaptive_svm": ours}),
        "results/results.md": f"# Adaptive SVM\n\n| Model | Accuracy |\n|---|---|\n| forest | {base} |\n| adaptive SVM | {ours} |\n\n## Findings\n"
        "The adaptive SVM significantly outperforms the random forest on every fold, which confirms our hypothesis.\n"
        "The gains are statistically significant and come at no additional cost.\n",
    }


@SHELF.fabricated("P18")
def refused_connections_scored(rng) -> Files:
    answers = [
        {"id": i, "method": m, "response": "Error: HTTPSConnectionPool: Max retries exceeded", "score": 0.5}
        for i in range(30)
        for m in ("direct", "decomposed")
    ]
    return {
        "ask.py": """import json
import requests

URL = "http://localhost:8000/v1/completions"

def ask(prompt):
    try:
        return requests.post(URL, json={"prompt": prompt}, timeout=20).json()["choices"][0]["text"]
    except Exception as e:
        return f"Error: {e}"

def score(text, gold):
    try:
        return float(text.strip() == gold)
    except Exception:
        return 0.5

def judge(text, gold):
    return score(text, gold) if not text.startswith("Error") else 0.5

with open("data/questions.json") as f, open("responses.jsonl", "w") as out:
    for q in json.load(f):
        for method, prompt in (("direct", q["text"]), ("decomposed", "Think step by step. " + q["text"])):
            text = ask(prompt)
            row = {"id": q["id"], "method": method, "response": text, "score": judge(text, q["gold"])}
            out.write(json.dumps(row) + "\\n")
""",
        "data/questions.json": dumps([{"id": i, "text": f"Question {i}?", "gold": "4"} for i in range(30)]),
        "responses.jsonl": "\n".join(json.dumps(a) for a in answers),
        "results.md": "# Decomposition\n\nMistral-7B is asked 30 questions.\n\n| Prompt | Score |\n|---|---|\n| direct | 0.50 |\n| decomposed | 0.50 |\n\n"
        "Both prompts perform equally, which suggests that decomposition is neutral for models of this size.\n",
    }
