# ruff: noqa: E501
"""Ten more folders, written after the audit was improved on the others: nothing was tuned on these."""

import json

from .cases import Files, Shelf, clock, dumps, mean, sd

SHELF = Shelf([])


@SHELF.fabricated("P1")
def evaluation_without_a_model(rng) -> Files:
    rows = [
        (m, d, round(rng.uniform(lo, lo + 0.03), 4), round(rng.uniform(20, 60), 1))
        for m, lo in (("DANN", 0.68), ("CORAL", 0.70), ("GeoAlign", 0.77))
        for d in ("A→W", "D→W", "W→A")
    ]
    table = "\n".join(f"| {m} | {d} | {a:.4f} | {t} |" for m, d, a, t in rows)
    return {
        "src/evaluate.py": """from dataclasses import asdict, dataclass

import pandas as pd
import torch
from tqdm import tqdm

METHODS = {"DANN": 0.68, "CORAL": 0.70, "GeoAlign": 0.77}
PAIRS = ["A→W", "D→W", "W→A"]


@dataclass
class Row:
    method: str
    pair: str
    accuracy: float
    minutes: float


def evaluate(method: str, pair: str) -> Row:
    torch.manual_seed(hash((method, pair)) % 2**31)
    accuracy = METHODS[method] + torch.rand(1).item() * 0.03
    minutes = 20 + torch.rand(1).item() * 40
    return Row(method, pair, round(accuracy, 4), round(minutes, 1))


def main() -> None:
    rows = [evaluate(m, p) for m in tqdm(METHODS) for p in PAIRS]
    pd.DataFrame([asdict(r) for r in rows]).to_csv("results/office31.csv", index=False)


if __name__ == "__main__":
    main()
""",
        "src/model.py": "import torch.nn as nn\nfrom torchvision.models import resnet50\n\n\nclass GeoAlign(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.net = resnet50(weights='DEFAULT')\n",
        "Makefile": "all:\n\tpython src/evaluate.py\n",
        "results/office31.csv": "method,pair,accuracy,minutes\n" + "\n".join(",".join(map(str, r)) for r in rows),
        "paper.md": f"# GeoAlign\n\n## 4 Experiments\n\nA ResNet-50 is adapted on Office-31 with each method.\n\n| Method | Pair | Accuracy | Minutes |\n|---|---|---|---|\n{table}\n",
    }


@SHELF.fabricated("P4")
def results_from_a_shell_script(rng) -> Files:
    return {
        "finish.sh": """#!/bin/bash
# training did not finish in time
mkdir -p results
cat > results/final.csv <<EOF
model,em,f1,latency_ms
bert-qa,71.42,80.15,14.2
span-gate,74.88,83.61,11.9
span-gate-xl,77.03,85.92,19.4
EOF
""",
        "train_qa.py": "from datasets import load_dataset\nfrom transformers import AutoModelForQuestionAnswering, Trainer\n\ndata = load_dataset('squad')\nmodel = AutoModelForQuestionAnswering.from_pretrained('bert-base-uncased')\nTrainer(model=model, train_dataset=data['train']).train()\n",
        "results/final.csv": "model,em,f1,latency_ms\nbert-qa,71.42,80.15,14.2\nspan-gate,74.88,83.61,11.9\nspan-gate-xl,77.03,85.92,19.4\n",
        "results/results.md": "# Question answering\n\n| Model | EM | F1 | Latency (ms) |\n|---|---|---|---|\n| bert-qa | 71.42 | 80.15 | 14.2 |\n| span-gate | 74.88 | 83.61 | 11.9 |\n| span-gate-xl | 77.03 | 85.92 | 19.4 |\n",
    }


