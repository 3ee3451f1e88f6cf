"""More checks: months, times, currencies, units, names, codes and marks; what they see, and what they leave alone."""

from __future__ import annotations

import pytest

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import CHECKS, Doubt, GlossaryCheck, LearningCheck


def look(name: str, source: str, target: str, languages: str = "en-fr") -> Doubt | None:
    return CHECKS[name]().look(Unit(source, target, *languages.split("-")))


FINE = [
    ("dates", "on March 3, 2018", "le 3 mars 2018", "en-fr"),
    ("dates", "3 May 2018", "3. Mai 2018", "en-de"),
    ("dates", "on 3 Sept. 2018", "el 3 de septiembre de 2018", "en-es"),
    ("dates", "You may use 3 files", "Vous pouvez utiliser 3 fichiers", "en-fr"),
    ("dates", "March 3, 2018", "2018-03-03", "en-fr"),
    ("dates", "Aug 2018", "août 2018", "en-fr-CA"),
    ("times", "at 12 am", "à 0 h", "en-fr"),
    ("times", "at 3:30 pm", "um 15.30 Uhr", "en-de"),
    ("times", "at 9 a.m.", "à 9 heures", "en-fr"),
    ("times", "15:30", "3:30 PM", "fr-en"),
    ("times", "the ratio 4:3", "le rapport 4:3", "en-fr"),
    ("amounts", "$5", "5 $", "en-fr"),
    ("amounts", "5 dollars", "5 $", "en-fr"),
    ("amounts", "echo $1 5", "echo $1 5", "en-fr"),
    ("units", "10 MB", "10 Mo", "en-fr"),
    ("units", "1,000 km", "1 000 km", "en-fr"),
    ("units", "5%", "5\u00a0%", "en-fr"),
    ("units", "5 s and 3 min", "3 minutes et 5 secondes", "en-fr"),
    ("units", "10 miles", "16 km", "en-fr"),
    ("codes", "Use UTF-8 and x86_64", "Utilisez UTF8 et x86_64", "en-fr"),
    ("codes", "E_xit", "_Quitter", "en-fr"),
    ("codes", "Delete _History files", "Effacer l'_historique", "en-fr"),
    ("quotes", 'Open "x"', "Ouvrir « x »", "en-fr"),
    ("quotes", "a) one", "a) un", "en-fr"),
    ("quotes", "don't", "ne pas", "en-fr"),
    ("tags", "a", "b", "en-fr"),
    ("accelerators", "&Open", "&Ouvrir", "en-fr"),
    ("accelerators", "R&D", "R&D", "en-fr"),
    ("accelerators", "a && b", "a && b", "en-fr"),
    ("accelerators", "KP_Tab", "Tabulation", "en-fr"),
    ("accelerators", "a&amp;b", "a et b", "en-fr"),
    ("icu", "{n, plural, other {# files}}", "{n, plural, other {# fichiers}}", "en-fr"),
    ("icu", "a { b", "a", "en-fr"),
]
WRONG = [
    ("dates", "on March 3, 2018", "le 3 mai 2018", "en-fr", "March is missing; mai is extra"),
    ("dates", "3 June 2018", "3. Juli 2018", "en-de", "June is missing; Juli is extra"),
    ("dates", "le 1er août", "on August 1 and July 2", "fr-en", None),
    ("times", "at 3 pm", "à 3 h", "en-fr", "3 pm is missing; 3 h is extra"),
    ("times", "at 9 am", "at 9 pm", "en-en", "9 am is missing; 9 pm is extra"),
    ("amounts", "It costs $5", "Cela coûte 5 €", "en-fr", "$ is missing; € is extra"),
    ("amounts", "5 dollars", "5 euros", "en-fr", "dollars is missing; euros is extra"),
    ("units", "5 seconds", "5 minutes", "en-fr", "seconds is missing; minutes is extra"),
    ("units", "10 MB", "10 Go", "en-fr", "MB is missing; Go is extra"),
    ("codes", "Use --verbose", "Utilisez --verbeux", "en-fr", "--verbose is missing"),
    ("codes", "Read /etc/passwd now", "Lire /etc/group", "en-fr", "/etc/passwd is missing"),
    ("quotes", "Open (now)", "Ouvrir (ici", "en-fr", "a bracket is not closed"),
    ("quotes", "Open (now)", "Ouvrir ici)", "en-fr", "a bracket is closed, but not opened"),
    ("quotes", 'Say "yes" now', "Dites oui", "en-fr", "the quotes are missing"),
    ("accelerators", "&Open", "Ouvrir", "en-fr", "no key is marked by &"),
    ("accelerators", "E_xit", "_Quitter _tout", "en-fr", "2 keys are marked by _"),
    (
        "icu",
        "{n, plural, other {# files}}",
        "{n, plural, other {# fichiers}",
        "en-fr",
        "braces are not closed",
    ),
]


@pytest.mark.parametrize(("name", "source", "target", "languages"), FINE)
def test_what_is_left_alone(name: str, source: str, target: str, languages: str) -> None:
    assert look(name, source, target, languages) is None


@pytest.mark.parametrize(("name", "source", "target", "languages", "said"), WRONG)
def test_what_is_seen(name: str, source: str, target: str, languages: str, said: str | None) -> None:
    found = look(name, source, target, languages)
    if said is None:
        assert found is None
        return
    assert found is not None
    assert found.sentence == said
    assert 0 < found.score <= 1
    for text, spans in ((source, found.source), (target, found.target)):
        assert all(0 <= begin < end <= len(text) for begin, end in spans)


