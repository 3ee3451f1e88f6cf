"""English trees of Universal Dependencies for metrics over parses: heads of one parser (`tools/ud_heads.py`), lemmas
and features of another, found by where words stand.

    python -m tools.ud_trees heads.conllu texts.en -o trees --morphology hanta:en

writes trees.conllu.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from tertium.io.records import text_lines
from tertium.text.parsers import parser as parser_named
from tertium.text.parses import Parsed


def joined(text: str, heads: Parsed, morphology: Parsed) -> Iterator[str]:
    """The lines of a text's sentences."""
    known = {span: n for n, span in enumerate(morphology.spans)}
    for begin, end in heads.sentences:
        yield f"# text = {text[heads.spans[begin][0] : heads.spans[end - 1][1]]}"
        for place in range(begin, end):
            n = known.get(heads.spans[place])
            lemma = morphology.lemmas[n] if n is not None else ""
            found = morphology.features[n] if n is not None else {}
            features = "|".join(f"{key}={value}" for key, value in sorted(found.items()))
            head = heads.heads[place]
            above = 0 if head < 0 else head - begin + 1
            columns = (heads.words[place], lemma or "_", heads.tags[place] or "X", "_", features or "_")
            yield "\t".join([str(place - begin + 1), *columns, str(above), heads.relations[place], "_", "_"])
        yield ""


def write(texts: Sequence[str], heads: str, prefix: str, morphology: str) -> None:
    """The file."""
    parsed = (parser_named(name).parse(texts) for name in (f"conllu:{heads}", morphology))
    with Path(f"{prefix}.conllu").open("w", encoding="utf-8") as file:
        for text, *own in zip(texts, *parsed, strict=True):
            file.writelines(f"{line}\n" for line in joined(text, *own))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("heads")
    parser.add_argument("files", nargs="+")
    parser.add_argument("-o", default="trees", dest="prefix")
    parser.add_argument("--morphology", default="hanta:en")
    given = parser.parse_args()
    lines = (" ".join(line.split()) for path in given.files for _, line in text_lines(path))
    texts = [text for text in dict.fromkeys(lines) if text]
    write(texts, given.heads, given.prefix, given.morphology)
    print(f"{given.prefix}.conllu: {len(texts)} texts")


if __name__ == "__main__":
    main()
