"""Trees of link-grammar: what its program printed becomes brackets and dependencies over the words of the text."""

from __future__ import annotations

from pathlib import Path

import tertium as tt
from tools.link_grammar import conllu, parsed_output, write

# As link-parser 5.12 prints it, with -echo=1 -graphics=0 -constituents=1.
OUTPUT = """graphics set to 0
The old man (Bob) sleeps.
Found 4 linkages (4 had no P.P. violations)
	Linkage 1, cost vector = (UNUSED=0 DIS= 0.00 LEN=10)
(S (NP the old.a man.n
       (NP { Bob{!}.b }))
   (VP sleeps.v)
   .)

Xyzzy plugh.
No complete linkages found.

Small nematode changes {are} it.
Found 2 linkages (2 had no P.P. violations) at null count 1
	Linkage 1, cost vector = (UNUSED=1 DIS= 1.00 LEN=5)
(S (NP Small{!} nematode{?}.n)
   (VP changes.v {are}
       (NP it))
   .)

Bye.
"""
TEXTS = ["The old man (Bob) sleeps.", "Xyzzy plugh.", "Small nematode changes are it."]


def test_trees_of_the_program() -> None:
    output = OUTPUT.replace("changes {are} it.\nFound", "changes are it.\nFound")
    trees = list(parsed_output(output, TEXTS))
    assert trees[1] is None
    first, last = trees[0], trees[2]
    assert first is not None
    assert last is not None
    assert first.brackets() == (
        "(S (NP (W The) (a old) (n man) (NP (W -LRB-) (b Bob) (W -RRB-))) (VP (v sleeps)) (W .))"
    )
    assert last.brackets() == "(S (NP (W Small) (n nematode)) (VP (v changes) (W are) (NP (W it))) (W .))"
    heads = [int(row.split("\t")[6]) for row in conllu(first, TEXTS[0]).split("\n")[1:] if row]
    # The, old and Bob's bracket hang on man, man and the full stop on sleeps
    assert heads == [3, 3, 7, 6, 6, 3, 0, 7]


def test_a_tree_that_is_not_of_the_text_is_none() -> None:
    output = "a b c\n(S (NP a.n b.n))\n\nd\n(S d.n)\n"
    assert [tree and tree.brackets() for tree in parsed_output(output, ["a b c", "d"])] == [None, "(S (n d))"]


def test_what_is_written_can_be_scored(tmp_path: Path) -> None:
    output = OUTPUT.replace("changes {are} it.\nFound", "changes are it.\nFound")
    prefix = str(tmp_path / "trees")
    assert write(TEXTS, parsed_output(output, TEXTS), prefix) == (3, 1)
    for spec in (f'tskm:parser="penn:{prefix}.penn"', f'treeaggreg:parser="conllu:{prefix}.conllu"'):
        same = tt.metric(spec).score(TEXTS, TEXTS)
        other = tt.metric(spec).score(TEXTS, TEXTS[1:] + TEXTS[:1])
        assert same is not None
        assert other is not None
        assert round(same, 6) == 100 > other
