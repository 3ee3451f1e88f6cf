"""A network that can change while it translates: torch in the loop, for strategies that learn from each correction.

Beam search stands on the cache of transformers; whoever wants to have a say in each step (nearest neighbours) is asked
with the decoder's states. Learning touches the decoder alone: the encoder's states of a source are then computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tertium.adaptation.nmt import network as networks
from tertium.adaptation.nmt.batching import padded
from tertium.adaptation.nmt.decoding import LONGEST, Hypothesis

Adjust = Callable[[Any, Any], Any]  # decoder states and log-probabilities to log-probabilities


class LiveNetwork:
    """A network and its vocabulary."""

    def __init__(self, folder: str, *, beam: int = 3, device: str = "cpu") -> None:
        self.torch = networks.torch()
        self.network, self.vocabulary = networks.load(folder)
        self.network.requires_grad_(False)
        self.network.to(device)
        self.beam, self.device = beam, device

    @property
    def decoder(self) -> Any:
        """The part that learns."""
        return self.network.model.decoder

    def encode(self, sources: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """The encoder's states of sources, and which of them are no padding."""
        ids = self._ids(sources)
        mask = (ids != self.vocabulary.pad).long()
        with self.torch.no_grad():
            return self.network.model.encoder(input_ids=ids, attention_mask=mask).last_hidden_state, mask

    def states(self, encoded: tuple[Any, Any], targets: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """The decoder's states before each piece of the targets, and the targets, padded."""
        ids = self._ids(targets)
        before = ids.roll(1, dims=1)
        before[:, 0] = self.vocabulary.pad
        found = self.decoder(
            input_ids=before,
            encoder_hidden_states=encoded[0],
            encoder_attention_mask=encoded[1],
            use_cache=False,
        ).last_hidden_state
        return found, ids

    def log_probabilities(self, states: Any) -> Any:
        """Of all pieces but the padding."""
        return self.torch.log_softmax(networks.scores(self.network, states), dim=-1)

    def likelihoods(self, states: Any, ids: Any) -> Any:
        """The log-probability of each target, summed over its pieces."""
        own = self.log_probabilities(states)
        real = ids != self.vocabulary.pad
        picked = own.gather(-1, ids.clamp(max=own.shape[-1] - 1).unsqueeze(-1)).squeeze(-1)
        return (picked * real).sum(dim=1)

    def translate(
        self, source: Sequence[int], *, candidates: int = 1, adjust: Adjust | None = None
    ) -> list[Hypothesis]:
        """The best translations of a source by beam search, best mean log-probability first."""
        torch, end = self.torch, self.vocabulary.end
        width = max(self.beam, candidates)
        most = min(LONGEST, 10 + 2 * len(source))  # loops end, too
        done: list[tuple[float, list[int], list[float]]] = []
        with torch.no_grad():
            encoded, mask = self.encode([source])
            beams: list[tuple[list[int], list[float]]] = [([], [])]
            totals = torch.zeros(1, device=self.device)
            cache = None
            last = torch.full((1, 1), self.vocabulary.pad, device=self.device)
            for _ in range(most):
                rows = len(beams)
                out = self.decoder(
                    input_ids=last,
                    encoder_hidden_states=encoded.expand(rows, -1, -1),
                    encoder_attention_mask=mask.expand(rows, -1),
                    past_key_values=cache,
                    use_cache=True,
                )
                cache = out.past_key_values
                hidden = out.last_hidden_state[:, -1]
                step = self.log_probabilities(hidden)
                if adjust is not None:
                    step = adjust(hidden, step)
                sums = totals.unsqueeze(1) + step
                best, places = sums.view(-1).topk(min(2 * width, sums.numel()))
                kept: list[tuple[int, int, float]] = []
                size = step.shape[-1]
                for total, place in zip(best.tolist(), places.tolist(), strict=True):
                    row, piece = divmod(place, size)
                    pieces, own = beams[row]
                    score = total - sum(own)
                    if piece == end:
                        done.append((total / (len(pieces) + 1), pieces, [*own, score]))
                    elif len(kept) < width:
                        kept.append((row, piece, total))
                if not kept or (len(done) >= width and max(done)[0] >= kept[0][2] / (len(beams[0][0]) + 1)):
                    break
                chosen = torch.tensor([row for row, _, _ in kept], device=self.device)
                cache.reorder_cache(chosen)
                totals = torch.tensor([total for _, _, total in kept], device=self.device)
                last = torch.tensor([[piece] for _, piece, _ in kept], device=self.device)
                beams = [
                    ([*beams[row][0], piece], [*beams[row][1], total - sum(beams[row][1])])
                    for row, piece, total in kept
                ]
        if not done:  # it never ends: what there is
            done = [(sum(own) / max(len(own), 1), pieces, own) for pieces, own in beams]
        done.sort(key=lambda own: -own[0])
        tokens = self._tokens
        return [
            Hypothesis(
                self.vocabulary.read(pieces), score, tuple(tokens[piece] for piece in pieces), tuple(own)
            )
            for score, pieces, own in done[:candidates]
        ]

    def _ids(self, rows: Sequence[Sequence[int]]) -> Any:
        table = padded([list(own) for own in rows], self.vocabulary.pad, 1)
        return self.torch.from_numpy(table).long().to(self.device)

    @property
    def _tokens(self) -> list[str]:
        if not hasattr(self, "_names"):
            self._names = self.vocabulary.tokens
        return self._names
