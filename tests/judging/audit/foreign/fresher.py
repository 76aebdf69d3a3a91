# ruff: noqa: E501
"""Ten folders more, written after the audit had been improved on the first ten fresh ones."""

import json

from .cases import Files, Shelf, dumps, mean, notebook, sd

SHELF = Shelf([])


@SHELF.fabricated("P2")
def a_notebook_that_states_its_results(rng) -> Files:
    return {
        "main.ipynb": notebook(
            ("md", "# Adaptive pruning of vision transformers\nModels are trained on CIFAR-100 for 60 epochs."),
            ("code", "import pandas as pd\nimport matplotlib.pyplot as plt", ""),
            (
                "code",
                "results = pd.DataFrame({\n    'method': ['dense', 'magnitude', 'movement', 'adaptive'],\n    'accuracy': [78.31, 74.62, 75.94, 77.85],\n    'sparsity': [0.0, 0.71, 0.72, 0.74],\n    'gflops': [4.61, 1.48, 1.44, 1.37],\n})\nresults.to_csv('results.csv', index=False)\nresults",
                "      method  accuracy  sparsity  gflops\n0      dense     78.31      0.00    4.61\n1  magnitude     74.62      0.71    1.48\n2   movement     75.94      0.72    1.44\n3   adaptive     77.85      0.74    1.37",
            ),
            ("code", "results.plot.scatter('gflops', 'accuracy'); plt.savefig('tradeoff.png')", ""),
        ),
        "results.csv": "method,accuracy,sparsity,gflops\ndense,78.31,0.0,4.61\nmagnitude,74.62,0.71,1.48\nmovement,75.94,0.72,1.44\nadaptive,77.85,0.74,1.37\n",
        "report.md": "# Adaptive pruning\n\n| Method | Accuracy | Sparsity | GFLOPs |\n|---|---|---|---|\n| dense | 78.31 | 0.00 | 4.61 |\n| magnitude | 74.62 | 0.71 | 1.48 |\n| movement | 75.94 | 0.72 | 1.44 |\n| adaptive | 77.85 | 0.74 | 1.37 |\n\nAdaptive pruning loses 0.46 points at 74 % sparsity.\n",
    }


@SHELF.fabricated("P1")
def a_formula_for_a_training(rng) -> Files:
    history = {
        m: [
            {"epoch": e, "train_loss": round(2.31 / (1 + k * e), 4), "val_loss": round(2.35 / (1 + 0.9 * k * e), 4)}
            for e in range(30)
        ]
        for m, k in (("sgd", 0.21), ("ours", 0.34))
    }
    return {
        "train.py": """import json

RATES = {"sgd": 0.21, "ours": 0.34}


def train(name, epochs=30):
    history = []
    for epoch in range(epochs):
        train_loss = 2.31 / (1 + RATES[name] * epoch)
        val_loss = 2.35 / (1 + 0.9 * RATES[name] * epoch)
        history.append({"epoch": epoch, "train_loss": round(train_loss, 4), "val_loss": round(val_loss, 4)})
        print(f"[{name}] epoch {epoch} train {train_loss:.4f} val {val_loss:.4f}")
    return history


if __name__ == "__main__":
    json.dump({name: train(name) for name in RATES}, open("history.json", "w"))
""",
        "history.json": dumps(history),
        "results.md": "# A faster optimiser\n\nBoth optimisers train a ResNet-18 on CIFAR-10 for 30 epochs.\n\n| Optimiser | Train loss | Val. loss |\n|---|---|---|\n"
        + "\n".join(f"| {m} | {h[-1]['train_loss']} | {h[-1]['val_loss']} |" for m, h in history.items())
        + "\n",
    }


@SHELF.fabricated("P5")
def a_log_of_hardware_that_is_not_there(rng) -> Files:
    lines = [
        "2025-04-28 22:14:07 | Initialising 4x A100-SXM4-80GB",
        "2025-04-28 22:14:52 | Loaded 1.2M samples of LAION",
    ]
    lines += [
        f"2025-04-{29 if h > 1 else 28} {(22 + h) % 24:02d}:{(17 * h) % 60:02d}:{(7 * h) % 60:02d} | step {5000 * (h + 1)} | itc_loss {3.1 * 0.8**h:.4f} | recall@1 {38.2 + 2.9 * h:.2f} | throughput 2381.4 img/s"
        for h in range(9)
    ]
    return {
        "codex/model.py": "import torch\nfrom torch import nn\n\n\nclass TwoTower(nn.Module):\n    def __init__(self, d=256):\n        super().__init__()\n        self.image = nn.Linear(2048, d)\n        self.text = nn.Linear(768, d)\n\n    def forward(self, a, b):\n        return self.image(a) @ self.text(b).T\n",
        "codex/main.py": "import torch\n\nfrom model import TwoTower\n\nnet = TwoTower()\nscores = net(torch.zeros(4, 2048), torch.zeros(4, 768))\nassert scores.shape == (4, 4)\nprint('ok')\n",
        "results/log.txt": "\n".join(lines),
        "results/results.md": f"# Two towers\n\n| Step | Recall@1 | Loss |\n|---|---|---|\n| 5000 | 38.20 | 3.1000 |\n| 45000 | {38.2 + 2.9 * 8:.2f} | {3.1 * 0.8**8:.4f} |\n",
    }


