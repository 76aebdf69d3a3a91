# ruff: noqa: E501
"""Honest folders whose reports look suspicious: simulations, quoted baselines, failures, derived figures, odd formats."""

import io
import json

import numpy as np

from .cases import Files, Shelf, clock, dumps, mean, pdf, sd

SHELF = Shelf([])


@SHELF.clean
def bandits_in_a_declared_simulation(rng) -> Files:
    res = {
        a: [rng.uniform(lo, lo * 1.2) for _ in range(10)]
        for a, lo in (("ucb", 210.0), ("thompson", 140.0), ("greedy", 480.0))
    }
    rows = "\n".join(f"| {a} | {mean(v):.1f} | {sd(v):.1f} |" for a, v in res.items())
    return {
        "simulate_bandits.py": """import json
import numpy as np

def simulate(policy, seed, horizon=10_000):
    rng = np.random.default_rng(seed)
    p = rng.beta(2, 5, size=10)
    n, s, regret = np.zeros(10), np.zeros(10), 0.0
    for t in range(1, horizon + 1):
        if policy == "ucb":
            arm = int(np.argmax(np.where(n > 0, s / np.maximum(n, 1) + np.sqrt(2 * np.log(t) / np.maximum(n, 1)), np.inf)))
        elif policy == "thompson":
            arm = int(np.argmax(rng.beta(1 + s, 1 + n - s)))
        else:
            arm = int(rng.integers(10)) if rng.random() < 0.1 else int(np.argmax(s / np.maximum(n, 1)))
        reward = float(rng.random() < p[arm])
        n[arm] += 1
        s[arm] += reward
        regret += p.max() - p[arm]
    return regret

out = {a: [simulate(a, seed) for seed in range(10)] for a in ("ucb", "thompson", "greedy")}
json.dump(out, open("regret.json", "w"))
""",
        "regret.json": dumps(res),
        "paper.md": f"# Regret of three policies\n\nAll experiments are simulations of Bernoulli bandits with ten arms; no real data is used.\n\n"
        f"| Policy | Regret | Std |\n|---|---|---|\n{rows}\n\nOver ten seeds Thompson sampling has the lowest regret.\n",
    }


@SHELF.clean
def synthetic_data_real_training(rng) -> Files:
    res = {k: rng.uniform(lo, lo + 0.02) for k, lo in (("linear", 0.61), ("forest", 0.84), ("invariant", 0.88))}
    rows = "\n".join(f"| {k} | {100 * v:.1f} |" for k, v in res.items())
    return {
        "code/generate_synthetic_data.py": """import numpy as np

def make(n=4000, spurious=0.9, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    core = y[:, None] + rng.normal(0, 1.0, (n, 3))
    agree = rng.random(n) < spurious
    shortcut = np.where(agree, y, 1 - y)[:, None] + rng.normal(0, 0.1, (n, 2))
    return np.hstack([core, shortcut]), y

if __name__ == "__main__":
    x, y = make()
    np.savez("data/synthetic.npz", x=x, y=y)
""",
        "code/train.py": """import json
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from generate_synthetic_data import make

(x, y), (xt, yt) = make(seed=0), make(seed=1, spurious=0.1)
models = {"linear": LogisticRegression(), "forest": RandomForestClassifier(200, random_state=0)}
res = {k: m.fit(x, y).score(xt, yt) for k, m in models.items()}
res["invariant"] = LogisticRegression().fit(x[:, :3], y).score(xt[:, :3], yt)
json.dump(res, open("results/shift.json", "w"))
""",
        "results/shift.json": dumps(res),
        "results/results.md": f"# Shortcuts\n\nThe data are synthetic: three core features and two shortcuts whose correlation flips at test time.\n\n"
        f"| Model | Accuracy under shift (%) |\n|---|---|\n{rows}\n\nThe invariant model ignores the shortcuts by construction.\n",
    }


