"""Writes the tables of docs/doctor.md: real files damaged in every way the doctor knows, and real files as they are.

    python -m tools.doctor_table [--shared ../shared] [--page docs/doctor.md] [--only blocks]

A damage is done to 1, 2, 5, 10, 50 and 100% of the lines (drawn with a seed) of one system, or of the references, in
two test sets; the table has the level of what is found, the milder one of the two. Nothing is damaged in the second
table: what is found there is a defect of the files, or a false alarm.
"""

from __future__ import annotations

import argparse
import gzip
import random
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tertium.comparison import Diagnosis, examine
from tools.pages import filled

_HERE = Path(__file__).resolve().parent.parent
SHARES = (1, 2, 5, 10, 50, 100)
BLOCKS = (1, 2, 3, 4, 5, 9, 29, 99, 199, 800)
DRAWN = {1: 200, 2: 100, 3: 100, 4: 100}  # blocks at random places; of others 20
DAMAGED = (("en-de", "uedin-nmt.4722"), ("ru-en", "online-B.0"))  # thresholds were chosen on other pairs
NEWER = ("GPT4-5shot", "NLLB_Greedy")  # of WMT23's 557 paragraphs
ORDER = ("no", "look", "serious", "unusable")
PAIRS = ("de-en", "en-de", "cs-en", "en-cs", "ru-en", "en-ru", "zh-en", "en-zh")
Lines = list[str]