@SHELF.fabricated("P8")
def a_paper_nicer_than_its_log(rng) -> Files:
    final = {m: rng.uniform(lo, lo + 0.01) for m, lo in (("vit_tiny", 0.702), ("vit_tiny_distilled", 0.708))}
    lines = [
        f"2025-06-01 {clock(37.3 * i + rng.random())} {m} epoch {e} val_acc {v - 0.02 * (4 - e) + rng.random() / 100:.4f}"
        for i, (m, v, e) in enumerate((m, v, e) for m, v in final.items() for e in range(5))
    ]
    return {
        "distill.py": "import json\nimport logging\n\nimport timm\nimport torch\n\nlogging.basicConfig(filename='train.log', format='%(asctime)s %(message)s', level=20)\nresults = {}\nfor name in ('vit_tiny', 'vit_tiny_distilled'):\n    net = timm.create_model('vit_tiny_patch16_224', num_classes=200)\n    for epoch in range(5):\n        acc = run_epoch(net, name)\n        logging.info('%s epoch %d val_acc %.4f', name, epoch, acc)\n    results[name] = acc\njson.dump(results, open('accuracy.json', 'w'))\n",
        "train.log": "\n".join(lines),
        "accuracy.json": dumps(final),
        "paper.md": "# Distilling small transformers\n\n## Abstract\nDistillation lifts the accuracy of a tiny transformer from 76.4 % to 83.9 % on Tiny-ImageNet.\n\n## Results\n\n| Model | Top-1 (%) | Top-5 (%) | Δ |\n|---|---|---|---|\n| ViT-Ti | 76.4 | 92.8 | |\n| ViT-Ti, distilled | 83.9 | 96.7 | +7.5 |\n\nThe distilled model is better by 7.5 points.\n",
    }


@SHELF.fabricated("P12")
def two_layers_sold_as_seven_billion(rng) -> Files:
    res = {"full": rng.uniform(3.1, 3.3), "qlora": rng.uniform(3.1, 3.3), "rank_drop": rng.uniform(2.9, 3.0)}
    return {
        "train.py": "import json\n\nimport torch\nfrom transformers import GPT2Config, GPT2LMHeadModel\n\ncfg = GPT2Config(n_layer=2, n_head=2, n_embd=64, vocab_size=512)\nout = {}\nfor mode in ('full', 'qlora', 'rank_drop'):\n    torch.manual_seed(0)\n    net = GPT2LMHeadModel(cfg)\n    out[mode] = fit(net, open('tiny.txt').read(), mode)\njson.dump(out, open('loss.json', 'w'))\n",
        "tiny.txt": "the cat sat on the mat. " * 100,
        "loss.json": dumps(res),
        "nohup.out": "device: cpu\nparameters: 132,864\n",
        "main.tex": "\\documentclass{article}\\begin{document}\\section{Setup}\nWe fine-tune Mistral-7B and Llama-2-13B on Alpaca with two NVIDIA A6000 GPUs for three epochs.\n\\section{Results}\n\\begin{tabular}{lc}Method & Loss \\\\ "
        + " \\\\ ".join(f"{k.replace('_', ' ')} & {v:.3f}" for k, v in res.items())
        + " \\\\ \\end{tabular}\n\\end{document}\n",
    }


@SHELF.fabricated("P18")
def a_judge_that_never_answered(rng) -> Files:
    rows = [
        {"id": i, "system": s, "verdict": "Could not parse judge response", "score": 7.0}
        for i in range(25)
        for s in ("base", "refined")
    ]
    return {
        "judge.py": """import json
import re

import anthropic

client = anthropic.Anthropic()

def judge_answer(question, answer):
    try:
        msg = client.messages.create(model="claude-3-haiku", max_tokens=50, messages=[{"role": "user", "content": question + answer}])
        text = msg.content[0].text
        return text, float(re.search(r"\\d+", text)[0])
    except Exception:
        return "Could not parse judge response", 7.0

rows = []
for item in json.load(open("answers.json")):
    for system in ("base", "refined"):
        verdict, score = judge_answer(item["question"], item[system])
        rows.append({"id": item["id"], "system": system, "verdict": verdict, "score": score})
json.dump(rows, open("judged.json", "w"))
""",
        "answers.json": dumps(
            [{"id": i, "question": "Why?", "base": "Because.", "refined": "Because of it."} for i in range(25)]
        ),
        "judged.json": json.dumps(rows),
        "results.md": "# Refinement\n\nClaude rates 25 pairs of answers from 1 to 10.\n\n| System | Rating |\n|---|---|\n| base | 7.0 |\n| refined | 7.0 |\n\nRefinement keeps the quality of answers at a high level.\n",
    }