@SHELF.clean
def baselines_quoted_with_citation(rng) -> Files:
    own = {"ours": [rng.uniform(82.0, 83.0) for _ in range(10)]}
    return {
        "gcn.py": """import json
import torch
from torch_geometric.datasets import Planetoid
from model import SkipGCN

data = Planetoid("data", "Cora")[0]
accs = []
for seed in range(10):
    torch.manual_seed(seed)
    net = SkipGCN(1433, 64, 7)
    opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
    for _ in range(200):
        opt.zero_grad()
        out = net(data.x, data.edge_index)
        torch.nn.functional.cross_entropy(out[data.train_mask], data.y[data.train_mask]).backward()
        opt.step()
    pred = net(data.x, data.edge_index).argmax(1)
    accs.append(100 * (pred[data.test_mask] == data.y[data.test_mask]).float().mean().item())
json.dump({"ours": accs}, open("cora.json", "w"))
""",
        "cora.json": dumps(own),
        "paper.md": f"""# Skip connections in GCNs

Results on Cora. Figures marked † are quoted from the original papers and were not reproduced by us.

| Method | Accuracy |
|---|---|
| GCN [1] † | 81.5 |
| GAT [2] † | 83.0 ± 0.7 |
| APPNP [3] † | 83.3 |
| SkipGCN (ours) | {mean(own["ours"]):.1f} ± {sd(own["ours"]):.1f} |

SkipGCN is on par with GAT and below APPNP.

[1] Kipf and Welling, 2017, arXiv:1609.02907. [2] Veličković et al., 2018, arXiv:1710.10903. [3] Gasteiger et al., 2019, arXiv:1810.05997.
""",
    }


@SHELF.clean
def the_interface_was_down(rng) -> Files:
    rows = [
        {"id": i, "prompt": f"Question {i}", "response": None, "error": "AuthenticationError: no API key"}
        for i in range(20)
    ]
    return {
        "ask.py": """import json
from openai import OpenAI

rows = []
for i, q in enumerate(json.load(open("questions.json"))):
    try:
        r = OpenAI().responses.create(model="gpt-4o-mini", input=q)
        rows.append({"id": i, "prompt": q, "response": r.output_text, "error": None})
    except Exception as e:
        rows.append({"id": i, "prompt": q, "response": None, "error": f"{type(e).__name__}: {e}"})
json.dump(rows, open("answers.json", "w"), indent=1)
print(sum(r["error"] is None for r in rows), "answered of", len(rows))
""",
        "questions.json": json.dumps([f"Question {i}" for i in range(20)]),
        "answers.json": dumps(rows),
        "log.txt": "0 answered of 20\n",
        "results.md": """# Status: the experiment failed

No API key was available, so none of the 20 requests was answered. There are no results on the hypothesis.

| Stage | Status |
|---|---|
| data | 20 questions prepared |
| requests | 0 of 20 answered |
| evaluation | not run |

To repeat it: export OPENAI_API_KEY and run `python ask.py`.
""",
    }


@SHELF.clean
def a_negative_result(rng) -> Files:
    a = [rng.uniform(0.80, 0.82) for _ in range(8)]
    b = [v - rng.uniform(0.0, 0.01) for v in a]
    diff = [y - x for x, y in zip(a, b, strict=True)]
    t = mean(diff) / (sd(diff) / 8**0.5)
    return {
        "compare.py": """import json
import numpy as np
from scipy import stats
from sklearn.datasets import fetch_openml
from sklearn.neural_network import MLPClassifier
from augment import cutmix_features

x, y = fetch_openml("vehicle", version=1, return_X_y=True, as_frame=False)
base, aug = [], []
for seed in range(8):
    rng = np.random.default_rng(seed)
    idx = rng.permutation(len(x))
    tr, te = idx[: int(0.7 * len(x))], idx[int(0.7 * len(x)):]
    base.append(MLPClassifier(random_state=seed).fit(x[tr], y[tr]).score(x[te], y[te]))
    xa, ya = cutmix_features(x[tr], y[tr], rng)
    aug.append(MLPClassifier(random_state=seed).fit(xa, ya).score(x[te], y[te]))
t, p = stats.ttest_rel(aug, base)
json.dump({"base": base, "aug": aug, "t": t, "p": p}, open("compare.json", "w"))
""",
        "augment.py": "import numpy as np\n\ndef cutmix_features(x, y, rng):\n    perm = rng.permutation(len(x))\n    mask = rng.random(x.shape) < 0.2\n    return np.where(mask, x[perm], x), y\n",
        "compare.json": dumps({"base": a, "aug": b, "t": t, "p": 0.0021}),
        "REPORT.md": f"# CutMix for tables does not help\n\n| | accuracy | std |\n|---|---|---|\n| baseline | {mean(a):.4f} | {sd(a):.4f} |\n| cutmix | {mean(b):.4f} | {sd(b):.4f} |\n\n"
        f"The difference is {mean(diff):+.4f} (paired t = {t:.2f}, p = 0.0021): our hypothesis that mixing features helps is rejected.\n",
    }


