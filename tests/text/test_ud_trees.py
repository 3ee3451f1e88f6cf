"""Heads of one parser with lemmas and features of another: found by where words stand, whoever cut them how."""

from __future__ import annotations

from pathlib import Path

from tertium.text.parsers import parser
from tools.ud_trees import write

HEADS = """# newdoc
# text = Old men slept.
1\tOld\t_\tADJ\tJJ\t_\t2\tamod\t_\t_
2\tmen\t_\tNOUN\tNNS\t_\t3\tnsubj\t_\t_
3\tslept\t_\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
4\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_

# text = They didn't.
1\tThey\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tdid\t_\tAUX\tVBD\t_\t0\troot\t_\tSpaceAfter=No
3\tn't\t_\tPART\tRB\t_\t2\tneg\t_\tSpaceAfter=No
4\t.\t_\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
FORMS = "men\tman\tNOUN\tNumber=Plur\nslept\tsleep\tVERB\tTense=Past\nThey\tthey\tPRON\tNumber=Plur\n"


def test_trees_have_both(tmp_path: Path) -> None:
    (tmp_path / "heads.conllu").write_text(HEADS, "utf-8")
    (tmp_path / "forms.tsv").write_text(FORMS, "utf-8")
    text = "Old men slept. They didn't."
    write(
        [text], str(tmp_path / "heads.conllu"), str(tmp_path / "trees"), f"lexicon:{tmp_path / 'forms.tsv'}"
    )
    (found,) = parser(f"conllu:{tmp_path / 'trees.conllu'}").parse([text])
    assert found.words == ("Old", "men", "slept", ".", "They", "did", "n't", ".")
    assert found.heads == (1, 2, -1, 2, 5, -1, 5, 5)
    assert found.lemmas[1:3] == ("man", "sleep")
    assert found.features[2] == {"Tense": "Past"}
    assert found.features[5] == {}  # the other parser has one word there
    assert found.tags[1] == "NOUN"
    assert found.relations[0] == "amod"
