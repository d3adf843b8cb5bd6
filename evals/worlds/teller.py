"""A model on loopback that knows every sentence of a world: it answers a night's questions with the labels, in the form it is asked for.

So the labels take the whole road of a model's answer: prompt, wire, checks, and all stages after. It is a careless one: for what is planted
it gives rows too, which must come to nothing. Belongs here: what it says. Does not belong here: HTTP (`chat`), and what is true.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict

from evals.chat import Loopback, Reply, Request, Said
from evals.metered import counter
from evals.worlds.scenes import World
from slowwave.text import squash

MODEL = "openai/labels"
_PAIR = re.compile(r"^\[(\d+)a\] ", re.MULTILINE)
Rows = tuple[tuple[str, ...], ...]


class Teller(Loopback):
    """The server. `told` are the sentences it was shown and labelled; what is in `known` and not in it never reached a question."""

    def __init__(self, world: World) -> None:
        super().__init__(self._answer, counter())
        self.known: dict[str, Rows] = {squash(saying.text): saying.rows for saying in world.year.sayings}
        self.planted: dict[str, Rows] = {squash(text): (row,) for text, row in world.planted.items()}
        self.told: set[str] = set()
        self.tempted: set[str] = set()

    def _answer(self, request: Request) -> Reply:
        asked = request.messages[-1]["content"]
        if pairs := _PAIR.findall(asked):
            verdicts = [{"pair": int(number), "verdict": "unrelated"} for number in pairs]
            return Reply(json.dumps({"verdicts": verdicts}))
        return Reply(json.dumps({"rows": self._rows(request.said)}, ensure_ascii=False))

    def _rows(self, said: list[Said]) -> list[list[str]]:
        numbers: dict[str, list[int]] = defaultdict(list)
        for line in said:
            numbers[line.text].append(line.number)
        found: list[list[str]] = []
        for text, places in numbers.items():
            for sentence, rows in self._labels(text):
                (self.told if sentence in self.known else self.tempted).add(sentence)
                found += [[str(place), *row] for place in places for row in rows]
        return found

    def _labels(self, text: str) -> list[tuple[str, Rows]]:
        """The labels of a line: of the sentence that it is, or of those that it holds where the line was not cut as they were."""
        every = {**self.known, **self.planted}
        if text in every:
            return [(text, every[text])]
        return [(sentence, rows) for sentence, rows in every.items() if sentence in text]