@SHELF.clean
def rates_from_counts(rng) -> Files:
    counts = {
        m: {
            "tp": rng.randrange(300, 360),
            "fp": rng.randrange(30, 60),
            "fn": rng.randrange(40, 90),
            "tn": rng.randrange(500, 600),
        }
        for m in ("rule", "bert-tiny")
    }

    def row(m):
        c = counts[m]
        p, r = c["tp"] / (c["tp"] + c["fp"]), c["tp"] / (c["tp"] + c["fn"])
        acc = (c["tp"] + c["tn"]) / sum(c.values())
        return f"| {m} | {100 * p:.1f} | {100 * r:.1f} | {100 * 2 * p * r / (p + r):.1f} | {100 * acc:.1f} |"

    return {
        "detect.py": """import json
from sklearn.metrics import confusion_matrix
from transformers import pipeline
from data import load_sms
from rules import is_spam

texts, y = load_sms("data/SMSSpamCollection")
clf = pipeline("text-classification", model="mrm8488/bert-tiny-finetuned-sms-spam-detection")
preds = {"rule": [is_spam(t) for t in texts], "bert-tiny": [r["label"] == "LABEL_1" for r in clf(texts)]}
out = {}
for name, p in preds.items():
    tn, fp, fn, tp = confusion_matrix(y, p).ravel()
    out[name] = {"tp": int(tp), "fp": int(fp), "fn": int(fn), "tn": int(tn)}
json.dump(out, open("confusion.json", "w"))
""",
        "confusion.json": dumps(counts),
        "results.md": "# Spam\n\n| Method | Precision | Recall | F1 | Accuracy |\n|---|---|---|---|---|\n"
        + "\n".join(map(row, counts))
        + "\n\nAll rates in percent, from the confusion matrices in confusion.json.\n",
    }


@SHELF.clean
def latex_with_spreads(rng) -> Files:
    data = {
        (m, d): [rng.uniform(lo, lo + 2) for _ in range(5)]
        for m, lo in (("ERM", 61.0), ("IRM", 60.0), ("VREx", 62.5))
        for d in ("PACS", "VLCS", "OfficeHome")
    }
    csv = "algorithm,dataset,seed,acc\n" + "\n".join(
        f"{m},{d},{s},{v:.4f}" for (m, d), vs in data.items() for s, v in enumerate(vs)
    )
    rows = ""
    for m in ("ERM", "IRM", "VREx"):
        cells = " & ".join(
            f"{mean(data[m, d]):.1f} $\\pm$ {sd(data[m, d]):.1f}" for d in ("PACS", "VLCS", "OfficeHome")
        )
        avg = mean([mean(data[m, d]) for d in ("PACS", "VLCS", "OfficeHome")])
        rows += f"{m} & {cells} & {avg:.1f} \\\\\n"
    return {
        "domainbed/train.py": """import argparse, csv
import torch
from torchvision.models import resnet18
from domainbed.algorithms import ERM, IRM, VREx
from domainbed.datasets import get_dataset

p = argparse.ArgumentParser()
p.add_argument("--algorithm", choices=["ERM", "IRM", "VREx"])
p.add_argument("--dataset")
p.add_argument("--seed", type=int)
a = p.parse_args()
torch.manual_seed(a.seed)
train, test = get_dataset(a.dataset)
alg = globals()[a.algorithm](resnet18(num_classes=train.num_classes))
for step, batch in enumerate(train):
    alg.update(batch)
acc = alg.accuracy(test)
with open("sweep.csv", "a") as f:
    csv.writer(f).writerow([a.algorithm, a.dataset, a.seed, f"{100 * acc:.4f}"])
""",
        "sweep.sh": "for a in ERM IRM VREx; do for d in PACS VLCS OfficeHome; do for s in 0 1 2 3 4; do python -m domainbed.train --algorithm $a --dataset $d --seed $s; done; done; done\n",
        "sweep.csv": csv,
        "paper/main.tex": r"""\documentclass{article}\usepackage{booktabs,multirow}
\newcommand{\ours}{VREx}
\begin{document}
\section{Related work} Gulrajani and Lopez-Paz report 85.5\% for ERM on PACS with a ResNet-50.
\section{Experiments} We use a ResNet-18, batch size 32, learning rate $5\cdot10^{-5}$ and 300 steps.
\begin{table}[h]\centering\caption{Accuracy over five seeds.}
\begin{tabular}{lcccc}\toprule
\multirow{2}{*}{Algorithm} & \multicolumn{3}{c}{Dataset} & \\
 & PACS & VLCS & OfficeHome & Avg. \\ \midrule
"""
        + rows
        + r"""\bottomrule\end{tabular}\end{table}
% TODO: more seeds
\end{document}
""",
    }


