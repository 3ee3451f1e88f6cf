"""Terms of corrections: linked to a word of the source, put in at the first repetition, left out where people do."""

from __future__ import annotations

from tertium.adaptation.base import Materials, SourceSegment, system
from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.measures import MeasuredStream, repeated_errors
from tertium.adaptation.simulating import run_stream, with_machine
from tertium.adaptation.static import Echo
from tertium.adaptation.terms import LearntTerms, spaced
from tertium.io.memories.pairs import Pair
from tertium.text.lexical import LexicalModel

PAIR = Pair("en", "fr")


def test_one_correction_is_enough_and_the_place_is_found() -> None:
    terms = LearntTerms("en", "fr")
    terms.learn("Eject the device", "Expulser le dispositif", "Éjecter le périphérique", 1)
    assert terms.apply("Unknown device", "Dispositif inconnu")[0] == "Périphérique inconnu"
    assert terms.apply("Device", "Bidule")[0] == "Périphérique"
    assert (
        terms.apply("Nothing of it", "Un dispositif")[0] == "Un dispositif"
    )  # the source does not ask for it
    assert terms.apply("Device", "Un périphérique")[0] == "Un périphérique"


def test_the_memory_says_which_word_is_meant() -> None:
    """Both words are missing and stand crosswise: only the memory knows which is which."""
    given = ["red", "red house", "house", "blue", "blue house", "the red"] * 5
    made = ["rouge", "maison rouge", "maison", "bleue", "maison bleue", "la rouge"] * 5
    terms = LearntTerms("en", "fr", LexicalModel.learn(made, given))
    terms.learn("red house", "casa roja", "maison rouge", 1)
    assert {word: [rule.right for rule in own] for word, own in terms.rules.items()} == {
        "red": ["rouge"],
        "house": ["maison"],
    }


def test_what_people_leave_out_is_left_out_but_beside_the_same_words() -> None:
    terms = LearntTerms("en", "fr")
    terms.learn("Open the drive", "Ouvrir l'unité", "Ouvrir le lecteur", 1)
    assert terms.apply("Close a drive", "Fermer une unité")[0] == "Fermer une lecteur"
    terms.learn("Warp drive", "Unité warp", "Propulsion warp", 2)
    terms.learn("Warp drive engaged", "Unité warp engagée", "Propulsion warp engagée", 3)
    assert "lecteur" not in terms.apply("Close a drive", "Fermer une unité")[0]
    assert "propulsion" in terms.apply("Old warp drive", "Vieille unité warp")[0]


def test_going_back_forgets_all_that_later_lessons_taught() -> None:
    lessons = [("Eject", "Expulser", "Éjecter", 1), ("Drive", "Unité", "Lecteur", 2)]
    terms, first = LearntTerms("en", "fr"), LearntTerms("en", "fr")
    for own in lessons:
        terms.learn(*own)
    first.learn(*lessons[0])
    terms.cut(1)
    assert terms.state() == first.state()
    assert (terms.rules, terms.together, terms.seen) == (first.rules, first.together, first.seen)
    assert spaced("l'été, 2 x") == "été"


def test_repeated_errors_are_halved_in_made_bulletins_and_chrf_rises() -> None:
    stream = bulletins(400, random_order=True)
    corrections = [item.correction for item in stream.items]
    found = {}
    for name in ("static", "terms"):
        log = run_stream(system(name, with_machine(Materials(pair=PAIR), stream)), stream.items)
        texts = [own.text for own in log.translations]
        found[name] = (
            MeasuredStream(texts, corrections).of("chrF"),
            repeated_errors(texts, corrections, "fr").rate,
        )
    assert found["terms"][0] > found["static"][0] + 10
    assert (found["terms"][1] or 0) < (found["static"][1] or 0) / 2


def test_a_reason_is_given_for_each_term() -> None:
    own = system("terms", Materials(machine=Echo, pair=PAIR))
    own.learn(SourceSegment("Eject the device"), "Éjecter le périphérique")
    own.learn(SourceSegment("Eject the drive"), "Éjecter le lecteur")
    made = own.translate(SourceSegment("Unknown device there"))
    assert "périphérique" in made.text
    assert any(said.startswith("“device” is “périphérique”") for said in made.reasons)
    assert made.balance is not None