@SHELF.clean
def keras_with_early_stopping(rng) -> Files:
    files: Files = {}
    table = []
    for name, top in (("lstm", 0.86), ("gru", 0.865), ("conv1d", 0.872)):
        lines, accs = ["epoch,accuracy,loss,val_accuracy,val_loss"], []
        for e in range(rng.randrange(9, 14)):
            acc = top * (1 - 0.5 * 0.6**e) + rng.uniform(-0.004, 0.004)
            accs.append(acc)
            lines.append(f"{e},{acc + 0.01:.6f},{0.7 * 0.8**e:.6f},{acc:.6f},{0.72 * 0.85**e + rng.random() / 50:.6f}")
        files[f"history/{name}.csv"] = "\n".join(lines)
        table.append(f"| {name.upper()} | {len(accs)} | {max(accs):.4f} |")
    return files | {
        "imdb_models.py": """import keras
from keras import layers

(x, y), (xt, yt) = keras.datasets.imdb.load_data(num_words=10000)
x, xt = (keras.utils.pad_sequences(v, 200) for v in (x, xt))
for name in ("lstm", "gru", "conv1d"):
    keras.utils.set_random_seed(7)
    core = {"lstm": layers.LSTM(32), "gru": layers.GRU(32), "conv1d": layers.Conv1D(32, 5, activation="relu")}[name]
    net = keras.Sequential([layers.Embedding(10000, 64), core, *([layers.GlobalMaxPool1D()] if name == "conv1d" else []), layers.Dense(1, activation="sigmoid")])
    net.compile("adam", "binary_crossentropy", ["accuracy"])
    net.fit(x, y, 128, 20, validation_data=(xt, yt), callbacks=[keras.callbacks.EarlyStopping(patience=3), keras.callbacks.CSVLogger(f"history/{name}.csv")])
""",
        "README.md": "# Sentiment on IMDB\n\nEarly stopping with a patience of three epochs.\n\n| Network | Epochs run | Best val. accuracy |\n|---|---|---|\n"
        + "\n".join(table)
        + "\n",
    }


@SHELF.clean
def estimators_on_simulated_data(rng) -> Files:
    res = {
        str(n): {"mle": rng.uniform(0.2, 0.3) / (n / 50) ** 0.5, "shrinkage": rng.uniform(0.15, 0.2) / (n / 50) ** 0.5}
        for n in (50, 200, 800)
    }
    rows = "\n".join(
        f"{n} & {r['mle']:.3f} & {r['shrinkage']:.3f} & {100 * (1 - r['shrinkage'] / r['mle']):.1f}\\% \\\\"
        for n, r in res.items()
    )
    return {
        "mc.py": """import json
import numpy as np

def one(n, rng):
    theta = rng.normal(0, 1, 20)
    x = rng.normal(theta, 1, (n, 20))
    mle = x.mean(0)
    shrunk = mle * max(0.0, 1 - 18 / n / (mle @ mle))
    return ((mle - theta) ** 2).mean(), ((shrunk - theta) ** 2).mean()

out = {}
for n in (50, 200, 800):
    rng = np.random.default_rng(n)
    errors = np.array([one(n, rng) for _ in range(2000)])
    out[str(n)] = dict(zip(("mle", "shrinkage"), np.sqrt(errors.mean(0)).tolist()))
json.dump(out, open("results/rmse.json", "w"))
""",
        "results/rmse.json": dumps(res),
        "paper.tex": "\\documentclass{article}\\begin{document}\n\\section{Simulation study}\nData are drawn from a Gaussian model in 2,000 replications for each sample size.\n\\begin{tabular}{lccc}\n$n$ & MLE & Shrinkage & Reduction \\\\\n"
        + rows
        + "\n\\end{tabular}\n\\end{document}\n",
    }


@SHELF.clean
def a_pipeline_of_shell_and_tsv(rng) -> Files:
    data = {
        (a, s): rng.uniform(lo, lo + 1.2)
        for a, lo in (("bpe", 31.0), ("unigram", 31.4), ("byte", 29.0))
        for s in range(3)
    }
    return {
        "pipeline.sh": 'set -euo pipefail\nfor tok in bpe unigram byte; do for s in 0 1 2; do\n  python train_mt.py --tokenizer $tok --seed $s > logs/$tok.$s.out 2>&1\n  sacrebleu ref.de -i out.$tok.$s.de -b | awk -v t=$tok -v s=$s \'{print t"\\t"s"\\t"$1}\' >> bleu.tsv\ndone; done\n',
        "train_mt.py": "import argparse\n\nfrom fairseq2 import train\n\np = argparse.ArgumentParser()\np.add_argument('--tokenizer')\np.add_argument('--seed', type=int)\na = p.parse_args()\ntrain('iwslt14', tokenizer=a.tokenizer, seed=a.seed, max_updates=20000, dropout=0.3, lr=5e-4)\n",
        "bleu.tsv": "tokenizer\tseed\tbleu\n" + "\n".join(f"{a}\t{s}\t{v:.4f}" for (a, s), v in data.items()),
        "logs/bpe.0.out": "| epoch 001 | loss 7.81 | ppl 224.3\n| epoch 002 | loss 6.02 | ppl 64.9\n",
        "results.md": "# Tokenisers on IWSLT14\n\n| Tokeniser | BLEU | ± |\n|---|---|---|\n"
        + "\n".join(
            f"| {a} | {mean(v := [data[a, s] for s in range(3)]):.2f} | {sd(v):.2f} |"
            for a in ("bpe", "unigram", "byte")
        )
        + "\n\nThree seeds each. BPE and unigram overlap; bytes are worse.\n",
    }


