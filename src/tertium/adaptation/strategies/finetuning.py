"""Fine-tuning on each correction, with replay and a trust region.

A correction is learnt together with some earlier ones (replay), so that it does not drive them out; only the decoder's
layers move. No matrix of weights may be further from the static one than a share of its norm (the trust region:
what is beyond is projected back), and what translates lies between static and learnt weights, as the balance says:
W = W0 + w (W1 - W0).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tertium.adaptation.base import Materials, SourceSegment, number
from tertium.adaptation.strategies.making import gate_of, live_of
from tertium.adaptation.strategies.neural import Gatekeeper, NeuralSystem, Pair

if TYPE_CHECKING:
    from tertium.adaptation.nmt.decoding import Hypothesis
    from tertium.adaptation.nmt.live import LiveNetwork

RATE, REPLAYED, RADIUS = 1e-4, 4, 0.1
KEPT = 400  # corrections that can be replayed


class FineTuning(NeuralSystem):
    """All weights of the decoder learn from each correction and some earlier ones, not far from where they were."""

    name = "finetune"
    sentence = "fine-tuning of the decoder on each correction, with replay and a trust region"
    options = ("rate", "replay", "radius", "beam")

    def __init__(
        self,
        live: LiveNetwork,
        gate: Gatekeeper | None = None,
        *,
        rate: float = RATE,
        replay: int = REPLAYED,
        radius: float = RADIUS,
    ) -> None:
        super().__init__(live, gate)
        self.rate, self.replay, self.radius = rate, replay, radius
        torch = live.torch
        self.weights = [own for name, own in live.decoder.named_parameters() if "layers." in name]
        self.static = [own.detach().clone() for own in self.weights]
        self.dynamic = [own.detach().clone() for own in self.weights]
        self.norms = torch.stack(torch._foreach_norm(self.static)).clamp(min=1e-3)
        self.squares = [torch.zeros_like(own) for own in self.weights]  # running mean squares of gradients
        self.past: list[Pair] = []
        self._at = 0.0  # the balance of the weights that are in the network

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> FineTuning:
        return cls(
            live_of(materials, options),
            gate_of(materials),
            rate=number(options, "rate", RATE),
            replay=int(number(options, "replay", REPLAYED, 0, 64)),
            radius=number(options, "radius", RADIUS),
        )

    def _found(self, segment: SourceSegment, source: list[int], candidates: int) -> list[Hypothesis]:
        self._put(self.balance)
        return self.live.translate(source, candidates=candidates)

    def _absorb(self, segment: SourceSegment, pair: Pair) -> float:
        live, torch = self.live, self.live.torch
        draw = random.Random(self.learnt)
        batch = [pair, *draw.sample(self.past, min(self.replay, len(self.past)))]
        encoded = live.encode([source for source, _ in batch])
        targets = [target for _, target in batch]
        first = (encoded[0][:1], encoded[1][:1])
        with torch.no_grad():
            self._put(0.0)
            before = float(live.likelihoods(*live.states(first, targets[:1])))
        self._put(1.0)
        for own in self.weights:
            own.requires_grad_(True)
        own_likelihoods = live.likelihoods(*live.states(encoded, targets))
        lengths = torch.tensor([len(own) for own in targets], device=live.device)
        (-(own_likelihoods / lengths).mean()).backward()
        self._move()
        self.past = [*self.past[-KEPT + 1 :], pair]
        self._put(self.balance)
        return (float(own_likelihoods[0].detach()) - before) / len(pair[1])

    def _move(self) -> None:
        """A step against the gradient, each weight by the root of its mean square (Adam without momentum), and back
        into the trust region."""
        torch = self.live.torch
        kept, steps = 0.99, self.learnt + 1
        with torch.no_grad():
            slopes = [own.grad for own in self.weights]
            for own in self.weights:
                own.grad = None
                own.requires_grad_(False)
            torch._foreach_mul_(self.squares, kept)
            torch._foreach_addcmul_(self.squares, slopes, slopes, 1 - kept)
            roots = torch._foreach_div(self.squares, 1 - kept**steps)
            torch._foreach_sqrt_(roots)
            torch._foreach_add_(roots, 1e-6)
            torch._foreach_addcdiv_(self.dynamic, slopes, roots, -self.rate)
            moved = torch._foreach_sub(self.dynamic, self.static)
            far = torch.stack(torch._foreach_norm(moved)) / self.norms
            for place in (far > self.radius).nonzero().flatten().tolist():
                self.dynamic[place].copy_(self.static[place] + moved[place] * float(self.radius / far[place]))
        self._at = -1.0

    def _put(self, balance: float) -> None:
        """The weights of a balance into the network."""
        if balance == self._at:
            return
        torch = self.live.torch
        with torch.no_grad():
            if balance in (0.0, 1.0):
                torch._foreach_copy_(self.weights, self.dynamic if balance else self.static)
            else:
                torch._foreach_copy_(self.weights, self.static)
                torch._foreach_lerp_(self.weights, self.dynamic, balance)
        self._at = balance

    def _dynamic(self) -> Any:
        return {
            "weights": [own.clone() for own in self.dynamic],
            "squares": [own.clone() for own in self.squares],
            "past": list(self.past),
        }

    def _take_dynamic(self, dynamic: Any) -> None:
        torch = self.live.torch
        self._at = -1.0
        with torch.no_grad():
            torch._foreach_copy_(self.dynamic, self.static if dynamic is None else dynamic["weights"])
            if dynamic is None:
                torch._foreach_zero_(self.squares)
            else:
                torch._foreach_copy_(self.squares, dynamic["squares"])
        self.past = [] if dynamic is None else [(list(a), list(b)) for a, b in dynamic["past"]]

    def __str__(self) -> str:
        return f"{self.name}:rate={self.rate:g},replay={self.replay},radius={self.radius:g}"
