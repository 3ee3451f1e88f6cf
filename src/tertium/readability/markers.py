"""Words that mark subordination, negation, persons and the passive, in English and French; signs of both."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tertium.errors import SpecError
from tertium.text.connectives import connectives

_CLOSED = Path(__file__).parent.parent / "data" / "closed_class"
_SUBORDINATE = {
    "en": """that which who whom whose because although though while whereas if unless until when where since before
          after whether how why what as than""",
    "fr": """que qu' qui dont où lorsque lorsqu' puisque puisqu' quand si comme lequel laquelle lesquels lesquelles
          duquel auquel desquels auxquels quoi parce afin tandis quoique quoiqu' bien""",
}
_NEGATION = {
    "en": "not no never none nothing neither nor cannot nobody without",
    "fr": "ne n' pas jamais rien aucun aucune ni sans personne non",
}
_PERSONAL = {  # first and second persons
    "en": "i you we me us my your our mine yours ours",
    "fr": "je j' tu nous vous me m' te t' moi toi mon ma mes ton ta tes notre nos votre vos",
}
_PRONOUNS = {
    "en": "he she it they him her them his its their this these those",
    "fr": "il elle on ils elles se s' le la les lui leur eux son sa ses ce c' cela ça ceci",
}
_AUXILIARIES = {
    "en": "be is are was were been being am",
    "fr": "est sont était étaient été être fut furent sera seront étant soit soient",
}
_PARTICIPLES = {
    "en": re.compile(r".{2,}(?:ed|en)"),
    "fr": re.compile(r".{2,}(?:é|és|ée|ées|it|ite|ites|is|ise|ises|u|us|ue|ues)"),
}
LEARNED = re.compile(  # ends of words that came from Latin and Greek, into both languages
    r".{2,}(?:tion|sion|ment|it[éy]|ance|ence|ism|isme|iste?|ive?|ique|ical|ic|al|aux|elle|able|ible|aire|ary|o[ri]r[ey]|"
    r"ory|ure|ate|i[sz]er?|logy|logie)s?"
)
LANGUAGES = tuple(_SUBORDINATE)


@dataclass(frozen=True)
class Markers:
    """Words of one language by what they mark, in lower case."""

    closed: frozenset[str]
    subordinate: frozenset[str]
    negation: frozenset[str]
    personal: frozenset[str]
    pronouns: frozenset[str]
    auxiliaries: frozenset[str]
    connectives: frozenset[str]  # those of one word
    participle: re.Pattern[str]


@lru_cache(maxsize=4)
def markers(lang: str) -> Markers:
    """The markers of a language.

    >>> "because" in markers("en").subordinate
    True
    """
    if lang not in LANGUAGES:
        raise SpecError(
            f"the readability scale knows English and French, not {lang or 'a language without name'!r}: "
            "take a formula that holds for it (docs/metrics/readability.md)"
        )

    def listed(own: dict[str, str]) -> frozenset[str]:
        return frozenset(own[lang].split())

    return Markers(
        frozenset((_CLOSED / f"{lang}.txt").read_text("utf-8").split()),
        listed(_SUBORDINATE),
        listed(_NEGATION),
        listed(_PERSONAL),
        listed(_PRONOUNS),
        listed(_AUXILIARIES),
        frozenset(form for form in connectives(lang).entries if " " not in form),
        _PARTICIPLES[lang],
    )