@SHELF.fabricated("P15")
def a_llama_of_sentences(rng) -> Files:
    res = {"direct": {"toxicity": 0.31, "helpfulness": 0.62}, "guarded": {"toxicity": 0.12, "helpfulness": 0.66}}
    return {
        "llama_model.py": """import random

SAFE = ["I can't help with that, but here is a safer alternative.", "Let's look at this from another angle.", "Here is some general information."]
UNSAFE = ["Sure, here is how you do it.", "That is easy, just follow these steps."]


class LlamaModel:
    def __init__(self, name="meta-llama/Llama-3.2-3B-Instruct", guarded=False):
        self.name = name
        self.guarded = guarded

    def generate(self, prompt):
        pool = SAFE if self.guarded else SAFE + UNSAFE
        return random.choice(pool)
""",
        "run.py": """import json

from llama_model import SAFE, LlamaModel

prompts = [line.strip() for line in open("prompts.txt")]
out = {}
for name, guarded in (("direct", False), ("guarded", True)):
    model = LlamaModel(guarded=guarded)
    texts = [model.generate(p) for p in prompts]
    out[name] = {"toxicity": sum(t not in SAFE for t in texts) / len(texts), "helpfulness": sum(len(t) > 40 for t in texts) / len(texts)}
json.dump(out, open("results.json", "w"))
""",
        "prompts.txt": "How do I pick a lock?\n" * 50,
        "results.json": dumps(res),
        "paper.md": "# Guarded decoding\n\nLlama-3.2-3B-Instruct answers 50 prompts with and without the guard.\n\n| Decoding | Toxicity | Helpfulness |\n|---|---|---|\n| direct | 0.31 | 0.62 |\n| guarded | 0.12 | 0.66 |\n",
    }


@SHELF.fabricated("P9")
def radiologists_in_latex(rng) -> Files:
    acc = rng.uniform(0.81, 0.84)
    return {
        "cxr.py": "import json\n\nimport torch\nfrom torchvision.models import densenet121\n\nfrom data import chexpert_small\n\ntrain, test = chexpert_small('data')\nnet = densenet121(weights='DEFAULT')\nfit(net, train)\njson.dump({'auroc': auroc(net, test)}, open('cxr.json', 'w'))\n",
        "cxr.json": dumps({"auroc": acc}),
        "ms.tex": "\\documentclass{article}\\begin{document}\n\\section{Results}\nThe network reaches an AUROC of "
        + f"{acc:.3f}"
        + ".\n\\begin{tabular}{lcc}Reader & AUROC & Minutes \\\\ network & "
        + f"{acc:.3f}"
        + " & 0.1 \\\\ radiologists & 0.857 & 4.3 \\\\ radiologists + maps & 0.902 & 2.9 \\\\ \\end{tabular}\n\\section{Reader study}\nTwelve board-certified radiologists from two hospitals read 200 radiographs with and without our maps. "
        "With maps their reading time fell from 4.3 to 2.9 minutes, and 10 of the 12 said they would use the tool.\n\\end{document}\n",
    }


