"""The interface in other languages: every text of every page can be translated, by one file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import tertium.app
from tertium.app import server
from tertium.app.loading import load_campaign
from tertium.app.overview import collected
from tertium.errors import InputError
from tertium.human.campaigns import practice, sheets
from tertium.human.campaigns.designs import MQM_CATEGORIES, SpanOptions
from tertium.human.campaigns.language import BUNDLED, language, written
from tertium.human.campaigns.settings import Settings
from tests.app.conftest import Person, Site
from tests.app.test_browser import begin, next_by_key
from tests.hands import WIDTHS

APP = Path(tertium.app.__file__).parent
TEMPLATES = sorted((APP / "templates").rglob("*.html"))
SCRIPTS = sorted((APP / "static").glob("*.js"))
PRACTICE, SHEETS = Path(practice.__file__), Path(sheets.__file__)
SAID = re.compile(r'\b(?:_|t|say)\(\s*"((?:[^"\\]|\\.)+)"')


def said_by(path: Path) -> set[str]:
    return set(SAID.findall(path.read_text(encoding="utf-8")))


def bare_texts(template: str) -> list[str]:
    """What a template says in plain letters: between tags, and in attributes that people read or hear."""
    silent = r"\{% (?:block kind|macro languages).*?%\}.*?\{% end(?:block|macro) %\}"  # classes, attributes
    plain = re.sub(rf"{silent}|\{{#.*?#\}}|\{{%.*?%\}}|\{{\{{.*?\}}\}}", "", template, flags=re.DOTALL)
    attributes = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', plain)
    without = re.sub(r"<(kbd|code|title|script)\b.*?</\1>", "", plain, flags=re.DOTALL)
    between = re.findall(r">([^<>]*)<", f">{without}<")
    names = {"Tertium", "Tertium annotate"}
    return [
        text.strip()
        for text in (*attributes, *between)
        if re.search(r"[^\W\d_]", text) and text.strip() not in names
    ]


def test_bare_texts_are_found() -> None:
    template = '<p title="Hello">{{ _("x") }} <b>there</b><kbd>U</kbd></p>'
    assert bare_texts(template) == ["Hello", "there"]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_text_of_a_template_can_be_translated(path: Path) -> None:
    assert bare_texts(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("code", sorted(set(BUNDLED) - {"en"}))
def test_a_language_has_every_text_and_no_other(code: str) -> None:
    found = language(code)
    wanted = {text for path in (*TEMPLATES, *SCRIPTS, PRACTICE, SHEETS) for text in said_by(path)}
    wanted |= {*MQM_CATEGORIES, *SpanOptions.severities, "critical", "green", "orange", "red", "good", "bad"}
    refusals = {*server._PLAIN.values(), "Something went wrong."}
    files = ("work_pages.py", "visiting.py", "server.py", "../web/visiting.py", "../web/running.py")
    source = "".join((APP / name).read_text(encoding="utf-8") for name in files)
    refusals |= {text for text in found.words if f'"{text}"' in source}
    assert refusals | wanted == set(found.words)
    for text, said in found.words.items():
        assert said.count("{}") == text.count("{}"), text


def test_scripts_say_nothing_by_themselves() -> None:
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'(?:textContent|ariaLabel) = ["`]\w', text), path.name
        assert not re.search(r'say\(["`]\w', text), path.name


@WIDTHS
def test_an_annotator_works_in_french(width: int, site: Site, person: Person) -> None:
    campaign = site.campaign(
        "error-spans", name=f"fr-{width}", interface="fr", annotators={"names": ["Ann"], "items": 1}
    )
    page = person(viewport={"width": width, "height": 900})
    page.goto(site.link(campaign, "Ann"))
    assert page.locator("html").get_attribute("lang") == "fr"
    assert page.inner_text("article h1") == "Marquez ce qui est faux"
    page.get_by_role("link", name="Commencer").click()
    page.wait_for_selector("#translation:focus")
    page.keyboard.press("2")
    assert page.locator("#marks option").all_inner_texts() == ["mineure", "majeure"]
    assert page.locator("#marks select").get_attribute("aria-label").startswith("Gravité de ")
    assert page.locator("[data-severity=major]").inner_text().startswith("Majeure")
    page.wait_for_function("() => document.getElementById('status').textContent === 'enregistré ✓'")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("s")
    page.keyboard.type("60")
    next_by_key(page)
    assert page.inner_text("h1") == "Merci, Ann\u202f!"
    (one,) = collected(site.database, campaign)
    assert one.answer["spans"][0]["severity"] == "major"  # what is stored has no language


def test_any_other_language_by_one_file(tmp_path: Path, site: Site, person: Person) -> None:
    """A copy of the French file, changed: words from the right, the rest stays English."""
    (tmp_path / "ar.toml").write_text(
        'code = "ar"\nname = "العربية"\ndirection = "rtl"\n'
        '[words]\n"Undo" = "تراجع"\n[instructions]\npairwise = "# اختر"\n'
    )
    (tmp_path / "campaign.toml").write_text(
        'name = "arabic"\ndesign = "pairwise"\ntestset = "sample"\ninterface = "ar.toml"\n'
    )
    settings, _ = load_campaign(tmp_path / "campaign.toml")
    assert Settings.of(settings.stored()) == settings  # the file is in the database
    campaign = site.campaign("pairwise", name="arabic", interface=settings.stored()["interface"])
    page = person()
    page.goto(site.link(campaign, "Ann"))
    assert page.inner_text("article h1") == "اختر"
    page.locator("#begin").click()
    assert page.locator("html").get_attribute("dir") == "rtl"
    assert page.locator("#undo").inner_text().startswith("تراجع")
    assert page.locator("[data-choice=A]").inner_text().startswith("A is better")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            'code = "de"\n[words]\n"Undoo" = "Zurück"\n',
            "no text 'Undoo' to translate; did you mean 'Undo'",
        ),
        ('code = "de"\n[words]\n"{} of {}" = "{} von"\n', "as many {} in '{} von'"),
        ('code = "de"\nwrods = 3\n', "unknown key; did you mean 'words'"),
        ("code = ", "is not TOML"),
    ],
)
def test_wrong_language_files(given: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "de.toml").write_text(given)
    campaign = tmp_path / "campaign.toml"
    campaign.write_text('name = "x"\ndesign = "pairwise"\ntestset = "sample"\ninterface = "de.toml"\n')
    with pytest.raises(InputError, match=re.escape(message)):
        load_campaign(campaign)
    campaign.write_text('name = "x"\ndesign = "pairwise"\ntestset = "sample"\ninterface = "tlh"\n')
    with pytest.raises(
        InputError, match=r"line 4: interface must be en, fr or a file such as de\.toml, not 'tlh'"
    ):
        load_campaign(campaign)


def test_the_file_to_copy() -> None:
    assert tomllib.loads(written("fr"))["code"] == "fr"
    with pytest.raises(InputError, match="no language file for 'de'"):
        written("de")


def test_pages_without_a_campaign_follow_the_browser(site: Site, person: Person) -> None:
    page = person(locale="fr-CA")
    page.goto(site.url)
    assert "Ici, on évalue des traductions." in page.inner_text("main")
    page.goto(f"{site.url}/a/wrong")
    assert "ce lien n’est pas valable" in page.inner_text("main")
    page.troubles[:] = [one for one in page.troubles if "404" not in one]


@WIDTHS
def test_a_comment_is_kept_with_the_answer(width: int, site: Site, person: Person) -> None:
    """By keys: C opens it, Escape leaves it; a new visit finds it, and the export has it."""
    from tertium.human.campaigns.exports import exported

    campaign = site.campaign(
        "direct-assessment", name=f"comment-{width}", annotators={"names": ["Ann"], "items": 2}
    )
    page = person(viewport={"width": width, "height": 850})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#score:focus")
    page.keyboard.press("c")
    page.wait_for_selector("#comment:focus")
    page.keyboard.type("The unit is wrong: u and c are letters here.")
    page.wait_for_function("() => document.getElementById('status').textContent === 'saved ✓'")
    page.goto(site.link(campaign, "Ann"))  # another day: back to where one stopped, though nothing is done
    page.wait_for_url("**/work/1")
    page.wait_for_function("() => document.getElementById('comment').value.startsWith('The unit')")
    page.locator("#score").focus()
    page.keyboard.type("55")
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    page.wait_for_selector("#score:focus")
    next_by_key(page)
    page.locator("#comments summary").click()  # by mouse
    page.locator("#comment").fill("A second one")
    page.locator("#score").focus()
    page.keyboard.type("60")
    page.locator("#next").click()
    page.wait_for_url("**/finished")
    said = [one.answer for one in collected(site.database, campaign)]
    assert said == [
        {"score": 55.0, "comment": "The unit is wrong: u and c are letters here."},
        {"score": 60.0, "comment": "A second one"},
    ]
    rows = exported(collected(site.database, campaign), "csv").data.decode().splitlines()
    assert rows[0].endswith(",comment")
    assert rows[2].endswith(",A second one")


def test_a_campaign_without_comments(site: Site, person: Person) -> None:
    campaign = site.campaign("pairwise", name="no-comments", comments=False)
    page = person()
    begin(page, site, campaign, "Ann")
    assert page.locator("#comment").count() == 0


def test_pauses_do_not_count_as_work(site: Site, person: Person) -> None:
    """Ten minutes away from the screen count as the campaign's limit, a minute by default."""
    campaign = site.campaign(
        "direct-assessment", name="idle", idle=30, annotators={"names": ["Ann"], "items": 2}
    )
    page = person()
    page.clock.install()
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#score:focus")
    page.keyboard.press("ArrowRight")
    page.clock.fast_forward("10:00")
    page.keyboard.press("ArrowRight")
    page.clock.fast_forward(20_000)
    page.keyboard.press("ArrowRight")
    page.clock.run_for(1000)
    page.keyboard.press("Enter")
    page.wait_for_url("**/work/2")
    (one,) = collected(site.database, campaign)
    assert 50 <= one.seconds < 60