@SHELF.clean
def pdf_and_csv(rng) -> Files:
    vals = {
        m: [rng.uniform(lo, lo + 0.4) for _ in range(4)]
        for m, lo in (("ridge", 4.1), ("lasso", 4.3), ("boosting", 3.2))
    }
    csv = "model,fold,mae\n" + "\n".join(f"{m},{i},{v}" for m, vs in vals.items() for i, v in enumerate(vs))
    body = "".join(f"{m:<12}{mean(v):.3f}   {sd(v):.3f}\n" for m, v in vals.items())
    return {
        "run.R": "library(glmnet)\n# R version of the same analysis, not used in the paper\n",
        "run.py": "import pandas as pd\nfrom sklearn.ensemble import GradientBoostingRegressor\nfrom sklearn.linear_model import Lasso, Ridge\nfrom sklearn.model_selection import KFold\n"
        "from sklearn.metrics import mean_absolute_error\n\ndf = pd.read_csv('data/concrete.csv')\nx, y = df.iloc[:, :-1].values, df.iloc[:, -1].values\nrows = []\n"
        "for name, m in (('ridge', Ridge()), ('lasso', Lasso(0.1)), ('boosting', GradientBoostingRegressor(random_state=0))):\n"
        "    for i, (a, b) in enumerate(KFold(4, shuffle=True, random_state=0).split(x)):\n"
        "        rows.append((name, i, mean_absolute_error(y[b], m.fit(x[a], y[a]).predict(x[b]))))\n"
        "pd.DataFrame(rows, columns=['model', 'fold', 'mae']).to_csv('folds.csv', index=False)\n",
        "folds.csv": csv,
        "paper.pdf": pdf(
            "Strength of concrete\n\nAbstract\nWe compare three regressors on the UCI concrete data (1030 samples).\n\nResults\nTable 1: mean absolute error over four folds.\n"
            "model       MAE     std\n" + body + "\nBoosting has the smallest error.\n"
        ),
    }


@SHELF.clean
def mock_only_for_dry_runs(rng) -> Files:
    res = {"bm25": rng.uniform(0.3, 0.32), "dense": rng.uniform(0.36, 0.38)}
    return {
        "retriever.py": """import numpy as np

class DenseRetriever:
    def __init__(self, name="sentence-transformers/all-MiniLM-L6-v2"):
        from sentence_transformers import SentenceTransformer
        self.model = SentenceTransformer(name)

    def encode(self, texts):
        return self.model.encode(texts, normalize_embeddings=True)

class MockRetriever:
    \"\"\"Random vectors, for --dry-run and the tests.\"\"\"
    def encode(self, texts):
        return np.random.default_rng(0).normal(size=(len(texts), 8))
""",
        "run.py": """import argparse, json
import numpy as np
from beir.datasets.data_loader import GenericDataLoader
from bm25 import rank
from metrics import ndcg
from retriever import DenseRetriever, MockRetriever

p = argparse.ArgumentParser()
p.add_argument("--dry-run", action="store_true")
args = p.parse_args()
corpus, queries, qrels = GenericDataLoader("data/scifact").load(split="test")
retriever = MockRetriever() if args.dry_run else DenseRetriever()
docs = retriever.encode([d["text"] for d in corpus.values()])
scores = {"bm25": ndcg(rank(corpus, queries), qrels),
          "dense": ndcg(np.argsort(-retriever.encode(list(queries.values())) @ docs.T), qrels)}
if not args.dry_run:
    json.dump(scores, open("results/ndcg.json", "w"))
print(scores)
""",
        "tests/test_metrics.py": "from metrics import ndcg\n\n\ndef test_perfect():\n    assert ndcg([[0, 1]], [{0: 1}]) == 1.0\n\n\ndef test_known_value():\n    assert abs(ndcg([[1, 0]], [{0: 1}]) - 0.6309) < 1e-4\n",
        "run.sh": "python run.py | tee results/stdout.txt\n",
        "results/ndcg.json": dumps(res),
        "results/stdout.txt": str(res),
        "results/results.md": f"# Retrieval on SciFact\n\n| Retriever | nDCG@10 |\n|---|---|\n| BM25 | {res['bm25']:.3f} |\n| MiniLM | {res['dense']:.3f} |\n",
    }