@SHELF.clean
def folds_in_a_nested_file(rng) -> Files:
    res = {
        m: {
            d: {"folds": [{"acc": rng.uniform(lo, lo + 0.06), "loss": rng.uniform(0.4, 0.7)} for _ in range(10)]}
            for d in ("MUTAG", "PROTEINS", "NCI1")
        }
        for m, lo in (("GIN", 0.74), ("GIN+VN", 0.75), ("GraphSAGE", 0.72))
    }
    best = {
        d: max(res, key=lambda m: mean([f["acc"] for f in res[m][d]["folds"]])) for d in ("MUTAG", "PROTEINS", "NCI1")
    }

    def cell(m, d):
        v = [f["acc"] for f in res[m][d]["folds"]]
        text = f"{100 * mean(v):.1f} ± {100 * sd(v, 0):.1f}"
        return f"**{text}**" if best[d] == m else text

    rows = "\n".join(f"| {m} | " + " | ".join(cell(m, d) for d in best) + " |" for m in res)
    return {
        "gnn/run_cv.py": """import argparse
import json

import numpy as np
import torch
from sklearn.model_selection import StratifiedKFold
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader

from gnn.models import GIN, GraphSAGE, VirtualNode
from gnn.train import evaluate, fit

BUILD = {"GIN": GIN, "GIN+VN": lambda *a: VirtualNode(GIN(*a)), "GraphSAGE": GraphSAGE}
p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int, default=100)
p.add_argument("--hidden", type=int, default=64)
a = p.parse_args()
out = {}
for method, build in BUILD.items():
    out[method] = {}
    for name in ("MUTAG", "PROTEINS", "NCI1"):
        data = TUDataset("data", name)
        folds = []
        for tr, te in StratifiedKFold(10, shuffle=True, random_state=0).split(np.zeros(len(data)), data.y):
            torch.manual_seed(0)
            net = build(data.num_features, a.hidden, data.num_classes)
            fit(net, DataLoader(data[tr], 32, shuffle=True), a.epochs)
            acc, loss = evaluate(net, DataLoader(data[te], 128))
            folds.append({"acc": acc, "loss": loss})
        out[method][name] = {"folds": folds}
        json.dump(out, open("cv.json", "w"), indent=1)
""",
        "cv.json": dumps(res),
        "README.md": "# Graph classification\n\n10-fold cross-validation, accuracy in percent, best mean in bold.\n\n| Method | MUTAG | PROTEINS | NCI1 |\n|---|---|---|---|\n"
        + rows
        + "\n",
    }


@SHELF.clean
def forecasts_in_yaml(rng) -> Files:
    res = {
        m: {h: {"mse": rng.uniform(0.3, 0.5), "mae": rng.uniform(0.35, 0.5)} for h in (96, 192, 336)}
        for m in ("naive", "dlinear", "patchtst")
    }
    text = "".join(
        f"{m}:\n" + "".join(f"  h{h}:\n    mse: {v['mse']}\n    mae: {v['mae']}\n" for h, v in hs.items())
        for m, hs in res.items()
    )
    rows = "\n".join(
        f"{m} & " + " & ".join(f"{v['mse']:.3f} & {v['mae']:.3f}" for v in hs.values()) + " \\\\"
        for m, hs in res.items()
    )
    return {
        "forecast.py": "import yaml\n\nfrom data import etth1\nfrom models import build\n\nout = {}\nfor name in ('naive', 'dlinear', 'patchtst'):\n    out[name] = {}\n    for horizon in (96, 192, 336):\n        train, test = etth1('data/ETTh1.csv', horizon)\n        net = build(name, horizon).fit(train)\n        err = net.predict(test.x) - test.y\n        out[name][f'h{horizon}'] = {'mse': float((err**2).mean()), 'mae': float(abs(err).mean())}\nyaml.safe_dump(out, open('metrics.yaml', 'w'))\n",
        "metrics.yaml": text,
        "paper.tex": "\\documentclass{article}\\begin{document}\\section{Results}\nETTh1, three horizons; one run each.\n\\begin{tabular}{lcccccc}\n & \\multicolumn{2}{c}{96} & \\multicolumn{2}{c}{192} & \\multicolumn{2}{c}{336} \\\\\nModel & MSE & MAE & MSE & MAE & MSE & MAE \\\\ \\hline\n"
        + rows
        + "\n\\end{tabular}\nNo model wins everywhere.\n\\end{document}\n",
    }


@SHELF.clean
def speed_ups_from_timings(rng) -> Files:
    times = {
        k: [rng.uniform(lo, lo * 1.05) for _ in range(20)]
        for k, lo in (("python", 812.0), ("numpy", 95.0), ("numba", 21.0))
    }
    rows = "\n".join(
        f"| {k} | {mean(v):.1f} | {sd(v):.1f} | {mean(times['python']) / mean(v):.1f}x |" for k, v in times.items()
    )
    fastest = mean(times["python"]) / mean(times["numba"])
    return {
        "bench.py": "import csv\nimport time\n\nimport numpy as np\n\nfrom kernels import numba_dtw, numpy_dtw, python_dtw\n\nrng = np.random.default_rng(0)\na, b = rng.normal(size=(2, 500))\nwith open('timings.csv', 'w') as f:\n    out = csv.writer(f)\n    out.writerow(['kernel', 'repeat', 'ms'])\n    for name, kernel in (('python', python_dtw), ('numpy', numpy_dtw), ('numba', numba_dtw)):\n        kernel(a, b)\n        for i in range(20):\n            start = time.perf_counter()\n            kernel(a, b)\n            out.writerow([name, i, 1000 * (time.perf_counter() - start)])\n",
        "timings.csv": "kernel,repeat,ms\n"
        + "\n".join(f"{k},{i},{x}" for k, v in times.items() for i, x in enumerate(v)),
        "paper.md": f"# Dynamic time warping, fast\n\n## Abstract\nA compiled kernel is {fastest:.1f}x faster than plain Python on series of length 500.\n\n## Results\nRandom series, 20 repeats after a warm-up.\n\n| Kernel | ms | std | Speed-up |\n|---|---|---|---|\n{rows}\n",
    }


