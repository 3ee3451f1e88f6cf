"""The rule resolver: names, nouns and pronouns, by features of Universal Dependencies."""

from __future__ import annotations

from tertium.text.coreference_rules import resolve
from tertium.text.parses import Entity, Parsed

SHORT = {
    "g": "Gender",
    "n": "Number",
    "p": "Person",
    "a": "Animacy",
    "d": "Definite",
    "t": "PronType",
    "poss": "Poss",
}
VALUES = {
    "m": "Masc",
    "f": "Fem",
    "n": "Neut",
    "s": "Sing",
    "p": "Plur",
    "def": "Def",
    "ind": "Ind",
    "y": "Yes",
}


def parsed(*sentences: str, entities: tuple[Entity, ...] = ()) -> Parsed:
    """From `word|lemma|TAG|head|relation|g=f,n=s`, heads counted in the sentence from 1."""
    rows, starts = [], []
    for sentence in sentences:
        start = len(rows)
        starts.append(start)
        for item in sentence.split():
            word, lemma, tag, head, relation, *rest = item.split("|")
            pairs = (pair.split("=") for pair in rest[0].split(",")) if rest else ()
            features = {SHORT.get(key, key): VALUES.get(value, value) for key, value in pairs}
            place = start + int(head) - 1 if int(head) else -1
            rows.append((word, lemma, tag, features, place, relation))
    words, lemmas, tags, features, heads, relations = zip(*rows, strict=True)
    return Parsed(
        " ".join(words), words, lemmas, tags, features, heads, relations, tuple(starts), entities=entities
    )


def chains(*sentences: str, entities: tuple[Entity, ...] = ()) -> list[list[str]]:
    found = resolve(parsed(*sentences, entities=entities)).shown()
    return [chain for chain in found if len(chain) > 1]


def test_names_and_definite_nouns() -> None:
    assert chains(
        "Marie|Marie|PROPN|3|nsubj Curie|Curie|PROPN|1|flat bought|buy|VERB|0|root an|a|DET|6|det|d=ind"
        " old|old|ADJ|6|amod mill|mill|NOUN|3|obj|n=s",
        "The|the|DET|2|det|d=def mill|mill|NOUN|4|nsubj|n=s pleased|please|VERB|0|root Curie|Curie|PROPN|3|obj",
        "A|a|DET|2|det|d=ind mill|mill|NOUN|3|nsubj|n=s burnt|burn|VERB|0|root",
    ) == [["Marie Curie", "Curie"], ["an old mill", "The mill"]]


def test_other_modifiers_are_another_thing() -> None:
    text = (
        "the|the|DET|3|det|d=def old|old|ADJ|3|amod mill|mill|NOUN|4|nsubj|n=s stood|stand|VERB|0|root",
        "the|the|DET|3|det|d=def new|new|ADJ|3|amod mill|mill|NOUN|4|nsubj|n=s burnt|burn|VERB|0|root",
    )
    assert chains(*text) == []


def test_gender_and_number_decide() -> None:
    german = (
        "der|der|DET|2|det|d=def Mann|Mann|NOUN|3|nsubj|g=m,n=s sah|sehen|VERB|0|root die|der|DET|5|det|d=def"
        " Frau|Frau|NOUN|3|obj|g=f,n=s"
    )
    assert chains(german, "sie|er|PRON|2|nsubj|g=f,n=s,p=3,t=Prs schlief|schlafen|VERB|0|root") == [
        ["die Frau", "sie"]
    ]
    assert chains(german, "er|er|PRON|2|nsubj|g=m,n=s,p=3,t=Prs schlief|schlafen|VERB|0|root") == [
        ["der Mann", "er"]
    ]
    assert chains(german, "es|er|PRON|2|nsubj|g=n,n=s,p=3,t=Prs schlief|schlafen|VERB|0|root") == []
    assert chains(german, "es|es|PRON|2|expl|g=m,n=s,p=3,t=Prs regnet|regnen|VERB|0|root") == []


def test_the_subject_of_the_last_sentence_comes_first() -> None:
    assert chains(
        "Ann|Ann|PROPN|2|nsubj|n=s met|meet|VERB|0|root Eva|Eva|PROPN|2|obj|n=s",
        "She|she|PRON|2|nsubj|g=f,n=s,p=3,t=Prs saw|see|VERB|0|root her|she|PRON|2|obj|g=f,n=s,p=3,t=Prs",
    ) == [["Ann", "She"], ["Eva", "her"]]  # she saw her: two people


def test_reflexives_stay_in_their_clause_and_possessives_may() -> None:
    assert chains(
        "Ann|Ann|PROPN|2|nsubj|n=s met|meet|VERB|0|root Eva|Eva|PROPN|2|obj|n=s",
        "Eva|Eva|PROPN|2|nsubj|n=s hurt|hurt|VERB|0|root herself|she|PRON|2|obj|g=f,n=s,p=3,t=Prs,Reflex=Yes",
    ) == [["Eva", "Eva", "herself"]]
    assert chains(
        "Ann|Ann|PROPN|2|nsubj|n=s sold|sell|VERB|0|root her|she|PRON|4|nmod:poss|g=f,n=s,p=3,t=Prs,poss=y"
        " mill|mill|NOUN|2|obj|n=s"
    ) == [["Ann", "her"]]


def test_it_is_no_person_where_nouns_have_no_gender() -> None:
    text = (
        "Ann|Ann|PROPN|2|nsubj|n=s bought|buy|VERB|0|root a|a|DET|4|det|d=ind mill|mill|NOUN|2|obj|n=s",
        "It|it|PRON|2|nsubj|g=n,n=s,p=3,t=Prs burnt|burn|VERB|0|root",
    )
    assert chains(*text) == [["a mill", "It"]]
    alone = "Ann|Ann|PROPN|2|nsubj|n=s slept|sleep|VERB|0|root"
    assert chains(alone, text[1]) == [["Ann", "It"]]  # nothing says that Ann is a person
    assert chains(alone, text[1], entities=(Entity(0, 1, "PERSON"),)) == []


def test_several_are_they() -> None:
    assert chains(
        "Ann|Ann|PROPN|4|nsubj|n=s and|and|CCONJ|3|cc Eva|Eva|PROPN|1|conj|n=s slept|sleep|VERB|0|root",
        "They|they|PRON|2|nsubj|n=p,p=3,t=Prs woke|wake|VERB|0|root",
    ) == [["Ann and Eva", "They"]]
    single = resolve(
        parsed("Ann|Ann|PROPN|4|nsubj and|and|CCONJ|3|cc Eva|Eva|PROPN|1|conj slept|sleep|VERB|0|root")
    )
    assert single.shown() == [["Ann"], ["Eva"]]


def test_who_speaks_is_the_same_throughout() -> None:
    assert chains(
        "I|I|PRON|2|nsubj|n=s,p=1,t=Prs slept|sleep|VERB|0|root",
        "You|you|PRON|2|nsubj|p=2,t=Prs saw|see|VERB|0|root me|I|PRON|2|obj|n=s,p=1,t=Prs",
    ) == [["I", "me"]]


def test_without_tags_names_are_repeated() -> None:
    words = ("We", "met", "Ann", "Lee", ".", "Then", "Ann", "Lee", "left", ".", "Ann", "slept")
    found = resolve(Parsed(" ".join(words), words, starts=(0, 5, 10)))
    assert found.shown() == [["Ann Lee", "Ann Lee"], ["Ann"]]
    assert resolve(Parsed("", ())).chains == ()