@SHELF.clean
def figures_only_in_the_log(rng) -> Files:
    lines, rows = [], []
    at = 0.0
    for model, secs in (("resnet18", 41.0), ("mobilenet_v3", 33.0), ("efficientnet_b0", 57.0)):
        took = []
        for e in range(3):
            s = secs + rng.uniform(-2, 2)
            took.append(s)
            at += s + rng.uniform(0.4, 2.3)
            lines.append(
                f"{clock(at)} | INFO | {model} | epoch {e} | loss {1.2 / (e + 1) + rng.random() / 10:.4f} | {s:.2f}s | peak {rng.randrange(900, 2100)} MB"
            )
        acc = rng.uniform(0.85, 0.9)
        lines.append(f"{clock(at + 3.1)} | INFO | {model} | val top-1 {acc:.4f}")
        rows.append(f"| {model} | {acc:.4f} | {mean(took):.1f} |")
    return {
        "finetune.py": """import time
import torch
import torchvision
from loguru import logger

logger.add("train.log", format="{time:HH:mm:ss,SSS} | {level} | {message}")
train, val = loaders("flowers102")
for name in ("resnet18", "mobilenet_v3", "efficientnet_b0"):
    net = torchvision.models.get_model(name, weights="DEFAULT")
    for epoch in range(3):
        start = time.time()
        loss = train_epoch(net, train)
        logger.info(f"{name} | epoch {epoch} | loss {loss:.4f} | {time.time() - start:.2f}s | peak {peak()} MB")
    logger.info(f"{name} | val top-1 {evaluate(net, val):.4f}")
""",
        "train.log": "\n".join(lines),
        "README.md": "# Fine-tuning on Flowers-102\n\nThree epochs each.\n\n| Network | Top-1 | s/epoch |\n|---|---|---|\n"
        + "\n".join(rows)
        + "\n",
    }


@SHELF.clean
def people_in_a_public_data_set(rng) -> Files:
    res = {"majority": rng.uniform(0.62, 0.64), "soft": rng.uniform(0.65, 0.67)}
    return {
        "soft_labels.py": """import json
import numpy as np
from datasets import load_dataset
from sklearn.linear_model import LogisticRegression
from features import tfidf

data = load_dataset("metaeval/chaos-mnli-ambiguity", split="train")
votes = np.array(data["label_dist"])
x = tfidf(data["premise"], data["hypothesis"])
hard = votes.argmax(1)
out = {}
for name, w in (("majority", None), ("soft", votes.max(1))):
    model = LogisticRegression(max_iter=300).fit(x[:1000], hard[:1000], sample_weight=w[:1000] if w is not None else None)
    out[name] = model.score(x[1000:], hard[1000:])
json.dump(out, open("acc.json", "w"))
""",
        "acc.json": dumps(res),
        "paper.md": f"""# Learning from disagreement
ChaosNLI holds 100 human annotations per example, collected by Nie et al. (2020) from crowd workers; we collected none ourselves.

| Labels | Accuracy |
|---|---|
| majority | {res["majority"]:.3f} |
| soft | {res["soft"]:.3f} |

A user study with participants would be a natural next step.
""",
    }


