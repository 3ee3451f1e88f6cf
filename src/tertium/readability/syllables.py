"""How many syllables a word has, by rules and exceptions of our own for English and French.

A syllable is a run of vowels; then what is written but silent is taken away, and what sounds apart is parted. Other
languages have runs of vowels alone. How often the rules agree with a dictionary is in docs/readability.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

_VOWEL = "aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿœ"
_RUN = re.compile(f"[{_VOWEL}]+")
_PART = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*'?")
_APOSTROPHES = str.maketrans("\u2019\u02bc", "''")


def _any(*patterns: str) -> re.Pattern[str]:
    """One pattern of several; C stands for a consonant, V for a vowel."""
    made = "|".join(f"(?:{one})" for one in patterns)
    return re.compile(made.replace("C", rf"[^{_VOWEL}\W\d_]").replace("V", f"[{_VOWEL}]"))


def _listed(table: Mapping[int, str]) -> dict[str, int]:
    return {word: count for count, words in table.items() for word in words.split()}


# English: vowels beside each other that sound apart (each match is one syllable more)...
_EN_APART = _any(
    "(?<![ctsgl])ia(?!ge|ment)",  # media, Indian, not special; marriage
    "(?<=[gl])ia(?=s?$|ti?[eon]|nces?$|b)(?<!nia)",
    "(?<=[aeou])y(?=[aeiou])(?!ed$|ing)",  # player, royal
    "(?<=[ct])ia(?=t)",  # associate
    "(?<![ctsgx])io(?!us|ns?|r$|ur)|tio$|(?<=[rt])ior$|iori",  # radio, not nation
    "(?<=[rvdbnlm])iou",  # various, not anxious
    "(?<=[prvbd])ion",  # champion
    "(?<![gn])iu(?!s)|(?<=[dr])ius",  # stadium
    "ie(?=nce|nt(?!i?al|ly)|nti|t[sy]?$|ties)(?<![ct]ie)",  # science, quiet, society
    "(?<=[hnrstvpb])ie(?=r$|rs$|st$)(?<!tie(?=rs?$))|ie(?=n[na])",  # happier
    "eo(?!p|n$|us|u)",  # video, not people
    "(?<=[cr])eat(?=i|e|o)(?<=creat)",  # create
    "(?<=[rd])ea(?=s?$|lity|lis[mt]|ns?$)|^reali",  # area, idea, reality
    "(?<![gq])u[ao](?!rd|y)",  # actual, duo
    "(?<=[cdflrt])ue(?=l|n[ct]|t$|tt)",  # fuel, fluent
    "(?<=[rln])ui(?=n|d|t[yoi])",  # ruin, fluid
    "(?<=[gn])ui(?=ty|sh$)(?<=u)",
    "oe(?=[mt]|ti)",  # poem
    "(?<=[aeouy])i(?=ng)",  # being
    "(?<=C)yi",  # studying
    "(?<=C)ya(?=n)",
    "i[ae]s?m$",
    "(?<=[gl])iu(?=m$)",
    "oo(?=p[et]|rdi)(?<=coo)",  # cooperate
    "^rea(?=ct|l[il]|ss|pp)",
    "^pre[aeiou](?!ch|st)",
    "(?<=[lrs])ao(?=s|t)",
    "ae(?=l)",
    "(?<=[cst])eu(?=m$|ms$)",
    "uou",
    "eei",
)
# ... and vowels that do not sound (one less).
_EN_SILENT = _any(
    "Ce$",  # make
    "[gq]ue[sd]?$",  # league
    "[^cgsxz](?<!h)(?<=C)es$",  # makes
    "[tg]hes$|phes$",
    "(?<=C)(?<![td])ed$",  # walked
    r"(?<=V[^aeiouy\W])e(?=(?:ly|ful|fully|less|ment|ments|ness|some|thing|things|where|times?|works?|ways?|"
    "lines?|side|like|"
    "fore|body|self|town|wood|stone|man|men|room|paper|books?|land|yard|cut)$)",
    r"(?<=V[^aeiouy\W]{2})e(?=(?:ly|ful|fully|less|ment|ments|ness|some)$)",
    "(?<=ic)a(?=lly$)|(?<=ion)a(?=lly$)",
    "(?<=V[^aeiouycgsxz])e(?='s$)",
    "(?<=^[a-z]{3})e(?=back$|ball$|mark$|well$|play$|holds?$|holders?$|cast$|wise$|house$|sale$|spread$)",
    "(?<=^som)e(?=.)|(?<=^hom)e(?=[^aeiour])|(?<=^car)e(?=[fl])|(?<=^lif)e(?=.)",
    "(?<=^ther)e(?=.)|(?<=^wher)e(?=.)|(?<=^her)e(?=[bi])",
)
# What sounds though it has no vowel of its own, or was taken away above.
_EN_SOUNDS = _any(
    r"[^aeiouylr\W]les?$",  # table
    r"[^aeiouylr\W]led$",
    "[td]re$|cre$|bre$",  # metre
    "isms?$",
    "thms?$",
    "[dstv]n't$",
    "[ld]'ve$|(?<=C)'re$|[st]h?'ll$",
)
_EN_EXCEPTIONS = _listed(
    {
        1: """real deals are were there here where one once eye eyes you your ours isle aisle scene can't don't won't
           aren't weren't shan't ain't they're we're you're i'm they've we've you've i've who've there's here's
           blue true rhyme queue loves there'll aren weren tier priest yield reign one's vague""",
        2: """business people every being going doing giant giants lions quiet ideal diamond cooper catholic acres
           metres lion trial riot client prior cruel create naked wicked sacred hundred crooked rugged acre
           cafe iron irons island forehead maybe handsome argue argues argued opera safety really
           baseball elsewhere household forecast someone's likewise soldier soldiers households joel leon noah
           louis genius junior senior someone something goodbye evening college minute wednesday colonel
           science poem poet diet fluid reuse react naive chaos neon dual isn't wasn't doesn't didn't couldn't
           wouldn't shouldn't hadn't hasn't haven't mustn't needn't isn wasn doesn didn couldn wouldn shouldn
           hadn hasn mustn needn""",
        3: """everyone everything anyone anybody everywhere vegetable recipe simile idea area ideas areas theatre
           theater museum beautiful sesame finale violet violin piano employee businesses created creative
           whoever however element elements implement supplement complement scientist recipes quietly theaters
           theatres valuable parliament diego vietnam hawaii loyalty employer employers employees behavior
           behaviour businessman alien aliens suicide beloved radio video studio family sciences european
           wherever""",
        4: """apostrophe catastrophe facsimile karaoke epitome february everybody anybody arguably scientific
           reality society variety anxiety hyperbole hierarchy usually""",
        5: "ideology sociology extraordinary university creativity",
    }
)

# French: a silent end, and vowels that sound apart.
_FR_MUTE = _any("Ces?$", "[gq]ues?$")
_FR_VERB = _any("Cent$", "[gq]uent$")  # they speak: parlent
_FR_NOUN = _any(  # -ent that is no ending of a verb
    "V[mr]ment$|[^mr]ment$|[eou]mment$|[aiu]lement$|VCement$",  # moment
    "[éi]dent$|^dent$|édent$|rudent$|^ardent$|ndépendent$",
    "[éo]cent$|^cent$|accent$|scent$",
    "^agent$|argent$|[iu]gent$|urgent$|^gent$",
    "^vent$|souvent$|auvent$|couvent$|fervent$",
    "[ai]v?[ao]lent$|^lent$|ellent$|[cptu]ulent$|talent$|virulent$|olent$",
    "parent$|érent$|current$|torrent$",
    "content$|mittent$|^patent$|potent$|intent$|latent$",
    "ésent$|bsent$|consent$|ressent$|^sent$|^ment$|^mécontent$",
    "[eé]quent$|oquent$|inquent$",
)
_FR_APART = _any(
    "é[aàâoôiuéè]|ée(?!s?$|nt$)",  # océan
    "(?<=[ao])é(?!e)|(?<=[^gq]u)é(?!e)",  # poésie
    "[aouéœ]ï|[aou]ë(?!$)|aü",  # naïf
    "oa|oo(?=p)|ao(?![uûn])",  # chaos
    "(?<=[bcdfgptv][lr])i(?=[aeéèoêâ])(?!es?$)",  # client
    "(?<=[bcdfgptv][lr])u(?=[aeéoèê])(?!es?$)",  # cruel
    "(?<=[bcdfgptv][lr])ou(?=[aeéoè])(?!es?$)",  # éblouir
    "(?<=[aeou])y(?=[aeiouéèêâ])(?!es?$)",  # payer
    "eo(?![iî])(?<!geo)",  # vidéo is é
    "uu|ii",
)
_FR_EXCEPTIONS = _listed(
    {
        1: "août aout yeux oui faon paon taon saoul tient vient aiment femme",
        2: "pays examen asseoir maïs noyau forment ferment estiment",
        3: "paysan paysage abbaye",
    }
)


def _english(word: str) -> int:
    runs = _RUN.findall(word)
    count = len(runs)
    if len(max(runs, key=len, default="")) > 1:  # no other word has vowels that could be parted
        count += len(_EN_APART.findall(word))
    if "e" in word or word.endswith("ally"):  # no other word has anything silent
        count -= len(_EN_SILENT.findall(word))
    if word[-1] in "esdmtl":  # what sounds beside is at the end
        count += len(_EN_SOUNDS.findall(word))
    return count


def _french(word: str) -> int:
    count = len(_RUN.findall(word)) + len(_FR_APART.findall(word)) - bool(_FR_MUTE.search(word))
    return count - bool(_FR_VERB.search(word) and not _FR_NOUN.search(word))


def _vowels(word: str) -> int:
    return len(_RUN.findall(word))


_RULES: dict[str, Callable[[str], int]] = {"en": _english, "fr": _french}
_EXCEPTIONS = {"en": _EN_EXCEPTIONS, "fr": _FR_EXCEPTIONS}


@lru_cache(maxsize=1 << 16)
def syllables(word: str, lang: str = "en") -> int:
    """Syllables of a word; parts between hyphens are words, numbers have none.

    >>> [syllables(word) for word in ("the", "table", "readability", "walked", "well-known")]
    [1, 2, 5, 1, 2]
    >>> [syllables(word, "fr") for word in ("lisibilité", "table", "parlent", "moment", "l'")]
    [5, 1, 1, 2, 0]
    """
    rule, exceptions = _RULES.get(lang, _vowels), _EXCEPTIONS.get(lang, {})
    total = 0
    for part in _PART.findall(word.lower().translate(_APOSTROPHES)):
        if part.endswith("'"):  # a vowel is left out: l', lorsqu', aujourd'
            total += _vowels(part.replace("qu'", ""))
        else:
            least = int(lang != "fr" or _vowels(part) > 0)  # n of n'y has none
            total += exceptions.get(part) or max(least, rule(part))
    return total
