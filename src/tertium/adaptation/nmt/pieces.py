"""The vocabulary: SentencePiece's pieces, then marks for clients, domains and matches; the last is the padding.

White space inside a text is kept: line ends and tabs are signs of their own. What stands at both ends of a source is no
part of what the network sees, and is put back around the translation.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from tertium.adaptation.nmt.examples import TaggedPair
from tertium.errors import InputError, MissingExtraError

END, UNKNOWN, PAD = "</s>", "<unk>", "<pad>"
SIGNS = {"\n": "\ue00a", "\t": "\ue009", "\r": "\ue00d"}  # private characters
_SEEN = str.maketrans(SIGNS)
_TEXT = str.maketrans({sign: char for char, sign in SIGNS.items()})
STEPS = range(5, 11)  # of likeness, in tenths, each with a mark of its own
LEAST = 0.5  # matches below are not shown
_MODEL, _MARKS = "pieces.model", "marks.json"


class PieceVocabulary:
    """Pieces of texts and marks, as numbers."""

    def __init__(self, model: bytes, marks: Sequence[str]) -> None:
        self.model, self.marks = model, list(marks)
        pieces: int = self._processor.get_piece_size()
        self.size = pieces + len(self.marks) + 1
        self.pad, self.end = self.size - 1, 0
        self._marks = {mark: pieces + place for place, mark in enumerate(self.marks)}

    @cached_property
    def _processor(self) -> Any:
        processor = sentencepiece().SentencePieceProcessor()
        processor.LoadFromSerializedProto(self.model)
        return processor

    @property
    def tokens(self) -> list[str]:
        """All of them, by number."""
        processor = self._processor
        return (
            [processor.id_to_piece(number) for number in range(processor.get_piece_size())]
            + self.marks
            + [PAD]
        )

    @classmethod
    def learn(cls, examples: Sequence[TaggedPair], pieces: int, *, clients: int = 20) -> PieceVocabulary:
        """Pieces of both sides together; marks for clients and domains with so many examples or more."""
        import io

        out = io.BytesIO()
        texts = (text for own in examples for text in (seen(own.source), seen(own.target)) if text)
        try:
            sentencepiece().SentencePieceTrainer.train(
                sentence_iterator=iter(sorted(set(texts))),
                model_writer=out,
                model_type="bpe",
                vocab_size=pieces,
                character_coverage=0.9998,
                byte_fallback=True,
                normalization_rule_name="identity",
                remove_extra_whitespaces=False,
                user_defined_symbols=list(SIGNS.values()),
                eos_id=0,
                unk_id=1,
                bos_id=-1,
                pad_id=-1,
                eos_piece=END,
                unk_piece=UNKNOWN,
                hard_vocab_limit=False,
                num_threads=4,
                max_sentence_length=8000,
                minloglevel=2,
            )
        except RuntimeError as error:
            raise InputError(f"no vocabulary of {pieces} pieces could be learnt: {_short(error)}") from None
        marks = [*_often("client", (own.client for own in examples), clients)]
        marks += _often("domain", (own.domain for own in examples), clients)
        return cls(out.getvalue(), [f"<match:{step}>" for step in STEPS] + marks)

    def source(
        self,
        example: TaggedPair,
        *,
        tags: bool = True,
        match: bool = False,
        sampling: float = 0.0,
        longest: int = 0,
    ) -> list[int]:
        """What the encoder sees: tags that it knows, the source, and the match behind a mark that says how alike."""
        head = self.tags(example.client, example.domain) if tags else []
        body = self.text(example.source, sampling)
        if match and example.match and example.likeness >= LEAST:
            step = min(int(example.likeness * 10 + 1e-6), STEPS[-1])
            body = [*body, self._marks[f"<match:{step}>"], *self.text(example.match, sampling)]
        if longest:
            body = body[: longest - len(head) - 1]
        return [*head, *body, self.end]

    def target(self, example: TaggedPair, *, sampling: float = 0.0, longest: int = 0) -> list[int]:
        """What the decoder has to say."""
        body = self.text(example.target, sampling)
        return [*(body[: longest - 1] if longest else body), self.end]

    def tags(self, client: str, domain: str = "") -> list[int]:
        """Marks of a client and a domain, if they were seen often enough."""
        wanted = (f"<client:{client}>", f"<domain:{domain}>")
        return [self._marks[mark] for mark in wanted if mark in self._marks]

    def text(self, text: str, sampling: float = 0.0) -> list[int]:
        """A text as pieces; with `sampling`, each merge is left out with this probability."""
        if sampling:
            found: list[int] = self._processor.encode(
                seen(text), enable_sampling=True, alpha=sampling, nbest_size=-1
            )
        else:
            found = self._processor.encode(seen(text))
        return found

    def read(self, numbers: Iterable[int]) -> str:
        """Pieces as a text, up to the end mark; marks and padding are left out."""
        pieces, own = self._processor.get_piece_size(), []
        for number in numbers:
            if number == self.end:
                break
            if number < pieces:
                own.append(int(number))
        text: str = self._processor.decode(own)
        return text.translate(_TEXT)

    def save(self, folder: str) -> None:
        """Writes it into the folder of a model or of examples."""
        with open(os.path.join(folder, _MODEL), "wb") as file:
            file.write(self.model)
        with open(os.path.join(folder, _MARKS), "w", encoding="utf-8") as text:
            json.dump(self.marks, text, ensure_ascii=False)

    @classmethod
    def load(cls, folder: str) -> PieceVocabulary:
        """The vocabulary that lies in a folder."""
        try:
            with open(os.path.join(folder, _MODEL), "rb") as file:
                model = file.read()
            with open(os.path.join(folder, _MARKS), encoding="utf-8") as text:
                marks = json.load(text)
            return cls(model, marks)
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(f"{folder}: no vocabulary ({_short(error)})") from None


def seen(text: str) -> str:
    """A text as the network sees it.

    >>> seen("  One\\n two ") == "One\\ue00a two"
    True
    """
    return text.strip().translate(_SEEN)


def framed(source: str, translation: str) -> str:
    """A translation with the white space around it that its source has.

    >>> framed("  One: ", "Un :")
    '  Un : '
    """
    inner = source.strip()
    if not inner:
        return source
    begin = source.index(inner)
    return source[:begin] + translation.strip() + source[begin + len(inner) :]


def sentencepiece() -> Any:
    """The package."""
    try:
        import sentencepiece as found
    except ImportError:
        raise MissingExtraError("SentencePiece", "adapt") from None
    return found


def _often(kind: str, names: Iterable[str], least: int) -> list[str]:
    from collections import Counter

    return [f"<{kind}:{name}>" for name, number in sorted(Counter(names).items()) if name and number >= least]


def _short(error: Exception) -> str:
    return str(error).strip().splitlines()[-1][:200] if str(error).strip() else type(error).__name__