def test_inline_tags() -> None:
    def seen(source: str, target: str) -> str:
        found = CHECKS["tags"]().look(Unit("a", "b", "en", "fr", source_markup=source, target_markup=target))
        return found.sentence if found else ""

    assert seen('a <ph x="1"/>', 'b <ph x="2"/>') == ""
    assert seen('a <ph x="1"/>', "") == "<ph> is missing"
    assert seen("", '<hi>b</hi> <ph x="1"/>') == "<hi> and <ph> are extra"
    assert seen('<bpt i="1"/>a<ept i="1"/>', '<ept i="1"/>b<bpt i="1"/>') == "a tag ends before it begins"


MEMORY = (
    [Unit(f"Start the Debian tool {i}", f"Lancer l'outil Debian {i}", "en", "fr") for i in range(20)]
    + [Unit(f"Go to the House {i}", f"Aller à la maison {i}", "en", "fr") for i in range(20)]
    + [Unit(f"Put it on the table {i}.", f"Mettez-le sur la table {i}.", "en", "fr") for i in range(30)]
)


def learnt(name: str, *more: Unit) -> LearningCheck:
    check = CHECKS[name]()
    assert isinstance(check, LearningCheck)
    check.learn([*MEMORY, *more])
    return check


def test_names_survive_as_the_memory_says() -> None:
    wrong = Unit("Stop the Debian tool", "Arrêter l'outil", "en", "fr")
    found = learnt("names", wrong).look(wrong)
    assert found is not None
    assert (found.sentence, found.source) == ("Debian is missing (kept 20 of 21 times)", ((9, 15),))
    translated = Unit("Leave the House", "Quitter la maison", "en", "fr")
    assert learnt("names", translated).look(translated) is None
    unseen = Unit("Ask the Oracle now", "Demandez maintenant", "en", "fr")
    assert learnt("names", unseen).look(unseen) is None


def test_a_target_that_breaks_off() -> None:
    wrong = Unit("Put it on the chair.", "Mettez-le sur la", "en", "fr")
    found = learnt("truncated", wrong).look(wrong)
    assert found is not None
    assert found.sentence == "the target ends in la"
    fine = Unit("Put it on the", "Mettez-le sur la", "en", "fr")
    assert learnt("truncated").look(fine) is None
    assert learnt("truncated").look(Unit("a, b.", "a,", "en", "fr")) is not None


def test_what_occurs_again() -> None:
    usual, rare = (
        Unit("Save it as a file", own, "en", "fr", document="d") for own in ("Enregistrer", "Sauver")
    )
    units = [usual] * 9 + [rare, Unit("Save it as a file", "Enregistrer.", "en", "fr")]
    found = learnt("inconsistency", *units).look(rare)
    assert found is not None
    assert found.sentence == "of 11 units with this source, 10 have one other translation, 1 has this"
    assert learnt("inconsistency", *units).look(usual) is None
    conflict = learnt("conflicts", *units).look(usual)
    assert conflict is not None
    assert conflict.sentence == "this source has 2 translations in the same document"
    assert learnt("conflicts", *units).look(units[-1]) is None  # of another document
    assert learnt("duplicates", *units).look(rare) is None
    again = learnt("duplicates", *units).look(usual)
    assert again is not None
    assert again.sentence == "the same unit occurs 9 times"


def test_what_occurs_again_needs_flat_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is frequent stays, whatever comes between; counts are never too high."""
    from tertium.vetting.checks import repetition

    monkeypatch.setattr(repetition, "_MOST", 100)
    check = repetition.Inconsistency()
    usual, rare = Unit("Save it", "Enregistrer"), Unit("Save it", "Sauver")
    for i in range(30):
        check.learn([usual, usual, *(Unit(f"source {i} {k}", "x") for k in range(90))])
    check.learn([rare])
    assert len(check._seen) <= 100
    found = check.look(rare)
    assert found is not None
    assert found.sentence == "of 61 units with this source, 60 have one other translation, 1 has this"


@pytest.mark.parametrize(
    ("source", "target", "languages", "said"),
    [
        ("The file is in the folder.", "Le fichier est dans le dossier.", "en-fr", None),
        (
            "The file is in the folder.",
            "The file is in the directory.",
            "en-fr",
            "target is in English, not French",
        ),
        (
            "Die Datei ist in dem Ordner.",
            "Le fichier est dans le dossier.",
            "en-fr",
            "source is in German, not English",
        ),
        (
            "Das ist nicht die Datei.",
            "The file is not in it at all.",
            "de-fr",
            "target is in English, not French",
        ),
        ("San Sebastián de la Gomera", "San Sebastián de la Gomera", "en-de", None),
        ("Open", "Open", "en-fr", None),
        ("the same text again here", "the same text again here", "en-fr", None),
        ("The file is in the folder.", "Le fichier", "xx-yy", None),
    ],
)
def test_languages(source: str, target: str, languages: str, said: str | None) -> None:
    found = look("language", source, target, languages)
    assert (found and found.sentence) == (said and f"the {said}")


def test_terms_of_a_glossary() -> None:
    check = CHECKS["terms"]()
    assert isinstance(check, GlossaryCheck)
    assert check.look(Unit("Open the folder", "Ouvrir le fichier", "en", "fr")) is None
    check.use({"folder": ("dossier", "répertoire"), "hard disk": ("disque dur",), "disk": ("disquette",)})

    def seen(source: str, target: str) -> str:
        found = check.look(Unit(source, target, "en", "fr"))
        return found.sentence if found else ""

    assert seen("Open the Folders", "Ouvrir les répertoires") == ""
    assert seen("Open the folder", "Ouvrir le fichier") == "folder is not translated as dossier or répertoire"
    assert seen("two hard disks", "deux disques durs") == ""
    assert seen("two hard disks", "deux disquettes") == "hard disk is not translated as disque dur"
    assert seen("folder on disk", "x") == "folder is not translated as dossier or répertoire (and 1 more)"