def lines_of(path: Path) -> Lines:
    """The lines of a file, which may be compressed."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return text.removesuffix("\n").split("\n")


@dataclass(frozen=True)
class Material:
    """A test set: a reference, a source, systems, and lines in a language that none of them is in."""

    pair: str
    reference: Lines
    source: Lines
    systems: Mapping[str, Lines]
    foreign: Lines

    @classmethod
    def wmt17(cls, shared: Path, pair: str) -> Material:
        base, both = shared / "data" / "wmt17", pair.replace("-", "")
        [reference] = (base / "references").glob(f"*-{both}-ref*")
        [source] = (base / "sources").glob(f"*-{both}-src*")
        [foreign] = (base / "sources").glob("*-csen-src*" if "de" in pair else "*-deen-src*")
        systems = {
            path.name.removeprefix("newstest2017.").removesuffix(f".{pair}.gz"): lines_of(path)
            for path in sorted((base / "system-outputs" / pair).iterdir())
        }
        return cls(pair, lines_of(reference), lines_of(source), systems, lines_of(foreign))

    def examined(self, *, identify: bool = True) -> Diagnosis:
        source, target = self.pair.split("-")
        return examine(
            {"reference": self.reference},
            self.systems,
            {"source": self.source},
            source_language=source,
            target_language=target,
            identify=identify,
        )


Change = Callable[[str, int, Material], str]  # a line, where it stands, what stands beside it


@dataclass(frozen=True)
class Damage:
    """What is done to lines, what the doctor should call it, and to which text it is done."""

    check: str
    change: Change
    to_reference: bool = False
    identify: bool = False
    claimed: int = 5  # per cent of the lines: from there on it is found, and serious

    def done(self, whole: Material, system: str, places: Iterable[int]) -> Material:
        """A test set of one system, with these lines damaged."""
        lines = list(whole.reference if self.to_reference else whole.systems[system])
        for i in places:
            lines[i] = self.change(lines[i], i, whole)
        if self.to_reference:
            return replace(whole, reference=lines, systems={system: whole.systems[system]})
        return replace(whole, systems={system: lines})

    def level(self, whole: Material, system: str, places: Iterable[int]) -> str:
        """How serious the doctor finds it; `no` if it does not."""
        where = "reference" if self.to_reference else system
        found = self.done(whole, system, places).examined(identify=self.identify).findings
        levels = {one.severity for one in found if one.check == self.check and one.where == where}
        return next((level for level in reversed(ORDER) if level in levels), "no")


def _half(line: str, _: int, __: Material) -> str:
    words = line.split()
    return " ".join(words[: len(words) // 2]) if len(words) > 1 else line[: len(line) // 2]


def _bracketed(line: str, i: int, beside: Material) -> str:
    words = [word for word in beside.source[i].split() if word.isalpha()][:2]
    return f"{line} [{' '.join(words)}]" if words else line


def _doubled(line: str, _: int, __: Material) -> str:
    words = line.split()
    longest = max(range(len(words)), key=lambda k: len(words[k]) * words[k].isalpha(), default=0)
    return " ".join([*words[: longest + 1], *words[longest:]])


def _by_line(change: Callable[[str], str]) -> Change:
    return lambda line, _, __: change(line)


def _in_turn(*forms: str) -> Change:
    """What the line becomes: each form for another line."""
    return lambda line, i, _: forms[i % len(forms)].format(line)


def _letters(pairs: str) -> Change:
    table = str.maketrans(pairs[::2], pairs[1::2])
    return lambda line, _, __: line.translate(table)


MARKS = ("<unk>", "</s>", "[UNK]", "\u2047", "<pad>", "<|endoftext|>", "__en__", "<2de>")
PREAMBLES = (
    *("Here is the translation:", "Sure! Here's the translation:", "Certainly, here is the translated text:"),
    *(
        "Translation:",
        "**Translation:**",
        "English translation:",
        "The translation is:",
        "Final translation:",
    ),
    *(
        "Here is the German version:",
        "This translates to:",
        "German:",
        "Output:",
        "Hier ist die Übersetzung:",
    ),
    *("Die Übersetzung lautet:", "Voici la traduction :", "I'm sorry, but I cannot do that."),
)
DAMAGES: dict[str, Damage] = {
    "the reference is the source": Damage(
        "untranslated", lambda _, i, beside: beside.source[i], to_reference=True
    ),
    "the output is the source": Damage("untranslated", lambda _, i, beside: beside.source[i]),
    "another language, with py3langid": Damage(
        "language", lambda _, i, beside: beside.foreign[i % len(beside.foreign)], identify=True
    ),
    "another language, without": Damage(
        "language", lambda _, i, beside: beside.foreign[i % len(beside.foreign)]
    ),
    "another language in the references": Damage(
        "language", lambda _, i, beside: beside.foreign[i % len(beside.foreign)], to_reference=True
    ),
    "another script": Damage(
        "script", _by_line(lambda line: "".join(chr(0x3B1 + ord(c) % 24) for c in line))
    ),
    "cut in half": Damage("cut off", _half),
    "cut at 10 words": Damage("cut off", _by_line(lambda line: " ".join(line.split()[:10]))),
    "cut at 25 words": Damage("cut off", _by_line(lambda line: " ".join(line.split()[:25])), claimed=100),
    "cut at 40 words": Damage("cut off", _by_line(lambda line: " ".join(line.split()[:40])), claimed=100),
    "cut at 100 characters": Damage("cut off", _by_line(lambda line: line[:100])),
    "a phrase in a loop": Damage("loops", _by_line(lambda line: line + " " + " ".join(line.split()[:3] * 4))),
    "a word twice": Damage("repeated words", _doubled),
    "`<unk>` and seven other marks": Damage("markers", _in_turn(*(f"{{}} {mark}" for mark in MARKS))),
    "ALL CAPS": Damage("capitals", _by_line(str.upper)),
    "brackets with source text in the references": Damage("brackets", _bracketed, to_reference=True),
    "sixteen preambles": Damage("preambles", _in_turn(*(f"{text} {{}}" for text in PREAMBLES))),
    "code fences": Damage("fences", _by_line(lambda line: f"```{line}```")),
    "quotation marks around lines": Damage("quotes", _in_turn('"{}"', "“{}”", "„{}“", "«{}»", "'{}'")),
    "zero-width spaces": Damage("invisible", _by_line(lambda line: line.replace(" ", " \u200b", 1))),
    "soft hyphens, joiners, marks of direction": Damage(
        "invisible", _in_turn(*(f"{{}}{invisible}" for invisible in "\u00ad\u200d\u200e\u2060\u202a"))
    ),
    "no-break spaces": Damage("no-break spaces", _by_line(lambda line: line.replace(" ", "\xa0"))),
    "thin and other spaces": Damage(
        "no-break spaces", lambda line, i, _: line.replace(" ", "\u202f\u2009\u2002\u205f"[i % 4])
    ),
    "homoglyphs": Damage("homoglyphs", _letters("aаeеoоpрcс")),
    "full-width punctuation": Damage("full-width", _letters(".．,，!！?？:：")),
    "tabs": Damage("separators", _by_line(lambda line: line.replace(" ", "\t", 1))),
    "`|||`": Damage("separators", _by_line(lambda line: f"{line} ||| -3.2")),
    "leaked references": Damage("leak", lambda _, i, beside: beside.reference[i]),
    "empty lines": Damage("empty lines", _by_line(lambda _: "")),
    "UTF-8 read as Latin-1": Damage(
        "encoding", _by_line(lambda line: (line + " é").encode().decode("latin-1"))
    ),
    "HTML entities": Damage("markup", _by_line(lambda line: f"&quot;{line}&quot;")),
}


def shifted(lines: Lines, length: int, at: int = 800, *, late: bool = False) -> Lines:
    """A block of lines from `at` on that stand one line too early, with the one before them after them; or too late."""
    block = lines[at : at + length + 1]
    moved = [block[-1], *block[:-1]] if late else [*block[1:], block[0]]
    return [*lines[:at], *moved, *lines[at + length + 1 :]]


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def damage_table(wholes: Mapping[str, Material]) -> str:
    """The level of what is found by damage and share."""
    rows = [_row("damage", "check", *(f"{share}%" for share in SHARES)), _row(*["---"] * (len(SHARES) + 2))]
    for name, damage in DAMAGES.items():
        cells = []
        for share in SHARES:
            levels = []
            for pair, system in DAMAGED:
                size = len(wholes[pair].reference)
                places = random.Random(share).sample(range(size), -(-size * share // 100))
                levels.append(damage.level(wholes[pair], system, places))
            cells.append(min(levels, key=ORDER.index))
        rows.append(_row(name.replace("|", r"\|"), damage.check, *cells))
        print(rows[-1], flush=True)
    return "\n".join(rows)


def findable(whole: Material, system: str, length: int, at: int, *, late: bool) -> bool:
    """Whether some line has two words that its own reference has, and that where it comes to stand has not.

    If two lines change places, either of them may be the one.
    """
    first = at if late else at + 1
    moved = [(i, i + 1 if late else i - 1) for i in range(first, first + length)]
    for i, other in [*moved, (moved[0][1], moved[0][0])] if length == 1 else moved:
        own, theirs = whole.reference[i].split(), whole.reference[other].split()
        if len(set(whole.systems[system][i].split()) & set(own) - set(theirs)) >= 2:
            return True
    return False


def _located(whole: Material, system: str, length: int) -> str:
    """Of blocks at random places, one line too early and too late in turn: those found within a line at both ends."""
    draw, located, hidden, turn = random.Random(length), 0, 0, 0
    wanted = DRAWN.get(length, 20)
    while turn < wanted:
        at, late = draw.randrange(len(whole.reference) - length - 1), turn % 2 == 1
        if not findable(whole, system, length, at, late=late):
            hidden += 1
            continue
        turn += 1
        lines = shifted(whole.systems[system], length, at, late=late)
        found = replace(whole, systems={system: lines}).examined(identify=False).findings
        first, last, off = (at + 1 + late, at + length + late, 1) if length > 1 else (at + 1, at + 2, 0)
        located += any(
            abs(one.lines[0] - first) <= off and abs(one.lines[0] + one.count - 1 - last) <= off
            for one in found
            if one.check == "order" and one.where == system
        )
    return f"{located} of {wanted}" + (f" ({hidden} not findable)" if hidden else "")


def block_table(wholes: Mapping[str, Material], newer: Material) -> str:
    """Where blocks that are shifted by one are found."""
    rows = [_row("lines in the block", *BLOCKS), _row(*["---"] * (len(BLOCKS) + 1))]
    for pair, system in DAMAGED:
        cells = []
        for length in BLOCKS:
            damaged = shifted(wholes[pair].systems[system], length)
            found = replace(wholes[pair], systems={system: damaged}).examined(identify=False).findings
            blocks = [one for one in found if one.check == "order" and one.where == system]
            cells.append(
                f"{blocks[0].lines[0]} to {blocks[0].lines[0] + blocks[0].count - 1}" if blocks else "no"
            )
        rows.append(_row(f"{pair}, from line 801", *cells))
    for pair, system in DAMAGED:
        rates = [_located(wholes[pair], system, length) for length in BLOCKS]
        rows.append(_row(f"{pair}, {system.partition('.')[0]}, at random places", *rates))
    for system in NEWER:
        rates = [_located(newer, system, length) if length < 500 else "" for length in BLOCKS]
        rows.append(_row(f"WMT23 en-de, {system}, at random places", *rates))
    return "\n".join(rows)


def clean_table(wholes: Iterable[tuple[str, Material]]) -> str:
    """Serious findings in files as they are."""
    rows = [_row("test set", "systems", "with serious findings", "what"), _row(*["---"] * 4)]
    for name, whole in wholes:
        found = [one for one in whole.examined().findings if one.severity == "serious"]
        systems = {one.where for one in found} & set(whole.systems)
        checks = ", ".join(
            sorted({one.check + (" (reference)" if one.where == "reference" else "") for one in found})
        )
        rows.append(_row(name, len(whole.systems), len(systems), checks or "nothing"))
        print(rows[-1], flush=True)
    return "\n".join(rows)


def order_table(wholes: Iterable[tuple[str, Material]]) -> str:
    """Lines said to be out of place in files as they are, each output by itself, with the source and without."""
    rows = [_row("test set", "outputs", "without the source", "with it"), _row(*["---"] * 4)]
    for name, whole in wholes:
        cells = []
        for sources in (None, {"source": whole.source}):
            said: Counter[str] = Counter()
            for system, lines in whole.systems.items():
                found = examine({"ref": whole.reference}, {system: lines}, sources, identify=False).findings
                said.update(one.message for one in found if one.check == "order")
            cells.append("; ".join(f"{text} ({count})" for text, count in said.most_common()) or "nothing")
        rows.append(_row(name, len(whole.systems), *cells))
        print(rows[-1], flush=True)
    return "\n".join(rows)


def unseen(shared: Path, folder: Path) -> Iterable[tuple[str, Material]]:
    """Test sets on which nothing was chosen."""
    for archive in ("mtme/wmt23-en-de.tar.xz", "wmt12/wmt12-to-en.tar.xz"):
        with tarfile.open(shared / "data" / archive) as file:
            file.extractall(folder, filter="data")
    base = folder / "wmt23"
    outputs = {path.stem: lines_of(path) for path in sorted((base / "system-outputs" / "en-de").iterdir())}
    reference, source = (
        lines_of(base / "references" / "en-de.refA.txt"),
        lines_of(base / "sources" / "en-de.txt"),
    )
    systems = {name: lines for name, lines in outputs.items() if "ref" not in name}
    yield "WMT23 en-de", Material("en-de", reference, source, systems, [])
    base = folder / "wmt12"
    reference = lines_of(base / "references" / "newstest2012-ref.en")
    for pair in ("cs-en", "de-en"):
        paths = sorted((base / "system-outputs" / "newstest2012" / pair).iterdir())
        systems = {path.name.split(f"{pair}.")[1]: lines_of(path) for path in paths}
        source = lines_of(base / "sources" / f"newstest2012-src.{pair[:2]}")
        yield f"WMT12 {pair}", Material(pair, reference, source, systems, [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=_HERE.parent / "shared")
    parser.add_argument("--page", type=Path, default=_HERE / "docs" / "doctor.md")
    parser.add_argument("--only", nargs="+", default=("damages", "blocks", "clean", "order"), metavar="TABLE")
    given = parser.parse_args()
    wholes = {pair: Material.wmt17(given.shared, pair) for pair in PAIRS}
    with tempfile.TemporaryDirectory() as folder:
        sets = [(f"WMT17 {pair}", whole) for pair, whole in wholes.items()]
        others = list(unseen(given.shared, Path(folder)))
        tables: dict[str, Callable[[], str]] = {
            "damages": lambda: damage_table(wholes),
            "blocks": lambda: block_table(wholes, others[0][1]),
            "clean": lambda: clean_table([*sets, *others]),
            "order": lambda: order_table([*sets, *others]),
        }
        blocks = {name: tables[name]() for name in given.only}
    given.page.write_text(filled(given.page.read_text(encoding="utf-8"), blocks), encoding="utf-8")


if __name__ == "__main__":
    main()
