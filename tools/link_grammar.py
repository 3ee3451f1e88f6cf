"""English trees by Debian's link-grammar, for metrics over parses: `python -m tools.link_grammar A.en B.en -o trees`
writes trees.penn and trees.conllu with the different lines of these files.

link-grammar (apt-get install link-grammar link-grammar-dictionaries-en) finds links between words, and phrases from
them. Its phrases are written in brackets as they are, each word below the class that the dictionary gives it (n, v,
a...). The dependencies are **not** those of Universal Dependencies: each phrase has the head that a few rules choose
(`_HEADS`), and the rest of it hangs there. Lemmas, tags and features are those of another parser (--morphology). A line
without linkage becomes a flat tree; how many there are is printed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tertium.io.records import text_lines
from tertium.text.parsers import parser as parser_named
from tertium.text.parses import Parsed

COMMAND = (
    "link-parser",
    "en",
    "-graphics=0",
    "-constituents=1",
    "-timeout=2",
    "-limit=100",
    "-echo=1",
    "-spell=0",
)
AT_ONCE, SECONDS = 100, 600
_PIECE = re.compile(r"[()]|[^\s()]+")
_MARK = re.compile(r"\{[!?~&][^}]*\}")
_CLASS = re.compile(r"\.([a-z])[\w#=-]*$")
_TAGS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "e": "ADV", "r": "ADP", "p": "ADP", "j": "CCONJ"}
# Of each phrase: labels of its head, best first; whether it is looked for from the end.
_HEADS: dict[str, tuple[tuple[str, ...], bool]] = {
    "S": (("VP", "S", "v"), False),
    "SINV": (("VP", "v"), False),
    "SBAR": (("S", "VP"), False),
    "VP": (("v", "VP"), False),
    "NP": (("n", "NP"), True),
    "WHNP": (("n", "NP"), True),
    "PP": (("r", "W"), False),
    "ADJP": (("a",), True),
    "ADVP": (("e",), True),
}
_OTHERWISE: tuple[tuple[str, ...], bool] = (("VP", "v", "n"), False)


@dataclass
class Phrase:
    """A phrase, or a word with its class."""

    label: str
    word: str = ""
    below: list[Phrase] = field(default_factory=list)
    place: int = -1  # of words

    def words(self) -> Iterator[Phrase]:
        if self.word:
            yield self
        for child in self.below:
            yield from child.words()

    def head(self) -> Phrase:
        if self.word:
            return self
        labels, last = _HEADS.get(self.label, _OTHERWISE)
        ordered = self.below[::-1] if last else self.below
        found = next((child for label in labels for child in ordered if child.label == label), ordered[0])
        return found.head()

    def brackets(self) -> str:
        if self.word:
            word = self.word.replace("(", "-LRB-").replace(")", "-RRB-")
            return f"({self.label} {word})"
        return f"({self.label} {' '.join(child.brackets() for child in self.below)})"


def parsed_output(output: str, texts: Sequence[str]) -> Iterator[Phrase | None]:
    """The tree of each text, if there is one: what stands between the echo of a text and the next."""
    lines, known = output.split("\n"), set(texts)
    at = 0
    for text in texts:
        while at < len(lines) and lines[at] != text:
            at += 1
        block: list[str] = []
        begin = at + 1
        for line in lines[begin:]:
            if line.startswith("(") or (block and line.startswith(" ")):
                block.append(line)
            elif block or line in known:
                break
        yield fitted("\n".join(block), text) if block else None


def fitted(brackets: str, text: str) -> Phrase | None:
    """The tree with its words as the text has them; None where they do not make it up."""
    stack = [Phrase("")]
    at, before = 0, ""
    for piece in _PIECE.findall(brackets):
        if piece == ")":
            done = stack.pop()
            if done.below and stack:
                stack[-1].below.append(done)
        elif before == "(":
            stack.append(Phrase(piece))
        elif piece != "(":
            while text[at : at + 1].isspace():
                at += 1
            word, kind = _word(piece, text[at:])
            if not word:
                return None
            stack[-1].below.append(Phrase(kind, word))
            at += len(word)
        before = piece
    if text[at:].strip() or len(stack) != 1 or len(stack[0].below) != 1:
        return None
    return stack[0].below[0]


def _word(piece: str, text: str) -> tuple[str, str]:
    """What of the text a leaf stands for, and its class."""
    bare = _MARK.sub("", piece)
    found = _CLASS.search(bare)
    cut = bare[: found.start()] if found and found.start() else bare
    inner = bare[1:-1] if bare.startswith("{") and bare.endswith("}") else bare
    for word in (bare, cut, inner):
        if word and text[: len(word)].lower() == word.lower():
            return text[: len(word)], found[1] if found and word == cut != bare else "W"
    if text[:1] and text[0] in {"{": "([{", "}": ")]}"}.get(
        bare, ""
    ):  # all brackets are printed as curly ones
        return text[0], "W"
    return "", ""


def flat(text: str) -> Phrase:
    return Phrase("S", below=[Phrase("W", word) for word in parser_named("").parse([text])[0].words])


def conllu(tree: Phrase, text: str, morphology: Parsed | None = None) -> str:
    """Each word hangs on the head of the phrase above, unless it is that head."""
    words = list(tree.words())
    for place, word in enumerate(words):
        word.place = place
    heads = [-1] * len(words)

    def hang(phrase: Phrase) -> None:
        own = phrase.head()
        for child in phrase.below:
            if child.head() is not own:
                heads[child.head().place] = own.place
            hang(child)

    hang(tree)
    known = {} if morphology is None else {span: n for n, span in enumerate(morphology.spans)}
    rows, at = [f"# text = {text}"], 0
    for place, word in enumerate(words):
        begin = text.index(word.word, at)
        at = begin + len(word.word)
        lemma, tag, features = "_", _TAGS.get(word.label, "X"), "_"
        if morphology is not None and (n := known.get((begin, at))) is not None:
            lemma, tag = morphology.lemmas[n] or "_", morphology.tags[n] or tag
            features = (
                "|".join(f"{key}={value}" for key, value in sorted(morphology.features[n].items())) or "_"
            )
        relation = "root" if heads[place] < 0 else "dep"
        rows.append(
            f"{place + 1}\t{word.word}\t{lemma}\t{tag}\t_\t{features}\t{heads[place] + 1}\t{relation}\t_\t_"
        )
    return "\n".join(rows) + "\n\n"


def outputs(texts: Sequence[str]) -> Iterator[Phrase | None]:
    """Trees of texts, so many at once that a crash costs little. A line that begins with ! or * would be a command."""
    for begin in range(0, len(texts), AT_ONCE):
        part = texts[begin : begin + AT_ONCE]
        safe = [text.lstrip("!*%") for text in part]
        try:
            done = subprocess.run(
                COMMAND,
                input="\n".join(safe) + "\n",
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
            found = done.stdout
        except subprocess.TimeoutExpired:
            found = ""
        for text, own, tree in zip(part, safe, parsed_output(found, safe), strict=True):
            yield tree if text == own else None


def write(
    texts: Sequence[str], trees: Iterable[Phrase | None], prefix: str, morphology: str = ""
) -> tuple[int, int]:
    """The files; how many trees there are, and how many of them are flat."""
    number = without = 0
    words = parser_named(morphology).parse(texts)
    with (
        Path(f"{prefix}.penn").open("w", encoding="utf-8") as penn,
        Path(f"{prefix}.conllu").open("w", encoding="utf-8") as dependencies,
    ):
        for text, tree, own in zip(texts, trees, words, strict=True):
            made = tree or flat(text)
            if not any(made.words()):
                continue
            number, without = number + 1, without + (tree is None)
            penn.write(made.brackets() + "\n")
            dependencies.write(conllu(made, text, own))
    return number, without


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("-o", default="trees", dest="prefix")
    parser.add_argument("--morphology", default="", help="a parser for lemmas, tags and features: hanta:en")
    given = parser.parse_args()
    texts = list(
        dict.fromkeys(" ".join(line.split()) for path in given.files for _, line in text_lines(path))
    )
    texts = [text for text in texts if text]
    number, without = write(texts, outputs(texts), given.prefix, given.morphology)
    print(f"{given.prefix}.penn, {given.prefix}.conllu: {number} trees, {without} of them flat")


if __name__ == "__main__":
    main()
