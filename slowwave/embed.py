"""Texts into unit vectors, alike for nights and readers: one small class a backend, loaded by name.

Nothing is downloaded here but by the two backends that say so (`fastembed:`, `litellm:`). `digest` identifies the weights:
vectors of two digests are never compared. Heavy libraries are imported by the backend that needs them.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from slowwave.errors import ModelError, ModelUnavailable, UsageError

if TYPE_CHECKING:
    import numpy as np

    Vectors = np.ndarray[Any, np.dtype[np.float32]]

CHOICES = "static, onnx:DIR, fastembed:NAME, litellm:MODEL or none"
# A long text's vector is that of its beginning; sentence models are trained on no more.
MAX_TOKENS = 256
BATCH, THREADS = 32, 2
# Their texts or their weights cross the network, so a store must not choose them for its reader.
REMOTE = ("fastembed", "litellm")


class Embedder(Protocol):
    """Unit float32 vectors, `(n, dimension)`; a text without a known token is the zero vector."""

    name: str
    dimension: int
    digest: str

    def embed_documents(self, texts: list[str]) -> Vectors:
        """Vectors of texts to be found."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, `(dimension,)`."""
        ...


def load(name: str, api_base: str | None = None) -> Embedder:
    """The embedder of that name; whether texts may leave the machine for it is the caller's to know.

    Raises UsageError for an unknown name, ModelError for one that cannot be loaded.
    """
    kind, _, rest = name.partition(":")
    if kind in ("static", "none") and not rest:
        return Static() if kind == "static" else Nothing()
    if kind not in ("onnx", *REMOTE) or not rest:
        raise UsageError(f"there is no embedder {name!r}", f"Choose one of: {CHOICES}.")
    return LiteLlm(rest, api_base) if kind == "litellm" else {"onnx": Onnx, "fastembed": FastEmbed}[kind](rest)


def unit(vectors: Any) -> Vectors:
    """Rows scaled to length 1, as float32; a zero row stays zero."""
    import numpy as np

    made = np.asarray(vectors, dtype=np.float32)
    norms = np.linalg.norm(made, axis=-1, keepdims=True)
    return np.divide(made, np.where(norms == 0, 1, norms), dtype=np.float32)


