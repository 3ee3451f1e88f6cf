"""Terms over texts side by side: what a document's source repeats, and what it becomes each time (doc:terms)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from tertium.documents.layers import Drawn, Layer, Mark, MarkedGroup, Setting
from tertium.errors import SpecError
from tertium.families.terms import Terms, segments
from tertium.text.cut import words_only
from tertium.text.parses import Parsed
from tertium.text.term_choices import TermUse, alike, folding
from tertium.text.terms import TermPlace, common_words

_OTHER = "another translation"


def _drawn(setting: Setting) -> list[Drawn]:
    names = setting.documents[0].names
    if all(name.role != "source" for name in names):
        raise SpecError("terms are terms of the source: name the source texts (--source FILE)")
    if not setting.glossary and not common_words(setting.source_lang):
        raise SpecError(
            f"there is no list of common words for {setting.source_lang!r}, so terms are not known"
        )
    metric = Terms(
        lang=setting.lang,
        source_lang=setting.source_lang,
        glossary=setting.glossary,
        source_parser=setting.source_parser,
    )
    [source] = setting.documents[0].places("source")
    shown = [text for text in range(len(names)) if text != source]
    lines = {
        text: [
            segments(one.parsed[source].text, one.parsed[text].text)[text != source]
            for one in setting.documents
        ]
        for text in (source, *shown)
    }
    whole = [len({len(own[d]) for own in lines.values()}) == 1 for d in range(len(setting.documents))]
    for text, own in lines.items():  # where one of the texts has other lines, all of them are one
        lines[text] = [
            one if alike_cut else [setting.documents[d].parsed[text].text]
            for d, (one, alike_cut) in enumerate(zip(own, whole, strict=True))
        ]
    sources = metric.parsed_sources(lines[source])
    terms = metric.terms(sources)
    found = dict(zip(shown, metric.uses(terms, sources, [lines[text] for text in shown]), strict=True))
    drawn = []
    for d, one in enumerate(setting.documents):
        cut = {text: _Cut(one.parsed[text], lines[text][d]) for text in (source, *shown)}
        groups = []
        for k, term in enumerate(terms[d]):
            uses = {text: found[text][d][k] for text in shown}
            if all(len(use.choices) == 0 for use in uses.values()):
                continue
            marks = [
                Mark(source, words) for place in term.places if (words := cut[source].at(sources[d], place))
            ]
            for text, use in uses.items():
                marks += [
                    Mark(text, words, remark) for words, remark in _chosen(use, cut[text], setting.lang)
                ]
            varied = [names[text].name for text, use in uses.items() if not use.consistent]
            remark = f"varies in {', '.join(varied)}" if varied else ""
            groups.append(MarkedGroup(term.text, tuple(marks), remark))
        drawn.append(Drawn(groups=tuple(groups)))
    return drawn


class _Cut:
    """A text and its segments: which words of it those of a segment are."""

    def __init__(self, parsed: Parsed, pieces: Sequence[str]) -> None:
        self.pieces = pieces
        self._begins = [begin for begin, _ in parsed.spans]
        self._ends = [end for _, end in parsed.spans]
        self._starts = []
        place = 0
        for piece in pieces:
            self._starts.append(place)
            place += len(piece) + 1

    def words(self, segment: int, begin: int, end: int) -> tuple[int, ...]:
        """The words that characters of a segment touch."""
        start = self._starts[segment]
        return tuple(range(bisect_right(self._ends, start + begin), bisect_left(self._begins, start + end)))

    def at(self, parsed: Sequence[Parsed], place: TermPlace) -> tuple[int, ...]:
        spans = parsed[place.segment].spans[place.begin : place.begin + place.words]
        return self.words(place.segment, spans[0][0], spans[-1][1])


def _chosen(use: TermUse, cut: _Cut, lang: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """The words of each occurrence's translation; of a choice that is not the most frequent one with a remark."""
    fold = folding(lang)
    for number, choice in enumerate(use.choices):
        parts = [fold(word) for word in choice.text.split()]
        seen: dict[int, int] = {}
        for occurrence in choice.occurrences:
            segment = use.term.places[occurrence].segment
            parsed = words_only(cut.pieces[segment])
            nth = seen[segment] = seen.get(segment, -1) + 1
            spans = []
            for part in parts:
                fitting = [
                    span
                    for word, span in zip(parsed.words, parsed.spans, strict=True)
                    if alike(fold(word), part)
                ]
                spans += fitting[nth : nth + 1]
            words = sorted({word for begin, end in spans for word in cut.words(segment, begin, end)})
            if words:
                yield tuple(words), _OTHER if number else ""


TERMS = Layer(
    "Terms",
    "What the source repeats, and its translations, in braces with a letter; ≠: not the usual one.",
    _drawn,
    "letters",
)
