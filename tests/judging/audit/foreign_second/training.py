"""A training of a small network as several folders have it: its code, its log, its history."""

NET = """import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, width, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, stride=stride, padding=1)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)) + x)


class SmallNet(nn.Module):
    def __init__(self, width=32, classes=10, gated=False):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.blocks = nn.ModuleList([Block(width) for _ in range(3)])
        self.gate = nn.Parameter(torch.zeros(3)) if gated else None
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = F.relu(self.stem(x))
        for i, block in enumerate(self.blocks):
            y = block(x)
            x = y if self.gate is None else x + torch.sigmoid(self.gate[i]) * (y - x)
        return self.head(x.mean((2, 3)))
"""

TRAIN = """import argparse
import json
import logging
import os
import time

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset
from torchvision import datasets, transforms

from net import SmallNet

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(message)s",
                    handlers=[logging.FileHandler("../results/log.txt"), logging.StreamHandler()])
logger = logging.getLogger(__name__)


def loaders(n_train, n_test, batch):
    tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)])
    train = Subset(datasets.CIFAR10("data", train=True, download=True, transform=tf), range(n_train))
    test = Subset(datasets.CIFAR10("data", train=False, download=True, transform=tf), range(n_test))
    return DataLoader(train, batch, shuffle=True), DataLoader(test, batch)


def run_epoch(model, loader, optimizer, device):
    model.train()
    total = 0.0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
    return total / len(loader.dataset)


@torch.no_grad()
def accuracy(model, loader, device):
    model.eval()
    hits = sum((model(x.to(device)).argmax(1).cpu() == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def train(gated, args, device):
    torch.manual_seed(args.seed)
    train_loader, test_loader = loaders(args.n_train, args.n_test, args.batch)
    model = SmallNet(gated=gated).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    history = []
    for epoch in range(args.epochs):
        start = time.time()
        loss = run_epoch(model, train_loader, optimizer, device)
        acc = accuracy(model, test_loader, device)
        history.append({"epoch": epoch, "loss": loss, "accuracy": acc})
        logger.info("epoch %d loss %.4f accuracy %.4f (%.1fs)", epoch, loss, acc, time.time() - start)
    return history
"""

ARGUMENTS = """

def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--n_train", type=int, default=2000)
    parser.add_argument("--n_test", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


"""

LOSSES = [2.0419, 1.8127, 1.6883, 1.6012, 1.5327]
ACCURACIES = [0.298, 0.361, 0.398, 0.417, 0.436]
EPOCH_LINES = [
    f"epoch {i} loss {a:.4f} accuracy {b:.4f} ({11.3 + i * 0.17:.1f}s)"
    for i, (a, b) in enumerate(zip(LOSSES, ACCURACIES, strict=True))
]
HISTORY = [{"epoch": i, "loss": a, "accuracy": b} for i, (a, b) in enumerate(zip(LOSSES, ACCURACIES, strict=True))]


BOTH = """if __name__ == "__main__":
    args = parse()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    logger.info("device %s", device)
    os.makedirs("../results", exist_ok=True)
    out = {name: train(gated, args, device) for name, gated in (("plain", False), ("gated", True))}
    json.dump(out, open("../results/history.json", "w"), indent=2)
"""


def both() -> tuple[dict[str, object], list[str]]:
    plain = [{**r, "accuracy": round(r["accuracy"] - 0.019, 3), "loss": round(r["loss"] + 0.0417, 4)} for r in HISTORY]
    lines = [f"epoch {r['epoch']} loss {r['loss']:.4f} accuracy {r['accuracy']:.4f} (10.{r['epoch']}s)" for r in plain]
    return {"plain": plain, "gated": HISTORY}, ["device cpu", *lines, *EPOCH_LINES]
