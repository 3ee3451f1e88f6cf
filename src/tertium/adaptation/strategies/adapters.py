"""Low-rank adapters by client (LoRA; Hu and others 2022): W x + w B A x on the decoder's matrices.

Each client has a pair (A, B) for every adapted matrix, of a few thousand numbers; the static network is shared and
never changes. B begins as zero, so that a new client has the static translation. w is the client's own balance.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tertium.adaptation.base import Materials, SourceSegment, number
from tertium.adaptation.strategies.making import gate_of, live_of
from tertium.adaptation.strategies.neural import Gatekeeper, NeuralSystem, Pair
from tertium.adaptation.strategies.weighing import DynamicWeight

if TYPE_CHECKING:
    from tertium.adaptation.nmt.decoding import Hypothesis
    from tertium.adaptation.nmt.live import LiveNetwork

RANK, RATE, REPLAYED = 8, 2e-3, 4
KEPT = 200  # corrections of a client that can be replayed
ADAPTED = ("self_attn.v_proj", "self_attn.q_proj", "encoder_attn.q_proj", "encoder_attn.v_proj", "fc1", "fc2")


class Adapters(NeuralSystem):
    """A small low-rank change of the decoder for each client, learnt from the client's corrections."""

    name = "adapters"
    sentence = "low-rank adapters of the decoder, a set for each client"
    options = ("rank", "rate", "replay", "beam")

    def __init__(
        self,
        live: LiveNetwork,
        gate: Gatekeeper | None = None,
        *,
        rank: int = RANK,
        rate: float = RATE,
        replay: int = REPLAYED,
    ) -> None:
        super().__init__(live, gate)
        self.rank, self.rate, self.replay = rank, rate, replay
        self.clients: dict[str, dict[str, Any]] = {}
        self._now: dict[str, Any] | None = None  # the client whose adapters are in use
        self._scale = 0.0
        self._parts = [
            (name, part)
            for name, part in live.decoder.named_modules()
            if name.endswith(ADAPTED) and isinstance(part, live.torch.nn.Linear)
        ]
        for place, (_, part) in enumerate(self._parts):
            part.register_forward_hook(self._hook(place))

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> Adapters:
        return cls(
            live_of(materials, options),
            gate_of(materials),
            rank=int(number(options, "rank", RANK, 1, 256)),
            rate=number(options, "rate", RATE),
            replay=int(number(options, "replay", REPLAYED, 0, 64)),
        )

    def _hook(self, place: int) -> Any:
        def add(part: Any, inputs: tuple[Any, ...], output: Any) -> Any:
            if self._now is None or not self._scale:
                return output
            down, up = self._now["weights"][2 * place : 2 * place + 2]
            return output + self._scale * (inputs[0] @ down.T @ up.T)

        return add

    def _client(self, name: str) -> dict[str, Any]:
        """The adapters of a client; new ones change nothing."""
        if name not in self.clients:
            torch = self.live.torch
            draw = torch.Generator().manual_seed(1)
            weights: list[Any] = []
            for _, part in self._parts:
                down = torch.randn(self.rank, part.in_features, generator=draw) / part.in_features**0.5
                up = torch.zeros(part.out_features, self.rank)
                weights += [down.to(self.live.device), up.to(self.live.device)]
            self.clients[name] = {
                "weights": weights,
                "means": [torch.zeros_like(own) for own in weights],
                "squares": [torch.zeros_like(own) for own in weights],
                "steps": 0,
                "balance": DynamicWeight().state(),
                "past": [],
            }
        return self.clients[name]

    def _found(self, segment: SourceSegment, source: list[int], candidates: int) -> list[Hypothesis]:
        self._now = self.clients.get(segment.client)
        self.weight.value = DynamicWeight().value if self._now is None else self._now["balance"]["value"]
        self._scale = self.balance if self._now is not None else 0.0
        return self.live.translate(source, candidates=candidates)

    def _absorb(self, segment: SourceSegment, pair: Pair) -> float:
        live, torch = self.live, self.live.torch
        own = self._client(segment.client)
        past: list[Pair] = own["past"]
        batch = [pair, *random.Random(self.learnt).sample(past, min(self.replay, len(past)))]
        encoded = live.encode([source for source, _ in batch])
        targets = [target for _, target in batch]
        self._now = None
        with torch.no_grad():
            before = float(live.likelihoods(*live.states((encoded[0][:1], encoded[1][:1]), targets[:1])))
        self._now, self._scale = own, 1.0
        for weight in own["weights"]:
            weight.requires_grad_(True)
        likelihoods = live.likelihoods(*live.states(encoded, targets))
        lengths = torch.tensor([len(target) for target in targets], device=live.device)
        slopes = torch.autograd.grad(-(likelihoods / lengths).mean(), own["weights"])
        for weight in own["weights"]:
            weight.requires_grad_(False)
        self._move(own, slopes)
        own["past"] = [*past[-KEPT + 1 :], pair]
        # The balance is the client's; `learn` moves `weight`, from which it is taken back.
        self.weight.take(own["balance"])
        gain = (float(likelihoods[0].detach()) - before) / len(pair[1])
        moved = DynamicWeight()
        moved.take(own["balance"])
        moved.learn(gain)
        own["balance"] = moved.state()
        return gain

    def _move(self, own: dict[str, Any], slopes: Any) -> None:
        """Adam."""
        torch = self.live.torch
        own["steps"] += 1
        with torch.no_grad():
            torch._foreach_lerp_(own["means"], slopes, 0.2)
            torch._foreach_mul_(own["squares"], 0.98)
            torch._foreach_addcmul_(own["squares"], slopes, slopes, 0.02)
            roots = torch._foreach_div(own["squares"], 1 - 0.98 ** own["steps"])
            torch._foreach_sqrt_(roots)
            torch._foreach_add_(roots, 1e-6)
            rate = self.rate / (1 - 0.8 ** own["steps"])
            torch._foreach_addcdiv_(own["weights"], own["means"], roots, -rate)

    def _dynamic(self) -> Any:
        def copied(value: Any) -> Any:
            return (
                [one.clone() if hasattr(one, "clone") else one for one in value]
                if isinstance(value, list)
                else value
            )

        return {
            name: {key: copied(value) for key, value in own.items()} for name, own in self.clients.items()
        }

    def _take_dynamic(self, dynamic: Any) -> None:
        self.clients = dict(dynamic or {})
        for own in self.clients.values():
            own["past"] = [(list(a), list(b)) for a, b in own["past"]]
        self._now = None

    def __str__(self) -> str:
        return f"{self.name}:rank={self.rank},rate={self.rate:g},replay={self.replay}"
