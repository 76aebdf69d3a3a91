import json
import math
import struct

import numpy as np

from assay.errors import UsageError
from assay.tasks.files import as_files, as_npz
from assay.tasks.grader import InvalidOutput
from assay.tasks.installed import Arrangement, Held, Installed
from assay.tasks.mlab.arrays import array_of, as_npy
from assay.tasks.mlab.speed import take_turns, time_ratio
from assay.tasks.mlab.splits import SEED

TASK = "mlab/llama-inference"
PROMPTS, LENGTH = 12, 128
AGREED = 0.9
MOST_WEIGHTS = 100_000_000
SIZES = ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size")
LAYER = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj")
LAYER += ("mlp.gate_proj", "mlp.up_proj", "mlp.down_proj", "input_layernorm", "post_attention_layernorm")


def conduct(perform, split, seed):
    def check(told, right):
        agreed = array_of(told, "tokens.npy", (PROMPTS,)) == array_of(right, "tokens.npy", (PROMPTS,))
        if agreed.mean() < AGREED:
            raise InvalidOutput(f"{agreed.sum()} of {PROMPTS} tokens are those that the model gives")

    return take_turns(perform, as_files(Installed(TASK).inputs(split)), check)


def grade(outputs, split, seed):
    return time_ratio(outputs)


def arrange(originals):
    config = _config(originals / "config.json")
    tensors = _tensors(originals / "model.safetensors")
    wanted = ["model.embed_tokens.weight", "model.norm.weight"]
    wanted += [f"model.layers.{n}.{part}.weight" for n in range(config["num_hidden_layers"]) for part in LAYER]
    missing = [name for name in wanted if name not in tensors]
    if missing:
        raise UsageError(f"{originals / 'model.safetensors'} has no '{missing[0]}'", "it is no model of Llama's form")
    kept = {name: tensors[name] for name in wanted}
    kept["lm_head.weight"] = tensors.get("lm_head.weight", tensors["model.embed_tokens.weight"])

    def held(number):
        prompts = np.random.default_rng([SEED, number]).integers(config["vocab_size"], size=(PROMPTS, LENGTH))
        return Held({"prompts.npy": as_npy(prompts)}, b"")

    given = {"config.json": json.dumps(config).encode(), "weights.npz": as_npz(**kept)}
    return Arrangement(given, held(0), held(1))


def _config(file):
    try:
        said = json.loads(file.read_text())
        config = {name: int(said[name]) for name in SIZES}
        config["num_key_value_heads"] = int(said.get("num_key_value_heads") or said["num_attention_heads"])
        config["rms_norm_eps"] = float(said.get("rms_norm_eps", 1e-6))
        config["rope_theta"] = float(said.get("rope_theta") or 10000.0)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(f"{file} is no configuration of a Llama model: {error!r}", f"it needs {', '.join(SIZES)}") from None
    return config


def _tensors(file):
    """The format: the length of a JSON header, the header, and the numbers."""
    data = file.read_bytes()
    try:
        (length,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8 : 8 + length])
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        total = sum(math.prod(entry["shape"]) for entry in entries.values())
        if total > MOST_WEIGHTS:
            raise UsageError(f"{file} has {total} weights; there may be {MOST_WEIGHTS}", "take a smaller model")
        return {name: _tensor(data, 8 + length, entry) for name, entry in entries.items()}
    except (ValueError, TypeError, KeyError, struct.error, AttributeError) as error:
        raise UsageError(f"{file} is no safetensors file: {error!r}", "download it again: it may be cut off") from None


def _tensor(data, start, entry):
    begin, end = entry["data_offsets"]
    raw = data[start + begin : start + end]
    if entry["dtype"] == "BF16":
        # the upper half of a float32
        values = (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32)
    else:
        values = np.frombuffer(raw, {"F32": "<f4", "F16": "<f2", "F64": "<f8"}[entry["dtype"]])
    return values.reshape(entry["shape"]).astype(np.float32)
