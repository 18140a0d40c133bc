"""The static model: one int8 row per token, summed, scaled per dimension, brought to unit length.

Each token of a text counts once, with the square root of how often it stands there: a name that a function repeats
ten times would otherwise be most of what its vector says.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

MAX_TOKENS = 512
# The graph's mask holds whole numbers of one byte: sqrt(count) in tenths, at most 127, which is 161 times.
WEIGHT_STEPS = 10
LARGEST_WEIGHT = 127
SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# Letters outside Latin: the teacher knows them letter by letter only, and a mean of letters means little.
OTHER_SCRIPTS = re.compile(r"[\u0370-\u1dff\u2c00-\uffff]")


def kept_teacher_tokens(vocab: dict[str, int]) -> list[str]:
    """Teacher tokens in their order, without [unused…] and without other scripts."""
    ordered = sorted(vocab, key=vocab.get)
    return [
        token
        for token in ordered
        if token in SPECIAL_TOKENS or not (token.startswith("[unused") or OTHER_SCRIPTS.search(token))
    ]


def build_tokenizer(teacher_tokenizer: Path, tokens: list[str]) -> Tokenizer:
    """WordPiece over `tokens` (row i of the table is tokens[i]); no [CLS] or [SEP] is added."""
    description = json.loads(teacher_tokenizer.read_text())
    ids = {token: index for index, token in enumerate(tokens)}
    description["model"]["vocab"] = ids
    description["truncation"] = None
    description["padding"] = None
    description["post_processor"] = None
    description["added_tokens"] = [
        {**token, "id": ids[token["content"]]} for token in description["added_tokens"] if token["content"] in ids
    ]
    return Tokenizer.from_str(json.dumps(description))


def distinct_tokens(ids: list[int] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each token of a text once, and the square root of how often it stands there."""
    tokens, counts = np.unique(np.asarray(ids, np.int64), return_counts=True)
    return tokens, np.sqrt(counts).astype(np.float32)


@dataclass
class StaticModel:
    """`table` [tokens, dim] float32 holds weighted vectors: their sum over a text's distinct tokens, each times the
    square root of its count, at unit length, is the text's embedding."""

    tokenizer: Tokenizer
    table: np.ndarray

    def token_ids(self, texts: list[str], max_tokens: int = MAX_TOKENS) -> list[list[int]]:
        self.tokenizer.enable_truncation(max_tokens)
        return [encoding.ids for encoding in self.tokenizer.encode_batch(texts, add_special_tokens=False)]

    def encode(self, texts: list[str], max_tokens: int = MAX_TOKENS) -> np.ndarray:
        bags = [distinct_tokens(ids) for ids in self.token_ids(texts, max_tokens)]
        sums = np.stack([weights @ self.table[tokens] for tokens, weights in bags])
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.tokenizer.no_truncation()
        self.tokenizer.save(str(folder / "tokenizer.json"))
        np.save(folder / "table.npy", self.table)

    @staticmethod
    def exported(folder: Path) -> "StaticModel":
        """The table of a model.onnx, as its int8 rows say it."""
        constants = {value.name: numpy_helper.to_array(value) for value in onnx.load(folder / "model.onnx").graph.initializer}
        table = constants["rows"].astype(np.float32) * constants["scale"]
        return StaticModel(exported_tokenizer(folder), table)

    @staticmethod
    def load(folder: Path) -> "StaticModel":
        return StaticModel(Tokenizer.from_file(str(folder / "tokenizer.json")), np.load(folder / "table.npy"))


