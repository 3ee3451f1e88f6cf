"""A learned order of proposals: learned from what came later, the same in every run, and able to say why."""

from __future__ import annotations

import json
import random
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.matching.candidates import MatchJob, gather
from tertium.matching.evaluating import evaluate_policy
from tertium.matching.evidence import MatchQuestion, consistency
from tertium.matching.index import MemoryIndex
from tertium.matching.learning import Normal
from tertium.matching.matching import Matcher, around, match_document
from tertium.matching.pasts import Past, examples
from tertium.matching.policy import BentLine, Policy
from tertium.matching.proposals import Context
from tertium.matching.training import train_policy, usual_day
from tertium.matching.words import words_of
from tests.matching.test_matching import memory

WORDS = {
    "open": "ouvrir", "close": "fermer", "save": "enregistrer", "print": "imprimer", "send": "envoyer",
    "file": "fichier", "window": "fenêtre", "message": "courriel", "picture": "image", "folder": "dossier",
    "old": "vieux", "new": "nouveau", "large": "grand", "small": "petit", "first": "premier",
    "today": "demain", "later": "tard", "again": "encore", "quickly": "vite", "slowly": "lentement",
}  # fmt: skip
STYLES = {
    "acme": "veuillez donc bien vouloir",
    "zeta": "merci beaucoup de toujours",
}  # how each client begins