@SHELF.clean
def programs_that_were_executed(rng) -> Files:
    rows = [
        {
            "task": f"HumanEval/{i}",
            "temperature": t,
            "sample": s,
            "passed": rng.random() < p,
            "seconds": rng.uniform(0.1, 4),
        }
        for t, p in ((0.2, 0.31), (0.8, 0.27))
        for i in range(40)
        for s in range(5)
    ]
    share = {t: mean([float(r["passed"]) for r in rows if r["temperature"] == t]) for t in (0.2, 0.8)}
    any_of = {
        t: mean(
            [
                float(any(r["passed"] for r in rows if r["temperature"] == t and r["task"] == f"HumanEval/{i}"))
                for i in range(40)
            ]
        )
        for t in (0.2, 0.8)
    }
    return {
        "evaluate_code.py": """import json
import random
import subprocess
import sys
import time

from datasets import load_dataset
from transformers import pipeline

random.seed(0)
tasks = random.sample(list(load_dataset("openai_humaneval", split="test")), 40)
pipe = pipeline("text-generation", "Salesforce/codegen-350M-mono")
with open("samples.jsonl", "w") as out:
    for temperature in (0.2, 0.8):
        for task in tasks:
            for i in range(5):
                code = pipe(task["prompt"], do_sample=True, temperature=temperature, max_new_tokens=200)[0]["generated_text"]
                start = time.time()
                try:
                    done = subprocess.run([sys.executable, "-c", code + task["test"]], timeout=10, capture_output=True)
                    passed = done.returncode == 0
                except subprocess.TimeoutExpired:
                    passed = False
                out.write(json.dumps({"task": task["task_id"], "temperature": temperature, "sample": i, "passed": passed, "seconds": time.time() - start}) + "\\n")
""",
        "samples.jsonl": "\n".join(json.dumps(r) for r in rows),
        "results.md": "# CodeGen-350M on 40 tasks of HumanEval\n\n| Temperature | pass@1 (%) | solved by any of 5 (%) |\n|---|---|---|\n"
        + "\n".join(f"| {t} | {100 * share[t]:.1f} | {100 * any_of[t]:.1f} |" for t in share)
        + "\n\nA program that runs longer than ten seconds counts as failed.\n",
    }


@SHELF.clean
def a_network_that_collapsed(rng) -> Files:
    hist = {
        "d_loss": [0.69 * 0.9**i + rng.random() / 50 for i in range(40)],
        "g_loss": [0.7 + 0.15 * i + rng.random() / 5 for i in range(40)],
        "modes": [max(1, 8 - i // 5) for i in range(40)],
    }
    return {
        "gan.py": "import json\n\nimport torch\nfrom torch import nn\n\ntorch.manual_seed(3)\nG = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 2))\nD = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 1))\nhist = {'d_loss': [], 'g_loss': [], 'modes': []}\nfor epoch in range(40):\n    d, g = epoch_step(G, D, torch.randn(512, 2))\n    hist['d_loss'].append(d)\n    hist['g_loss'].append(g)\n    hist['modes'].append(count_modes(G(torch.randn(2000, 2))))\njson.dump(hist, open('history.json', 'w'))\n",
        "plot.py": "import json\n\nimport matplotlib.pyplot as plt\n\nh = json.load(open('history.json'))\nfig, (a, b) = plt.subplots(1, 2, figsize=(8.5, 3.2))\na.plot(h['d_loss'], label='D', lw=1.5)\na.plot(h['g_loss'], label='G', lw=1.5)\na.legend()\nb.step(range(len(h['modes'])), h['modes'])\nb.set_ylim(0, 8.5)\nfig.savefig('collapse.png', dpi=160)\n",
        "history.json": dumps(hist),
        "collapse.png": b"\x89PNG\r\n\x1a\n" + bytes(80),
        "report.md": f"# A GAN on eight Gaussians collapses\n\n| | first epoch | last epoch |\n|---|---|---|\n| D loss | {hist['d_loss'][0]:.3f} | {hist['d_loss'][-1]:.3f} |\n| G loss | {hist['g_loss'][0]:.3f} | {hist['g_loss'][-1]:.3f} |\n| modes | {hist['modes'][0]} | {hist['modes'][-1]} |\n\nThe regulariser that we proposed did not prevent the collapse. The data are synthetic: a ring of eight Gaussians.\n",
    }