def quantise(table: np.ndarray, clip_quantile: float = 0.9999) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows and one scale per dimension. Few outliers are clipped: they would cost every other row its resolution."""
    scale = np.quantile(np.abs(table), clip_quantile, axis=0) / 127
    rows = np.clip(np.rint(table / scale), -127, 127).astype(np.int8)
    return rows, scale.astype(np.float32)


def onnx_graph(table: np.ndarray) -> onnx.ModelProto:
    """Gather int8 rows, add them exactly with MatMulInteger (mask row times rows), scale, normalise.

    The mask holds the weight of each distinct token, sqrt(count) in tenths; the unit length takes the tenths out.

    Row sums in int32 read one byte a value; a float graph reads and writes four, several times over.
    """
    rows, scale = quantise(table)
    rows[0] = 0  # [PAD]
    dim = table.shape[1]
    nodes = [
        helper.make_node("Gather", ["rows", "input_ids"], ["tokens"], axis=0),
        helper.make_node("Cast", ["attention_mask"], ["mask_bytes"], to=TensorProto.UINT8),
        helper.make_node("Unsqueeze", ["mask_bytes", "middle_axis"], ["mask_row"]),
        helper.make_node("MatMulInteger", ["mask_row", "tokens"], ["sum_row"]),
        helper.make_node("Squeeze", ["sum_row", "middle_axis"], ["sum_integer"]),
        helper.make_node("Cast", ["sum_integer"], ["sum_float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["sum_float", "scale"], ["sum"]),
        helper.make_node("ReduceL2", ["sum", "last_axis"], ["length"], keepdims=1),
        helper.make_node("Max", ["length", "smallest_length"], ["safe_length"]),
        helper.make_node("Div", ["sum", "safe_length"], ["sentence_embedding"]),
    ]
    constants = {
        "rows": rows,
        "scale": scale,
        "middle_axis": np.array([1], np.int64),
        "last_axis": np.array([1], np.int64),
        "smallest_length": np.array(1e-12, np.float32),
    }
    graph = helper.make_graph(
        nodes,
        "causantic-static",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens_padded"]),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["texts", "tokens_padded"]),
        ],
        [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["texts", dim])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    # Opset 18 (ReduceL2 with axes as input) and IR 9 are read by every onnxruntime since 1.15.
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    model.producer_name = "causantic tools/embedding-model"
    onnx.checker.check_model(model)
    return model


def export_tokenizer(definition: dict, folder: Path) -> None:
    """Write tokenizer.json with the vocabulary in the order of the ids, which the product reads in less than half the time."""
    vocab = definition["model"]["vocab"]
    in_order = sorted(vocab, key=vocab.get)
    assert [vocab[piece] for piece in in_order] == list(range(len(vocab)))
    definition = {**definition, "model": {**definition["model"], "vocab": in_order}}
    (folder / "tokenizer.json").write_text(json.dumps(definition, ensure_ascii=False, separators=(",", ":")))


def exported_definition(folder: Path) -> dict:
    """What export_tokenizer wrote, with an object as its vocabulary."""
    definition = json.loads((folder / "tokenizer.json").read_text())
    vocab = {piece: index for index, piece in enumerate(definition["model"]["vocab"])}
    return {**definition, "model": {**definition["model"], "vocab": vocab}}


def exported_tokenizer(folder: Path) -> Tokenizer:
    return Tokenizer.from_str(json.dumps(exported_definition(folder)))


def export(model: StaticModel, folder: Path, model_id: str) -> None:
    """Write model.onnx, tokenizer.json and model.json, what the product loads."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(onnx_graph(model.table), str(folder / "model.onnx"))
    model.tokenizer.no_truncation()
    model.tokenizer.no_padding()
    export_tokenizer(json.loads(model.tokenizer.to_str()), folder)
    settings = {
        "id": model_id,
        "dim": int(model.table.shape[1]),
        "pooling": "none",
        "tokenWeights": "sqrt-counts",
        "normalize": True,
        "queryPrefix": "",
        "passagePrefix": "",
        "maxTokens": MAX_TOKENS,
        "outputName": "sentence_embedding",
    }
    (folder / "model.json").write_text(json.dumps(settings, indent=2) + "\n")


class ExportedModel:
    """What the product runs: model.onnx and tokenizer.json by onnxruntime on one thread."""

    def __init__(self, folder: Path):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.tokenizer = exported_tokenizer(folder)
        self.session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def encode(self, texts: list[str], max_tokens: int = MAX_TOKENS, batch: int = 64) -> np.ndarray:
        self.tokenizer.enable_truncation(max_tokens)
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts, add_special_tokens=False)]
        return np.concatenate([self.run(ids[start : start + batch]) for start in range(0, len(ids), batch)])

    def run(self, ids: list[list[int]]) -> np.ndarray:
        bags = [distinct_tokens(tokens) for tokens in ids]
        length = max(1, max(len(tokens) for tokens, _ in bags))
        padded = np.zeros((len(bags), length), np.int64)
        mask = np.zeros((len(bags), length), np.int64)
        for row, (tokens, weights) in enumerate(bags):
            padded[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = np.minimum(np.rint(weights * WEIGHT_STEPS), LARGEST_WEIGHT)
        return self.session.run(["sentence_embedding"], {"input_ids": padded, "attention_mask": mask})[0]