def rows(n: int = 400, seed: int = 3) -> list[dict[str, str]]:
    """Sentences of four words, translated word by word, in the style of one of two clients."""
    draws = random.Random(seed)
    kinds = [list(WORDS)[at : at + 5] for at in range(0, 20, 5)]
    made = []
    for place in range(n):
        client = draws.choice(list(STYLES))
        words = [draws.choice(own) for own in kinds]
        made.append(
            {
                "source": " ".join(words),
                "target": " ".join([STYLES[client], *(WORDS[word] for word in words)]),
                "client": client,
                "document": f"d{place // 20}",
                "translator": f"t{place % 2}",
                "date": str(date(2023, 1, 1).replace(month=1 + place * 12 // n)),
            }
        )
    return made


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("policy")
    path = memory(folder, rows())
    policy = str(folder / "policy.json")
    train_policy(path, policy, since=date(2023, 7, 1))
    return path, policy


def test_the_client_counts_where_it_matters(trained: tuple[str, str]) -> None:
    """Clients differ in one word: what is learned prefers a client's own, and says so."""
    path, policy = trained
    learned = Policy.load(policy)
    assert {"domain", "context"} <= set(learned.unused)
    assert learned.earned["client"] > 0
    matcher = Matcher(MemoryIndex.open(path), policy=learned)
    texts = ["open file old today", "close window new later"]
    for client, style in STYLES.items():
        found = matcher.document(texts, MatchJob(client, "", "2024-01-01"))
        firsts = [own[0] for own in found]
        assert all(own.target.startswith(style) for own in firsts)
        own = firsts[0]
        assert own.worth is not None
        added = dict(own.earned)
        assert added["client"] > 0
        total = learned.mean + sum(added.values())
        assert own.worth == pytest.approx(min(1.0, max(0.0, total)))


def test_it_is_the_same_in_every_run(trained: tuple[str, str], tmp_path: Path) -> None:
    path, policy = trained
    again = str(tmp_path / "again.json")
    train_policy(path, again, since=date(2023, 7, 1))
    assert Path(again).read_text("utf-8") == Path(policy).read_text("utf-8")


def test_candidates_come_from_before_the_day_alone(trained: tuple[str, str]) -> None:
    past = Past(trained[0], "2023-07-01")
    later = past.later()
    given = examples(past, later)
    for part in given.parts:
        assert all(own.unit.date < "2023-07-01" for own in part.candidates.rows)
    known = {unit.source for unit in past.index.units()}
    assert all(unit.source not in known and unit.date >= "2023-07-01" for own in later for unit in own.units)


def test_ridge_is_the_closed_form() -> None:
    """Slopes and bends from sums are those of the regression on all rows."""
    draws = np.random.default_rng(5)
    values = draws.normal(size=(300, 1))
    saved = np.maximum(values[:, 0], 0.2) + 0.01 * draws.normal(size=300)
    normal = Normal(["characters"], values)
    products, slopes, *_ = normal.sums(values, saved)
    learnt = normal.solved(products, slopes, ["characters"])
    line = learnt.lines[0]
    columns = np.stack([values[:, 0], *(np.maximum(values[:, 0] - own, 0) for own in line.bends)], axis=1)
    standard = np.concatenate([(columns - columns.mean(0)) / columns.std(0), np.ones((300, 1))], axis=1)
    pull = np.diag([100.0] * columns.shape[1] + [0.0])
    weights = np.linalg.solve(standard.T @ standard + pull, standard.T @ saved)
    assert normal.scores(values, learnt) == pytest.approx(standard @ weights)
    assert np.isfinite(BentLine("x", "words", (), (1.0,), 0.5)(np.array([np.nan, 1.0]))).all()


def test_context_is_learned_where_a_memory_has_it(tmp_path: Path) -> None:
    """Of equal sources, the one whose neighbour is the same was taken later: so it comes first."""
    made = []
    for place, row in enumerate(rows()):
        near = place // 2 % 2 == 0
        made.append({**row, "x-context-pre": "Near" if near else "Far"})
        begin = "près d'ici tout contre " if near else "loin de là au bout "
        made[-1]["target"] = begin + row["target"].split(" ", 4)[4]
    path, policy = memory(tmp_path, made), str(tmp_path / "p.json")
    train_policy(path, policy, since=date(2023, 7, 1))
    learned = Policy.load(policy)
    assert learned.earned["context"] > 0
    matcher = Matcher(MemoryIndex.open(path), policy=learned)
    for before, word in (("Near", "près"), ("Far", "loin")):
        found = matcher.document(["open file old today"], contexts=[Context(before)])
        assert found[0][0].target.split()[0] == word


def test_what_it_saves_is_measured(trained: tuple[str, str]) -> None:
    found = evaluate_policy(trained[0], since=date(2023, 10, 1), learn_since=date(2023, 6, 1))
    ways = {own.method: own.saved for own in found.methods}
    assert ways["best of all candidates"] >= ways["policy"] > ways["most alike"] > ways["source copied"]
    assert "client" in {name for name, *_ in found.ablation}
    with pytest.raises(InputError, match="must come before"):
        evaluate_policy(trained[0], since=date(2023, 6, 1), learn_since=date(2023, 10, 1))


def test_a_memory_without_dates_or_clients_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ("source", "target", "document")
    bare = memory(tmp_path, [{name: row[name] for name in kept} for row in rows(100)], "bare")
    assert main(["memory", "policy", "train", bare, "-o", str(tmp_path / "p.json"), "-q"]) == 2
    assert "this memory has no dates" in " ".join(capsys.readouterr().err.split())
    dated = [{name: row[name] for name in (*kept, "date")} for row in rows()]
    path, policy = memory(tmp_path, dated, "dated"), str(tmp_path / "q.json")
    assert main(["memory", "policy", "train", path, "-o", policy, "-q"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "client is not used" in out
    assert "translator is not used" in out
    document = tmp_path / "new.txt"
    document.write_text("open file old today\n")
    notes = match_document(str(document), bare, policy=policy).notes
    assert any("nothing about client" in note for note in notes)
    assert usual_day(path) > "2023-06"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "x"}, "is no policy"),
        ({"version": 99}, "is version 99 of the format"),
        ({"mean": "much"}, "mean"),
        (
            {"lines": [{"name": "x", "piece": "words", "bends": [], "slopes": [1.0], "mean": 0.0}]},
            "no number 'x'",
        ),
        (
            {"lines": [{"name": "words", "piece": "words", "bends": [1.0], "slopes": [1.0], "mean": 0.0}]},
            "1 slopes and 1 bends",
        ),
    ],
)
def test_other_files_are_refused(
    trained: tuple[str, str], tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    data = json.loads(Path(trained[1]).read_text("utf-8"))
    other = tmp_path / "other.json"
    other.write_text(json.dumps(data | change), "utf-8")
    with pytest.raises(InputError, match=problem):
        Policy.load(str(other))


def test_what_is_translated_already_is_what_the_document_uses(trained: tuple[str, str]) -> None:
    """Words of a translation that the document has count as used, for all segments, and no proposal's do instead."""
    index = MemoryIndex.open(trained[0])
    words, texts = words_of(index), ["open file old today", "close window new later"]
    given = around(texts)
    style = STYLES["zeta"]
    used = []
    for targets in (("", ""), ("", f"{style} fermer")):
        asked = MatchQuestion(gather(index, texts, given, MatchJob(), words, targets=targets), words)
        consistency(asked, asked.candidates.characters)
        used.append(asked.candidates.column("words used"))
    first = asked.owner == 0
    theirs = np.array([own.target.startswith(style) for own in asked.candidates.rows])
    assert not used[0][first].any()  # nothing came before
    assert (used[1][first & theirs] > 0).all()
    assert used[1][first & theirs].mean() > used[1][first & ~theirs].mean()
