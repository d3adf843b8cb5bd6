"""A cross-encoder in a local folder, which reads question and text together: slower than vectors, and only for the first results.

`model.onnx` and `tokenizer.json`, as a folder of an embedder has them; one number a pair comes out, or two of which the last counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from slowwave.embed import BATCH, open_folder
from slowwave.errors import ModelError

# Beyond it a number says no more, and its exponent is no float.
_FAR = 60.0


class Reranker:
    """Raises UsageError for a folder that is none, ModelError where a library is missing or the model does not answer."""

    def __init__(self, folder: str) -> None:
        self.name = folder
        self._tokenizer, self._session, _ = open_folder(Path(folder).expanduser())
        self._inputs: list[str] = [given.name for given in self._session.get_inputs()]

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, 0 to 1."""
        try:
            return [
                value for at in range(0, len(texts), BATCH) for value in self._run(question, texts[at : at + BATCH])
            ]
        except Exception as error:
            raise ModelError(
                f"the reranker {self.name} did not answer: {error}",
                "Export a cross-encoder to ONNX: one number for a pair of texts, or two.",
            ) from error

    def _run(self, question: str, texts: Sequence[str]) -> list[float]:
        import numpy as np

        encoded = self._tokenizer.encode_batch([(question, text) for text in texts])
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        feeds: dict[str, Any] = {
            name: np.array([getattr(one, values) for one in encoded], dtype=np.int64)
            for name, values in columns.items()
            if name in self._inputs
        }
        told: Any = np.asarray(self._session.run(None, feeds)[0], dtype=np.float64).reshape(len(texts), -1)
        if told.shape[1] > 2 or not np.isfinite(told).all():
            raise ValueError(f"it gives {told.shape[1]} numbers a pair, or one that is none")
        raw = told[:, -1] - (told[:, 0] if told.shape[1] == 2 else 0)
        made: list[float] = (1 / (1 + np.exp(-np.clip(raw, -_FAR, _FAR)))).tolist()
        return made
