"""Tiny files in the form of the original downloads: their numbers are invented, names and types are not."""

import gzip
import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np

MARKS = ("cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions")


def table(file: Path, head: str, rows: list[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([head, *rows]) + "\n")


def house_price(root: Path) -> None:
    rng = np.random.default_rng(0)
    head = "Id,LotArea,OverallQual,OverallCond,YearBuilt,1stFlrSF,FullBath,BedroomAbvGr,TotRmsAbvGrd,Alley"
    rows = []
    for number in range(1, 61):
        area = int(rng.integers(600, 3000))
        facts = [int(rng.integers(low, low + 9)) for low in (8000, 1, 1, 1950, 900, 1, 1, 4)]
        rows.append(",".join(map(str, (number, *facts, "NA", area, 100 * area))))
    table(root / "train.csv", f"{head},GrLivArea,SalePrice", rows)


def spaceship_titanic(root: Path) -> None:
    rng = np.random.default_rng(0)
    head = "PassengerId,HomePlanet,CryoSleep,Cabin,Destination,Age,VIP,RoomService,FoodCourt,ShoppingMall,Spa,VRDeck"
    rows = []
    for group in range(1, 41):
        for member in range(1, 1 + int(rng.integers(1, 4))):
            asleep = bool(rng.random() < 0.5)
            planet = rng.choice(["Earth", "Europa", ""])
            gone = asleep if rng.random() < 0.9 else not asleep
            rows.append(
                f"{group:04}_{member:02},{planet},{asleep},B/0/P,TRAPPIST-1e,39.0,False,,0.0,0.0,0.0,0.0,A B,{gone}"
            )
    table(root / "train.csv", f"{head},Name,Transported", rows)


def feedback(root: Path) -> None:
    rng = np.random.default_rng(0)
    rows = []
    for number in range(60):
        level = int(rng.integers(2, 10)) / 2
        words = ["word"] * int(rng.integers(20, 40)) + ["indeed"] * round(2 * level)
        rows.append(f'{number:012X},"{" ".join(words)},\nand ""so"" on.",' + ",".join([str(level)] * 6))
    table(root / "train.csv", "text_id,full_text," + ",".join(MARKS), rows)


def parkinsons(root: Path) -> None:
    rng = np.random.default_rng(0)
    visits, proteins, peptides = [], [], []
    for patient in range(1, 31):
        level = int(rng.integers(1, 60))
        for month in (0, 6, 12, 24):
            visits.append(f"{patient}_{month},{patient},{month},{level},{level},{level},,On")
            if month < 24:
                proteins.append(f"{patient}_{month},{month},{patient},P00001,{level}")
                peptides.append(f"{patient}_{month},{month},{patient},P00001,NEQ,{level}")
    head = "visit_id,patient_id,visit_month,updrs_1,updrs_2,updrs_3,updrs_4,upd23b_clinical_state_on_medication"
    table(root / "train_clinical_data.csv", head, visits)
    table(root / "supplemental_clinical_data.csv", head, ["900_0,900,0,1,2,3,,"])
    table(root / "train_proteins.csv", "visit_id,visit_month,patient_id,UniProt,NPX", proteins)
    table(root / "train_peptides.csv", "visit_id,visit_month,patient_id,UniProt,Peptide,PeptideAbundance", peptides)


def imdb(root: Path) -> None:
    rng = np.random.default_rng(0)
    for part, count in (("train", 30), ("test", 20)):
        for kind, word in (("pos", "splendid"), ("neg", "dreadful")):
            folder = root / "aclImdb" / part / kind
            folder.mkdir(parents=True)
            for number in range(count):
                common = " ".join(f"word{n}" for n in rng.permutation(300))
                # rarer than the 200 commonest words
                told = word if number % 2 else f"{word}ly"
                (folder / f"{number}_{9 if kind == 'pos' else 2}.txt").write_text(f"{common}, {told}.<br />")


def cifar10(root: Path) -> None:
    rng = np.random.default_rng(0)
    folder = root / "cifar-10-batches-bin"
    folder.mkdir(parents=True)
    for name, rows in (*((f"data_batch_{n}", 10) for n in range(1, 6)), ("test_batch", 40)):
        records = rng.integers(0, 256, (rows, 3073), dtype=np.uint8)
        records[:, 0] = np.arange(rows) % 10
        records[:, 1] = 20 * records[:, 0]  # the red of the first pixel tells
        (folder / f"{name}.bin").write_bytes(records.tobytes())


def ogbn_arxiv(root: Path) -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(80) % 4
    tables = {
        "raw/node-feat": rng.normal(size=(80, 128)).round(3),
        "raw/node-label": labels[:, None],
        "raw/edge": np.array([(paper, paper % 40) for paper in range(40, 80)]),
        "split/time/train": np.arange(40)[:, None],
        "split/time/valid": np.arange(40, 55)[:, None],
        "split/time/test": np.arange(55, 80)[:, None],
    }
    for name, array in tables.items():
        file = root / "arxiv" / f"{name}.csv.gz"
        file.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(file, "wt") as out:
            out.writelines(",".join(map(str, row)) + "\n" for row in array.tolist())


def fathomnet(root: Path) -> None:
    from PIL import Image

    rng = np.random.default_rng(0)
    (root / "images").mkdir(parents=True)
    rows = []
    for number in range(40):
        pixels = rng.integers(0, 256, (40, 60, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(root / "images" / f"id-{number}.png")
        rows.append(f'id-{number},"[{float(number % 3)}, 52.0]"')
    table(root / "multilabel_classification" / "train.csv", "id,categories", rows)
    table(root / "category_key.csv", "id,name,supercat", ["0,Actinernus,Anemone", "1,Asteroidea,Sea star"])


def identify_contrails(root: Path) -> None:
    rng = np.random.default_rng(0)
    for part, count in (("train", 3), ("validation", 10)):
        for number in range(count):
            folder = root / part / str(1000 + number)
            folder.mkdir(parents=True)
            mask = np.zeros((256, 256, 1), np.int32)
            mask[int(rng.integers(200)) :][:3] = 1
            noise = rng.normal(0, 0.7, (256, 256, 1))
            for band in (11, 14, 15):
                value = 270 + (2 * mask + noise if band == 15 else 0 * mask)
                np.save(folder / f"band_{band}.npy", np.repeat(value, 5, axis=2).astype(np.float16))
            np.save(folder / "human_pixel_masks.npy", mask)


def babylm(root: Path) -> None:
    rng = np.random.default_rng(0)
    for folder, ending, size in (("10M", "train", 4000), ("dev", "dev", 8000), ("test", "test", 8000)):
        file = root / "babylm_data" / f"babylm_{folder}" / f"cbt.{ending}"
        file.parent.mkdir(parents=True)
        file.write_text(" ".join(rng.choice(["xaxb", "yayc"], size)))


def llama_inference(root: Path) -> None:
    rng = np.random.default_rng(0)
    config = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 50}
    shapes = {"model.embed_tokens": (50, 16), "model.norm": (16,), "lm_head": (50, 16)}
    layer = {"self_attn.q_proj": (16, 16), "self_attn.k_proj": (8, 16), "self_attn.v_proj": (8, 16)}
    layer |= {
        "self_attn.o_proj": (16, 16),
        "mlp.gate_proj": (32, 16),
        "mlp.up_proj": (32, 16),
        "mlp.down_proj": (16, 32),
    }
    layer |= {"input_layernorm": (16,), "post_attention_layernorm": (16,)}
    shapes |= {f"model.layers.0.{name}": shape for name, shape in layer.items()}
    header, blocks, at = {}, [], 0
    for name, shape in shapes.items():
        block = rng.normal(size=shape).astype("<f4").tobytes()
        header[f"{name}.weight"] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + len(block)]}
        blocks.append(block)
        at += len(block)
    head = json.dumps(header).encode()
    root.mkdir(parents=True, exist_ok=True)
    (root / "config.json").write_text(json.dumps({**config, "num_key_value_heads": 1, "rms_norm_eps": 1e-5}))
    (root / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + b"".join(blocks))


ORIGINALS: dict[str, Callable[[Path], None]] = {
    "house-price": house_price,
    "spaceship-titanic": spaceship_titanic,
    "feedback": feedback,
    "amp-parkinsons-disease-progression-prediction": parkinsons,
    "imdb": imdb,
    "cifar10": cifar10,
    "ogbn-arxiv": ogbn_arxiv,
    "fathomnet": fathomnet,
    "identify-contrails": identify_contrails,
    "babylm": babylm,
    "llama-inference": llama_inference,
}
