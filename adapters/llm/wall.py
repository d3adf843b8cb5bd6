"""What stops a batch: a failure that holds for every question of it, so that the rest is not sent into the same wall."""

from __future__ import annotations

from threading import Lock

from adapters.llm.outcome import Outcome

_HOPELESS = {Outcome.UNREACHABLE, Outcome.DENIED}
# So many smallest questions cut off one after the other tell of the model, not of the questions.
_MAX_CUT_OFF = 3


class Wall:
    """The failure that stops a batch, once one was met: `outcome`, else None. Shared by the batch's threads."""

    def __init__(self) -> None:
        self.outcome: Outcome | None = None
        self._n_cut_off = 0
        self._lock = Lock()

    def meet(self, outcome: Outcome) -> None:
        """Take note of how a request ended."""
        with self._lock:
            if outcome is Outcome.ANSWERED:
                self._n_cut_off = 0
            if outcome in _HOPELESS:
                self.outcome = self.outcome or outcome

    def cut_off(self) -> None:
        """Take note that the answer to a question that is not split any further was cut off."""
        with self._lock:
            self._n_cut_off += 1
            if self._n_cut_off >= _MAX_CUT_OFF:
                self.outcome = self.outcome or Outcome.TRUNCATED