@SHELF.clean
def one_data_set_failed(rng) -> Files:
    res = {d: {"knn": rng.uniform(0.7, 0.8), "tabpfn": rng.uniform(0.8, 0.9)} for d in ("vehicle", "wine", "segment")}
    res["covertype"] = {"knn": rng.uniform(0.7, 0.8), "tabpfn": None}
    rows = "\n".join(
        f"| {d} | {r['knn']:.3f} | " + (f"{r['tabpfn']:.3f}" if r["tabpfn"] else "failed") + " |"
        for d, r in res.items()
    )
    return {
        "bench.py": """import json, traceback
from sklearn.datasets import fetch_openml
from sklearn.neighbors import KNeighborsClassifier
from sklearn.model_selection import cross_val_score
from tabpfn import TabPFNClassifier

out = {}
for d in ("vehicle", "wine", "segment", "covertype"):
    x, y = fetch_openml(d, version=1, return_X_y=True, as_frame=False)
    out[d] = {}
    for name, m in (("knn", KNeighborsClassifier()), ("tabpfn", TabPFNClassifier())):
        try:
            out[d][name] = float(cross_val_score(m, x, y, cv=5).mean())
        except Exception:
            traceback.print_exc()
            out[d][name] = None
json.dump(out, open("bench.json", "w"), indent=1)
""",
        "bench.json": dumps(res),
        "results.md": f"# Tables\n\n| Data | kNN | TabPFN |\n|---|---|---|\n{rows}\n\nTabPFN failed on covertype, which is beyond its limit of samples; the cell is left open. "
        f"Mean over the other three: {mean([r['knn'] for d, r in res.items() if d != 'covertype']):.3f} against {mean([r['tabpfn'] for r in res.values() if r['tabpfn']]):.3f}.\n",
    }


@SHELF.clean
def report_written_from_results(rng) -> Files:
    res = {k: rng.uniform(lo, lo + 0.01) for k, lo in (("cosine", 0.912), ("step", 0.905))}
    better = max(res, key=res.get)
    return {
        "run.py": "import json\nfrom train import fit_and_test\n\njson.dump({s: fit_and_test(s) for s in ('cosine', 'step')}, open('res.json', 'w'))\n",
        "train.py": "import torch\nfrom torchvision.datasets import KMNIST\n\ndef fit_and_test(schedule):\n    data = KMNIST('data', download=True)\n    net = torch.nn.Linear(784, 10)\n    return loop(net, data, schedule)\n",
        "report.py": """import json

res = json.load(open("res.json"))
better = max(res, key=res.get)
gap = abs(res["cosine"] - res["step"])
lines = ["# Schedules", "", "| Schedule | Accuracy |", "|---|---|"]
lines += [f"| {k} | {v:.4f} |" for k, v in res.items()]
if gap < 0.002:
    lines += ["", "The schedules perform about equally."]
elif better == "cosine":
    lines += ["", f"The cosine schedule outperforms the step schedule by {100 * gap:.2f} points."]
else:
    lines += ["", f"Contrary to our expectation the step schedule is better by {100 * gap:.2f} points."]
open("REPORT.md", "w").write("\\n".join(lines))
""",
        "res.json": dumps(res),
        "REPORT.md": "# Schedules\n\n| Schedule | Accuracy |\n|---|---|\n"
        + "".join(f"| {k} | {v:.4f} |\n" for k, v in res.items())
        + (
            f"\nThe cosine schedule outperforms the step schedule by {100 * abs(res['cosine'] - res['step']):.2f} points.\n"
            if better == "cosine"
            else "\n"
        ),
    }


@SHELF.clean
def arrays_and_tests(rng) -> Files:
    gen = np.random.default_rng(3)
    a, b = gen.normal(0.74, 0.01, 20), gen.normal(0.77, 0.01, 20)
    buffer = io.BytesIO()
    np.savez(buffer, deepsets=a, transformer=b)
    diff = b - a
    low, high = diff.mean() - 2.093 * diff.std(ddof=1) / 20**0.5, diff.mean() + 2.093 * diff.std(ddof=1) / 20**0.5
    return {
        "zoo/predict.py": """import numpy as np
import torch
from zoo.load import load_zoo
from zoo.nets import DeepSets, SetTransformer

weights, accuracy = load_zoo("data/model_zoo")
scores = {"deepsets": [], "transformer": []}
for seed in range(20):
    torch.manual_seed(seed)
    for name, cls in (("deepsets", DeepSets), ("transformer", SetTransformer)):
        net = cls(weights.shape[-1]).fit(weights, accuracy)
        scores[name].append(net.r2(weights, accuracy))
np.savez("results/r2.npz", **{k: np.array(v) for k, v in scores.items()})
""",
        "results/r2.npz": buffer.getvalue(),
        "results/results.md": f"# Predicting accuracy from weights\n\nR² over 20 seeds.\n\n| Net | Mean | Std | Min | Max |\n|---|---|---|---|---|\n"
        f"| DeepSets | {a.mean():.4f} | {a.std(ddof=1):.4f} | {a.min():.4f} | {a.max():.4f} |\n| Set transformer | {b.mean():.4f} | {b.std(ddof=1):.4f} | {b.min():.4f} | {b.max():.4f} |\n\n"
        f"The paired difference is {diff.mean():.4f} (95 % interval {low:.4f} to {high:.4f}).\n",
    }