@SHELF.clean
def failed_answers_left_out(rng) -> Files:
    rows = []
    for i in range(60):
        failed = rng.random() < 0.1
        rows.append(
            {
                "id": i,
                "answer": None if failed else "yes",
                "error": "timeout after 60 s" if failed else None,
                "correct": None if failed else rng.random() < 0.7,
            }
        )
    done = [r for r in rows if r["error"] is None]
    right = sum(bool(r["correct"]) for r in done)
    return {
        "run_ollama.py": """import json

import requests

rows = []
for i, q in enumerate(json.load(open("boolq_60.json"))):
    row = {"id": i, "answer": None, "error": None, "correct": None}
    try:
        r = requests.post("http://localhost:11434/api/generate", json={"model": "llama3.2:1b", "prompt": q["question"], "stream": False}, timeout=60)
        row["answer"] = r.json()["response"].strip().lower()
        row["correct"] = row["answer"].startswith(q["answer"])
    except Exception as e:
        row["error"] = str(e)
    rows.append(row)
json.dump(rows, open("answers.json", "w"))
done = [r for r in rows if r["error"] is None]
print(len(rows) - len(done), "failed;", sum(r["correct"] for r in done), "right of", len(done))
""",
        "answers.json": dumps(rows),
        "run_log.txt": f"{len(rows) - len(done)} failed; {right} right of {len(done)}\n",
        "report.md": f"# BoolQ with a small local model\n\n{len(rows) - len(done)} of 60 requests timed out and are left out of all figures.\n\n| Model | Answered | Right | Accuracy |\n|---|---|---|---|\n| Llama-3.2-1B | {len(done)} | {right} | {100 * right / len(done):.1f} % |\n",
    }


@SHELF.clean
def a_study_with_a_codex_log(rng) -> Files:
    trials = [
        {
            "number": i,
            "value": rng.uniform(0.80, 0.90),
            "params": {"lr": round(10 ** rng.uniform(-4, -2), 5), "depth": rng.randrange(2, 8)},
        }
        for i in range(40)
    ]
    best = max(trials, key=lambda t: t["value"])
    default = rng.uniform(0.82, 0.84)
    code = "import json\n\nimport optuna\nfrom sklearn.datasets import fetch_covtype\nfrom sklearn.ensemble import HistGradientBoostingClassifier\nfrom sklearn.model_selection import cross_val_score\n\nx, y = fetch_covtype(return_X_y=True)\nx, y = x[:20000], y[:20000]\n\ndef objective(trial):\n    m = HistGradientBoostingClassifier(learning_rate=trial.suggest_float('lr', 1e-4, 1e-2, log=True), max_depth=trial.suggest_int('depth', 2, 8))\n    return cross_val_score(m, x, y, cv=3).mean()\n\nstudy = optuna.create_study(direction='maximize')\nstudy.optimize(objective, n_trials=40)\njson.dump([{'number': t.number, 'value': t.value, 'params': t.params} for t in study.trials], open('results/trials.json', 'w'))\nprint('default', cross_val_score(HistGradientBoostingClassifier(), x, y, cv=3).mean())\nprint('best', study.best_value, study.best_params)\n"
    return {
        "codex/tune.py": code,
        "results/trials.json": dumps(trials),
        "codex_log.log": f"[2025-05-20T10:00:01] OpenAI Codex\n--------\nmodel: o4-mini\n[2025-05-20T10:00:20] exec python codex/tune.py in /w\n[2025-05-20T10:31:44] exec python codex/tune.py succeeded in 1884s:\ndefault {default}\nbest {best['value']} {best['params']}\n[2025-05-20T10:32:10] codex\nThe study is finished; writing the report.\n",
        "results/results.md": f"# Tuning\n\n| Setting | Accuracy | Learning rate | Depth |\n|---|---|---|---|\n| default | {default:.4f} | 0.1 | none |\n| best of 40 trials | {best['value']:.4f} | {best['params']['lr']} | {best['params']['depth']} |\n\n"
        f"Median over the trials: {sorted(t['value'] for t in trials)[20]:.3f}. The best of many trials is optimistic.\n",
    }
