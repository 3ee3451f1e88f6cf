"""Edinburgh++ (Cohn, Callison-Burch and Lapata 2008): English sentences that people aligned, with their parses.

The parses are Stanford's; they are read as Universal Dependencies as far as the aligner needs them: tags by their
universal names, relations renamed, and prepositions hung below their objects.
"""

from __future__ import annotations

import gzip
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from tertium.text.parses import Parsed, joined

Link = tuple[int, int]
_TAGS = """ADP IN TO RP; DET DT PDT; PRON WDT PRP PRP$ WP WP$ EX; NOUN NN NNS; PROPN NNP NNPS; ADJ JJ JJR JJS;
ADV RB RBR RBS WRB; CCONJ CC; NUM CD; AUX MD; PART POS; INTJ UH; X FW; SYM SYM $; VERB VB VBD VBZ VBP VBN VBG"""
TAGS = {name: line.split()[0] for line in _TAGS.split(";") for name in line.split()[1:]}
_RELATIONS = """nsubj nsubj; nsubj:pass nsubjpass; obj dobj; iobj iobj; csubj csubj; csubj:pass csubjpass; ccomp ccomp;
xcomp xcomp acomp attr; compound nn number; compound:prt prt; amod amod; det det predet; aux aux; aux:pass auxpass;
advmod advmod neg quantmod; conj conj; cc cc preconj; nmod:poss poss; case possessive case; nummod num; cop cop;
acl:relcl rcmod; acl partmod infmod; mark complm mark rel; appos appos abbrev; advcl advcl purpcl pcomp; obl:tmod tmod;
obl:npmod npadvmod; parataxis parataxis; expl expl; fixed mwe; dep dep; root root; punct punct;
obl prep pobj obl; nmod nmod"""
RELATIONS = {name: line.split()[0] for line in _RELATIONS.split(";") for name in line.split()[1:]}


@dataclass(frozen=True)
class Pair:
    """Two sentences, or paragraphs made of some, and the links between their words."""

    ours: Parsed
    theirs: Parsed
    links: frozenset[Link]


def read(folder: Path) -> list[Pair]:
    """The 714 pairs of the training part with sure links."""
    data = json.loads((folder / "gold.train.sure.json").read_text(encoding="utf-8"))
    with gzip.open(folder / "edinburgh.train.parsed.xml.gz") as file:
        parses = [_parsed(sentence) for sentence in ElementTree.parse(file).getroot()]
    if len(parses) != 2 * len(data):
        raise SystemExit(f"{folder}: {len(parses)} parses for {len(data)} pairs")
    pairs = []
    for k, item in enumerate(data):
        ours, theirs = parses[2 * k : 2 * k + 2]
        if (ours.words, theirs.words) != (tuple(item["source"].split()), tuple(item["target"].split())):
            raise SystemExit(f"{folder}: the parses of {item['id']} have other words")
        links = frozenset(tuple(map(int, link.split("-"))) for link in item["sureAlign"].split())
        pairs.append(Pair(ours, theirs, links))  # type: ignore[arg-type]
    return pairs


def paragraph(pairs: list[Pair]) -> Pair:
    """Pairs one after the other, as one pair."""
    links, before = set(), (0, 0)
    for pair in pairs:
        links |= {(i + before[0], j + before[1]) for i, j in pair.links}
        before = before[0] + len(pair.ours), before[1] + len(pair.theirs)
    sides = [
        joined(texts, " ".join(text.text for text in texts))
        for texts in ([pair.ours for pair in pairs], [pair.theirs for pair in pairs])
    ]
    return Pair(sides[0], sides[1], frozenset(links))


def _parsed(sentence: ElementTree.Element) -> Parsed:
    found = list(sentence.iterfind("words/word"))
    words = tuple(word.text or "" for word in found)
    tags = [TAGS.get(word.get("pos", ""), "PUNCT") for word in found]
    heads, relations = [-1] * len(words), [""] * len(words)
    for dependency in sentence.iter("dep"):
        head, own = (int(dependency.find(name).get("idx", 0)) - 1 for name in ("governor", "dependent"))  # type: ignore[union-attr]
        heads[own], relations[own] = head, dependency.get("type", "")
    for place, relation in enumerate(relations):
        case = heads[place]
        if relation in ("pobj", "pcomp") and case >= 0 and relations[case] == "prep":
            above = heads[case]
            heads[place], heads[case], relations[case] = above, place, "case"
            relations[place] = "obl" if above >= 0 and tags[above] in ("VERB", "ADJ", "ADV") else "nmod"
    relations = [RELATIONS.get(name, name) for name in relations]
    tags = [
        "AUX" if name in ("aux", "aux:pass", "cop") else tag
        for tag, name in zip(tags, relations, strict=True)
    ]
    return Parsed(" ".join(words), words, tags=tuple(tags), heads=tuple(heads), relations=tuple(relations))
