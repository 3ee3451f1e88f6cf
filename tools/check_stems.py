"""Compares our stems with those of METEOR's jar on long word lists from Debian's catalogues and dictionaries.

    python -m tools.check_stems [--languages finnish turkish] [--show 5] [--folder FOLDER]

Words come from LibreOffice's translations and help pages and from hunspell's dictionaries (`apt-get download`; the
packages are kept in FOLDER and unpacked there, nothing is installed). The jar is the one that the tests use. Exits with
status 1 if a single stem differs.
"""

from __future__ import annotations

import argparse
import gettext
import html
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tertium.text import stemmers

CACHE = Path(os.environ.get("TERTIUM_TEST_CACHE", Path.home() / ".cache" / "tertium-tests"))
JAR = CACHE / "meteor-1.5" / "meteor-1.5.jar"
# METEOR's code of the language, and the Debian packages that words are taken from.
SOURCES = {
    "danish": ("da", ("libreoffice-l10n-da", "libreoffice-help-da", "hunspell-da")),
    "dutch": ("nl", ("libreoffice-l10n-nl", "libreoffice-help-nl", "hunspell-nl")),
    "english": ("en", ("hunspell-en-us", "hunspell-en-gb")),
    "finnish": ("fi", ("libreoffice-l10n-fi", "libreoffice-help-fi", "voikko-fi")),
    "french": ("fr", ("libreoffice-l10n-fr", "libreoffice-help-fr", "hunspell-fr-classical")),
    "german": ("de", ("libreoffice-l10n-de", "libreoffice-help-de", "hunspell-de-de")),
    "hungarian": ("hu", ("libreoffice-l10n-hu", "libreoffice-help-hu", "hunspell-hu")),
    "italian": ("it", ("libreoffice-l10n-it", "libreoffice-help-it", "hunspell-it")),
    "norwegian": ("no", ("libreoffice-l10n-nb", "hunspell-no")),
    "portuguese": ("pt", ("libreoffice-l10n-pt", "libreoffice-help-pt", "hunspell-pt-pt")),
    "romanian": ("ro", ("libreoffice-l10n-ro", "hunspell-ro")),
    "russian": ("ru", ("libreoffice-l10n-ru", "libreoffice-help-ru", "hunspell-ru")),
    "spanish": ("es", ("libreoffice-l10n-es", "libreoffice-help-es", "hunspell-es")),
    "swedish": ("se", ("libreoffice-l10n-sv", "libreoffice-help-sv", "hunspell-sv")),
    "turkish": ("tr", ("libreoffice-l10n-tr", "libreoffice-help-tr", "hunspell-tr")),
}
_WORD = re.compile(r"[^\W_]+(?:['’\-.][^\W_]+)*")


def unpacked(package: str, folder: Path) -> Path:
    """The files of a Debian package, fetched once."""
    home = folder / package
    if not home.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=True, capture_output=True)
        (archive,) = folder.glob(f"{package}_*.deb")
        beside = folder / f"{package}.part"
        subprocess.run(["dpkg-deb", "-x", str(archive), str(beside)], check=True)
        beside.rename(home)
        archive.unlink()
    return home


def texts(home: Path) -> Iterator[str]:
    """What people wrote in these files: translations, help pages, entries of dictionaries."""
    for path in sorted(home.rglob("*")):
        if path.suffix == ".mo":
            with path.open("rb") as file:
                catalogue = gettext.GNUTranslations(file)
            yield from (str(text) for key, text in catalogue._catalog.items() if key)  # type: ignore[attr-defined]
        elif path.suffix == ".html":
            yield html.unescape(re.sub(r"<[^>]*>", " ", path.read_text("utf-8", errors="replace")))
        elif path.suffix == ".dic" and not path.is_symlink():
            coding = "utf-8"
            if (rules := path.with_suffix(".aff")).is_file():
                named = re.search(rb"^SET\s+(\S+)", rules.read_bytes(), re.MULTILINE)
                coding = named.group(1).decode("ascii").replace("microsoft-", "") if named else coding
            yield "\n".join(
                line.partition("/")[0].partition("\t")[0]
                for line in path.read_text(coding, errors="replace").splitlines()
            )


def words_of(packages: Sequence[str], folder: Path) -> list[str]:
    """All distinct words, in lower case and in alphabetical order."""
    found: set[str] = set()
    for package in packages:
        for text in texts(unpacked(package, folder)):
            found.update(match.lower() for match in _WORD.findall(text))
    return sorted(found)


def jar_stems(words: Sequence[str], code: str, jar: Path = JAR) -> list[str]:
    """The stems that METEOR's jar gives: one word a line. It leaves numbers alone, and so must the caller."""
    java = shutil.which("java")
    if java is None:
        raise OSError("there is no Java to run METEOR's jar with")
    command = [java, "-Dfile.encoding=UTF-8", "-cp", str(jar), "Stemmer", code]
    done = subprocess.run(
        command, input="\n".join(words) + "\n", check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.removesuffix("\n").split("\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--languages", nargs="*", default=list(SOURCES), choices=list(SOURCES))
    parser.add_argument("--show", type=int, default=5, help="differences to print for each language")
    parser.add_argument("--folder", type=Path, default=CACHE / "words", help="where the packages are kept")
    arguments = parser.parse_args()
    wrong = 0
    for language in arguments.languages:
        code, packages = SOURCES[language]
        words = [word for word in words_of(packages, arguments.folder) if word.strip("0123456789.,-")]
        theirs, ours = jar_stems(words, code), [*map(stemmers.stemmer(language), words)]
        different = [entry for entry in zip(words, theirs, ours, strict=True) if entry[1] != entry[2]]
        wrong += len(different)
        print(f"{language}: {len(words) - len(different):,} of {len(words):,} stems equal", flush=True)
        for word, expected, found in different[: arguments.show]:
            print(f"    {word}: the jar {expected}, tertium {found}")
    sys.exit(f"{wrong:,} stems differ" if wrong else 0)


if __name__ == "__main__":
    main()