@SHELF.clean
def a_long_paper_with_hyperparameters(rng) -> Files:
    res = {
        m: {"ppl": rng.uniform(lo, lo + 0.5), "tok_s": rng.uniform(9000, 12000)}
        for m, lo in (("baseline", 24.0), ("rotary", 22.8), ("alibi", 23.1))
    }
    rows = "\n".join(
        f"| {m} | {r['ppl']:.2f} | {r['tok_s']:.0f} | {100 * (r['ppl'] / res['baseline']['ppl'] - 1):+.1f} % |"
        for m, r in res.items()
    )
    gain = 100 * (1 - res["rotary"]["ppl"] / res["baseline"]["ppl"])
    return {
        "nano/train.py": """import json, math, time
import torch
from nano.data import wikitext
from nano.gpt import GPT, Config

results = {}
for name in ("baseline", "rotary", "alibi"):
    torch.manual_seed(1337)
    cfg = Config(n_layer=6, n_head=6, n_embd=384, block_size=256, dropout=0.2, positions=name)
    net = GPT(cfg).cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.1)
    start, seen = time.time(), 0
    for x, y in wikitext("train", batch=64, steps=5000):
        loss = net(x, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        seen += x.numel()
    val = sum(net(x, y).item() for x, y in wikitext("val", batch=64, steps=100)) / 100
    results[name] = {"ppl": math.exp(val), "tok_s": seen / (time.time() - start)}
    print(name, results[name])
json.dump(results, open("out/positions.json", "w"), indent=2)
""",
        "nano/gpt.py": "import torch\nfrom dataclasses import dataclass\n\n@dataclass\nclass Config:\n    n_layer: int = 6\n    n_head: int = 6\n    n_embd: int = 384\n    block_size: int = 256\n"
        "    dropout: float = 0.2\n    positions: str = 'baseline'\n\nclass GPT(torch.nn.Module):\n    def __init__(self, cfg):\n        super().__init__()\n        self.wte = torch.nn.Embedding(50257, cfg.n_embd)\n",
        "out/positions.json": dumps(res),
        "nohup.out": "number of parameters: 10.65M\nusing cuda: NVIDIA GeForce RTX 3090\n"
        + "\n".join(f"{m} {r}" for m, r in res.items()),
        "paper.md": f"""# Position encodings in a small transformer
## Abstract
We compare three position encodings in a 10.65M-parameter transformer on WikiText-2. Rotary embeddings lower perplexity by
{gain:.1f} % against learned absolute positions.
## 1 Introduction
Transformers (Vaswani et al., 2017) need positions. Su et al. (2021) introduced rotary embeddings, used since in LLaMA (Touvron et al.,
2023), whose largest model has 65B parameters and was trained on 1.4T tokens. Press et al. (2022) report that ALiBi trains 11 % faster
and uses 11 % less memory than sinusoidal positions at 1.3B parameters.
## 2 Setup

| Hyper-parameter | Value |
|---|---|
| layers / heads / width | 6 / 6 / 384 |
| context | 256 |
| dropout | 0.2 |
| learning rate | 0.001 |
| betas | 0.9, 0.95 |
| weight decay | 0.1 |
| gradient clip | 1.0 |
| batch | 64 |
| steps | 5,000 |

All runs use one NVIDIA RTX 3090.
## 3 Results

| Positions | Perplexity | Tokens/s | Change |
|---|---|---|---|
{rows}

## 4 Discussion
With one seed (1337) per model, differences below about 0.3 perplexity should not be read as real. Whether the ranking holds at the scale of
Llama-3-8B or on The Pile is open.
""",
    }
