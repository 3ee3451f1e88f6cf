"""Decoding by CTranslate2: the trained network with 8-bit weights on the CPU, beams, n-best lists, scores of tokens."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium.adaptation.nmt.pieces import END, UNKNOWN, PieceVocabulary
from tertium.errors import InputError, MissingExtraError

QUANTIZATION = "int8"
LONGEST = 256  # pieces of a translation


@dataclass(frozen=True)
class Hypothesis:
    """A translation; its pieces, each with its log-probability (the last is the end mark)."""

    text: str
    score: float  # mean log-probability of a piece
    tokens: tuple[str, ...] = ()
    token_scores: tuple[float, ...] = ()


class Decoder:
    """A converted model that translates numbers of pieces."""

    def __init__(self, folder: str, *, threads: int = 2, beam: int = 4) -> None:
        self.vocabulary = PieceVocabulary.load(folder)
        self.beam = beam
        self._tokens = self.vocabulary.tokens
        self._numbers = {token: number for number, token in enumerate(self._tokens)}
        place = converted(folder)
        try:
            self._translator = ctranslate2().Translator(
                place, device="cpu", compute_type=QUANTIZATION, inter_threads=1, intra_threads=threads
            )
        except (RuntimeError, ValueError) as error:
            raise InputError(
                f"{place}: no converted model ({str(error).splitlines()[0]}); remove it"
            ) from None

    def translate(
        self, sources: Sequence[Sequence[int]], *, candidates: int = 1, tokens: bool = False
    ) -> list[list[Hypothesis]]:
        """For each source its best translations; with `tokens`, those of the first are scored one by one."""
        written = [[self._tokens[number] for number in own[:-1]] + [END] for own in sources]
        found = self._translator.translate_batch(
            written,
            beam_size=max(self.beam, candidates),
            num_hypotheses=candidates,
            return_scores=True,
            max_decoding_length=LONGEST,
            max_batch_size=2048,
            batch_type="tokens",
        )
        lists = [
            [
                Hypothesis(self._text(pieces), float(score), tuple(pieces))
                for pieces, score in zip(own.hypotheses, own.scores, strict=True)
            ]
            for own in found
        ]
        if tokens:
            scored = self._translator.score_batch(written, [list(own[0].tokens) for own in lists])
            for own, scores in zip(lists, scored, strict=True):
                first = own[0]
                own[0] = Hypothesis(
                    first.text, first.score, tuple(scores.tokens), tuple(map(float, scores.log_probs))
                )
        return lists

    def likelihood(self, sources: Sequence[Sequence[int]], target: Sequence[int]) -> list[float]:
        """The log-probability of one target given each of the sources, summed over its pieces."""
        written = [[self._tokens[number] for number in own[:-1]] + [END] for own in sources]
        wanted = [self._tokens[number] for number in target[:-1]]
        found = self._translator.score_batch(written, [wanted] * len(written))
        return [float(sum(own.log_probs)) for own in found]

    def _text(self, pieces: Sequence[str]) -> str:
        return self.vocabulary.read(self._numbers[piece] for piece in pieces)


def converted(folder: str, quantization: str = QUANTIZATION) -> str:
    """Where the converted model lies; made when it is first needed, whole or not at all."""
    place = os.path.join(folder, f"ctranslate2-{quantization}")
    if os.path.isdir(place):
        return place
    from tertium.adaptation.nmt.network import load

    ctranslate2()
    network, vocabulary = load(folder)
    from ctranslate2.converters.transformers import MarianMTLoader

    spec: Any = MarianMTLoader()(network, _Names(vocabulary))
    spec.validate()
    spec.optimize(quantization=quantization)
    part = f"{place}.{os.getpid()}.part"
    try:
        os.makedirs(part)
        spec.save(part)
        os.replace(part, place)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        if not os.path.isdir(place):  # nobody else has made it meanwhile
            raise InputError(
                f"{place}: the model cannot be converted there ({error.strerror or error})"
            ) from None
    return place


class _Names:
    """What the converter asks a tokeniser."""

    eos_token, unk_token = END, UNKNOWN

    def __init__(self, vocabulary: PieceVocabulary) -> None:
        self.vocabulary = vocabulary

    def get_vocab(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.vocabulary.tokens)}


def ctranslate2() -> Any:
    """The package."""
    try:
        import ctranslate2 as found
    except ImportError:
        raise MissingExtraError("decoding by CTranslate2", "adapt") from None
    return found
