"""Nearest neighbours over decoder states (kNN-MT; Khandelwal and others 2021), with a store that grows.

Each piece of each correction is kept with the decoder's state before it. When a piece is chosen, the stored states
nearest to the present one vote for theirs:

    p(y) = (1 - a) p_static(y) + a sum_i [y_i = y] exp(-d_i / T) / sum_i exp(-d_i / T),   a = w exp(-d_1 / (4 T))

where d are squared distances, divided by their usual size between states that follow each other, and w is the balance:
where the nearest state is far, the network is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tertium.adaptation.base import Materials, SourceSegment, number
from tertium.adaptation.strategies.making import gate_of, live_of
from tertium.adaptation.strategies.neural import Gatekeeper, NeuralSystem, Pair

if TYPE_CHECKING:
    from tertium.adaptation.nmt.decoding import Hypothesis
    from tertium.adaptation.nmt.live import LiveNetwork

NEIGHBOURS, TEMPERATURE = 8, 0.1
_GROWTH = 4096  # states that room is made for at a time


class StateNeighbours(NeuralSystem):
    """The pieces of corrections whose decoder states are nearest vote for the next piece."""

    name = "knn"
    sentence = "nearest neighbours over decoder states (kNN-MT), a store that grows with every correction"
    options = ("neighbours", "temperature", "beam")

    def __init__(
        self,
        live: LiveNetwork,
        gate: Gatekeeper | None = None,
        *,
        neighbours: int = NEIGHBOURS,
        temperature: float = TEMPERATURE,
    ) -> None:
        super().__init__(live, gate)
        self.neighbours, self.temperature = neighbours, temperature
        self.size = 0
        self.spread, self.spreads = (
            0.0,
            0,
        )  # the mean squared distance of states that follow each other; of how many
        width = live.network.config.d_model
        self.keys = live.torch.zeros(_GROWTH, width, device=live.device)
        self.norms = live.torch.zeros(_GROWTH, device=live.device)
        self.values = live.torch.zeros(_GROWTH, dtype=live.torch.long, device=live.device)

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> StateNeighbours:
        return cls(
            live_of(materials, options),
            gate_of(materials),
            neighbours=int(number(options, "neighbours", NEIGHBOURS, 1, 256)),
            temperature=number(options, "temperature", TEMPERATURE, 1e-3, 100),
        )

    def _found(self, segment: SourceSegment, source: list[int], candidates: int) -> list[Hypothesis]:
        balance = self.balance

        def adjust(states: Any, log_probabilities: Any) -> Any:
            return self._mixed(states, log_probabilities, balance)

        return self.live.translate(
            source, candidates=candidates, adjust=adjust if self.size and balance else None
        )

    def _mixed(self, states: Any, log_probabilities: Any, balance: float) -> Any:
        torch = self.live.torch
        keys, number_ = self.keys[: self.size], min(self.neighbours, self.size)
        far = (states * states).sum(1, keepdim=True) + self.norms[: self.size] - 2 * states @ keys.T
        near, places = far.clamp(min=0).topk(number_, dim=1, largest=False)
        near = near / (max(self.spread, 1e-9) * self.temperature)
        votes = torch.softmax(-near, dim=1)
        share = balance * torch.exp(-near[:, :1] / 4)
        mixed = log_probabilities.exp() * (1 - share)
        mixed.scatter_add_(1, self.values[places], votes * share)
        return mixed.clamp(min=1e-12).log()

    def _absorb(self, segment: SourceSegment, pair: Pair) -> float:
        live, torch = self.live, self.live.torch
        source, target = pair
        with torch.no_grad():
            states, ids = live.states(live.encode([source]), [target])
            states, ids = states[0], ids[0]
            static = live.log_probabilities(states)
            picked = float(static.gather(1, ids[:, None]).sum())
            gain = 0.0
            if self.size:
                mixed = self._mixed(states, static, 0.9)
                gain = (float(mixed.gather(1, ids[:, None]).sum()) - picked) / len(target)
            self._store(states, ids)
        return gain

    def _store(self, states: Any, values: Any) -> None:
        torch, new = self.live.torch, len(states)
        while self.size + new > len(self.keys):
            self.keys = torch.cat([self.keys, torch.zeros_like(self.keys[:_GROWTH])])
            self.norms = torch.cat([self.norms, torch.zeros_like(self.norms[:_GROWTH])])
            self.values = torch.cat([self.values, torch.zeros_like(self.values[:_GROWTH])])
        if new > 1:
            far = float(((states[1:] - states[:-1]) ** 2).sum(1).mean())
            self.spreads += 1
            self.spread += (far - self.spread) / self.spreads
        own = slice(self.size, self.size + new)
        self.keys[own], self.values[own] = states, values
        self.norms[own] = (states * states).sum(1)
        self.size += new

    def _dynamic(self) -> Any:
        return {
            "keys": self.keys[: self.size].half(),
            "values": self.values[: self.size].clone(),
            "spread": (self.spread, self.spreads),
        }

    def _take_dynamic(self, dynamic: Any) -> None:
        self.size, self.spread, self.spreads = 0, 0.0, 0
        if dynamic is not None:
            self._store(dynamic["keys"].float(), dynamic["values"])
            self.spread, self.spreads = dynamic["spread"]

    def __str__(self) -> str:
        return f"{self.name}:neighbours={self.neighbours},temperature={self.temperature:g}"