class Nothing:
    """No vectors: full text only."""

    name, dimension, digest = "none", 0, ""

    def embed_documents(self, texts: list[str]) -> Vectors:
        import numpy as np

        return np.zeros((len(texts), 0), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        return self.embed_documents([text])[0]


class Static:
    """Mean of static token vectors: the 256-d table that the wordllama package carries, read as data.

    The package itself is not imported: it configures the root logger and looks for files on a hub. Each text is averaged
    alone, so its vector does not depend on the batch it came in.
    """

    name = "static"

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        weights, tokenizer = _static_files()
        self.digest = _digest(weights, tokenizer)
        self._table: Any = _safetensor(weights, "embedding.weight")
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.dimension = int(self._table.shape[1])

    def embed_documents(self, texts: list[str]) -> Vectors:
        import numpy as np

        made = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for i, encoded in enumerate(self._tokenizer.encode_batch(texts, add_special_tokens=False)):
            if encoded.ids:
                made[i] = self._table[encoded.ids].astype(np.float32).mean(axis=0)
        return unit(made)

    def embed_query(self, text: str) -> Vectors:
        return self.embed_documents([text])[0]


class Onnx:
    """A sentence encoder in a folder: `model.onnx` and `tokenizer.json`; mean over tokens, then unit length."""

    def __init__(self, folder: str) -> None:
        self.name = f"onnx:{folder}"
        self._tokenizer, self._session, self.digest = open_folder(Path(folder).expanduser())
        self._inputs: list[str] = [given.name for given in self._session.get_inputs()]
        self.dimension = int(self._run(["."]).shape[1])

    def embed_documents(self, texts: list[str]) -> Vectors:
        import numpy as np

        # By length, so that a short text is not padded to a long neighbour's length.
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), texts[i]))
        made = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            made[batch] = self._run([texts[i] for i in batch])
        return made

    def embed_query(self, text: str) -> Vectors:
        return self.embed_documents([text])[0]

    def _run(self, texts: list[str]) -> Vectors:
        import numpy as np

        encoded = self._tokenizer.encode_batch(texts)
        mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
        feeds = {
            "input_ids": np.array([e.ids for e in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([e.type_ids for e in encoded], dtype=np.int64),
        }
        hidden = self._session.run(None, {name: feeds[name] for name in self._inputs if name in feeds})[0]
        weight = mask[..., None].astype(np.float32)
        return unit((hidden * weight).sum(axis=1) / np.maximum(weight.sum(axis=1), 1))


class FastEmbed:
    """A model of the fastembed library by its name: fetched from its hub at first use, where that can be reached."""

    def __init__(self, model: str) -> None:
        fastembed = _library("fastembed", "Install it (pip install fastembed), or choose the embedder static.")
        self.name = f"fastembed:{model}"
        try:
            self._model = fastembed.TextEmbedding(model_name=model, threads=THREADS)
        except Exception as error:
            raise ModelError(
                f"fastembed cannot load {model!r}: {error}",
                "Check the name (fastembed.TextEmbedding.list_supported_models()) and that its hub can be reached, "
                "or give a folder: onnx:DIR.",
            ) from error
        folder = getattr(getattr(self._model, "model", None), "_model_dir", None)
        weights = sorted(Path(folder).rglob("*.onnx")) if folder else []
        self.digest = _digest(*weights) if weights else sha256(self.name.encode()).hexdigest()
        self.dimension = int(self.embed_query(".").shape[0])

    def embed_documents(self, texts: list[str]) -> Vectors:
        return unit(list(self._model.embed(texts))).reshape(len(texts), -1)

    def embed_query(self, text: str) -> Vectors:
        return unit(next(iter(self._model.query_embed(text))))


class LiteLlm:
    """Any embedding model that litellm can call. Its weights are out of sight, so its name is its digest."""

    def __init__(self, model: str, api_base: str | None = None) -> None:
        for variable, value in _QUIET.items():
            os.environ.setdefault(variable, value)
        self._litellm = _library("litellm", "Install it (pip install litellm), or choose the embedder static.")
        self.name, self._model = f"litellm:{model}", {"model": model, **({"api_base": api_base} if api_base else {})}
        self.digest = sha256(self.name.encode()).hexdigest()
        self.dimension = int(self.embed_query(".").shape[0])

    def embed_documents(self, texts: list[str]) -> Vectors:
        import numpy as np

        batches = [self._ask(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        return unit(np.concatenate(batches)) if batches else np.zeros((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        return self.embed_documents([text])[0]

    def _ask(self, texts: list[str]) -> Any:
        import numpy as np

        try:
            answer = self._litellm.embedding(**self._model, input=texts)
        except Exception as error:
            raise ModelUnavailable(
                f"the embedding model {self.name!r} did not answer: {error}",
                "Check its name, key and server, or choose the embedder static (and run a night with it).",
            ) from error
        return np.array([item["embedding"] for item in answer["data"]], dtype=np.float32)


# Read by litellm when it is imported: without them it fetches a price list and logs parts of texts.
_QUIET = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "CRITICAL"}


def _library(name: str, hint: str) -> Any:
    """A library that the reader does not depend on, used only where a store's vectors were made with it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ModelError(f"the library {name} is not installed here ({error})", hint) from error


def _static_files() -> tuple[Path, Path]:
    """The weights and tokenizer that lie in the installed wordllama package, found without importing it."""
    spec = importlib.util.find_spec("wordllama")
    places = list(spec.submodule_search_locations or []) if spec else []
    if not places:
        raise ModelError("the package wordllama, which carries the static vectors, is not installed here", _STATIC_HINT)
    root = Path(places[0])
    weights, tokenizer = (
        root / "weights/l2_supercat_256.safetensors",
        root / "tokenizers/l2_supercat_tokenizer_config.json",
    )
    if not (weights.is_file() and tokenizer.is_file()):
        raise ModelError(f"the wordllama package at {root} lacks its weights", _STATIC_HINT)
    return weights, tokenizer


_STATIC_HINT = "Install it whole (pip install wordllama), or choose the embedder none for full text only."


def _safetensor(path: Path, name: str) -> Any:
    safetensors: Any = importlib.import_module("safetensors.numpy")
    return safetensors.load_file(str(path))[name]


def open_folder(folder: Path) -> tuple[Any, Any, str]:
    """Tokenizer, session and digest of a folder with `model.onnx` and `tokenizer.json`. Raises UsageError, ModelError."""
    model, tokenizer = _folder_files(folder, "model.onnx", "tokenizer.json")
    return _tokenizer(tokenizer), _session(model), _digest(model, tokenizer)


def _folder_files(folder: Path, *names: str) -> list[Path]:
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise UsageError(
            f"the model's folder {folder} has no {' and no '.join(missing)}",
            "Name a folder with model.onnx and tokenizer.json: onnx:DIR",
        )
    return [folder / name for name in names]


def _tokenizer(path: Path) -> Any:
    tokenizers = _library("tokenizers", "Install it: pip install tokenizers onnxruntime")
    try:
        made = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:
        raise UsageError(f"{path} is not a tokenizer: {error}", "Export the model and its tokenizer again.") from error
    made.enable_truncation(max_length=MAX_TOKENS)
    # The file's own padding may be to a fixed length; the longest of the batch is enough.
    padding: dict[str, Any] = made.padding or {}
    made.enable_padding(pad_id=padding.get("pad_id", 0), pad_token=padding.get("pad_token", "[PAD]"))
    return made


def _session(path: Path) -> Any:
    onnxruntime = _library("onnxruntime", "Install it: pip install onnxruntime tokenizers")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # it wastes most of a busy machine's CPU
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise UsageError(f"{path} cannot be loaded: {error}", "Export the model to ONNX again.") from error


def _digest(*paths: Path) -> str:
    """The sha256 over the files' own; remembered while a file's size and time stay as they are."""
    stats = [path.stat() for path in paths]
    parts = [_file_sha256(str(p), s.st_size, s.st_mtime_ns) for p, s in zip(paths, stats, strict=True)]
    return sha256("".join(parts).encode()).hexdigest()


@lru_cache(maxsize=32)
def _file_sha256(path: str, size: int, mtime_ns: int) -> str:
    with open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest()
