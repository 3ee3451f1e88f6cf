"""`tertium judge`: translations judged by a language model over an OpenAI-compatible endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import NO_PSEUDO, input_options, print_options, texts_named
from tertium.cli.parsing import Names, command_of, number, option, written

if TYPE_CHECKING:
    from tertium.families.llm import LLMJudge
    from tertium.testset import TestSet


def _options(prompt: str) -> list[click.Parameter]:
    return [
        option("--model", required=True, help="Name of the model, as the server knows it."),
        option("--endpoint", default="", metavar="URL", help="Server; /chat/completions follows."),
        option("--prompt", default=prompt, metavar="NAME|FILE", help=f"Its name, or a TOML file ({prompt})."),
        option("--temperature", default="0", metavar="T|none", help="Temperature (0); none: the model's own."),
        number("--longest", default=1024, help="Tokens that an answer may have"),
        number("--samples", default=1, help="Answers for each question: how consistent is the judge?"),
        option("--languages", default="", metavar="SRC-TRG", help="Languages by name, for the prompt: German-English."),
        option("--prices", default="", metavar="IN+OUT", help="Prices of a million tokens, for the cost: 2.5+10."),
        option("--key", default="OPENAI_API_KEY", metavar="NAME", help="Variable that holds the key."),
        number("--at-once", default=4, help="Questions at a time"),
        option("--timeout", type=float, default=60.0, help="Seconds to wait for an answer (60)."),
        number("--tries", default=5, help="How often a busy or broken server is asked"),
    ]  # fmt: skip


def _metric(given: dict[str, Any]) -> LLMJudge:
    from tertium.families.llm import LLMJudge
    from tertium.families.values import parsed

    names = (
        "endpoint",
        "prompt",
        "samples",
        "longest",
        "languages",
        "prices",
        "key",
        "at_once",
        "timeout",
        "tries",
    )
    temperature = parsed("judge", "temperature", given["temperature"], float | None)
    return LLMJudge(judge=given["model"], temperature=temperature, **{name: given[name] for name in names})


@command_of(
    "rate",
    *input_options(*NO_PSEUDO),
    *_options("da-ref"),
    written("--errors", metavar="FILE", help="With a prompt for errors: write them as MQM's TSV."),
    *print_options(),
    reads=(),
    short="Rate translations, or mark their errors.",
)
def _rate(references: Names, input: Names, errors: str | None, **given: Any) -> Any:
    """Have a language model rate translations, or mark their errors (--prompt mqm); prints means and the account.

    Answers are kept, so that a run that was stopped goes on, and the same run costs nothing. The same judge as a
    metric, for compare and the rest: -m 'llm:judge=NAME,endpoint="URL"'.

    \b
    tertium judge rate ref.txt -i a.txt b.txt --model small --endpoint http://localhost:8000/v1
    tertium judge rate ref.txt -i a.txt --source src.txt --prompt mqm --errors a.mqm.tsv --model small
    """
    from tertium.errors import InputError
    from tertium.io.judges.prompts import prompt
    from tertium.judging.rating import rate, write_mqm

    metric = _metric(given)
    kind = prompt(metric.prompt).kind
    if errors and kind != "errors":
        raise InputError(f"--errors needs a prompt that asks for them: --prompt mqm, not {metric.prompt}")
    texts = _texts(references, input, given, metric.prompt)
    found = rate(texts, metric)
    if errors:
        write_mqm(errors, found, texts, metric.judge)
    return found


@command_of(
    "pairs",
    *input_options(*NO_PSEUDO),
    *_options("pair"),
    *print_options(),
    reads=(),
    short="Compare two systems, in both orders.",
)
def _pairs(references: Names, input: Names, **given: Any) -> Any:
    """Have a language model compare two systems segment by segment, each in both orders.

    Says who is preferred and whether that is more than chance, how often the order alone decides, and with --samples
    how often the judge agrees with itself.

    \b
    tertium judge pairs -i a.txt b.txt --source src.txt --model small --endpoint http://localhost:8000/v1
    """
    from tertium.judging.pairs import prefer

    metric = _metric(given)
    return prefer(_texts(references, input, given, metric.prompt), metric)


def _texts(references: Names, input: Names, given: dict[str, Any], prompt: str) -> TestSet:
    """The texts that a prompt shows, systems without what their files' names share."""
    from tertium.io.terminal import short_names
    from tertium.testset import TestSet

    texts = TestSet.read(texts_named(_stand_in(references, input, given, prompt), input, given)[0])
    files = [name for name in texts.systems if name in input]
    return texts.called(short_names(files)) if len(files) > 1 else texts


def _stand_in(references: Names, input: Names, given: dict[str, Any], name: str) -> Names:
    """Where a judge sees the source alone, nobody looks at the references."""
    from tertium.errors import InputError
    from tertium.io.judges.prompts import prompt

    needs = prompt(name).needs
    named = references or any(given.get(key) for key in ("test_set", "tsv", "columns", "project"))
    if named or "references" in needs:
        return references
    if given["source"] is not None:
        return (given["source"],)
    if input and "source" in needs:
        raise InputError(f"the prompt {name} shows the source: give it with --source")
    return references


command = Commands(
    "judge",
    help="Language models as judges, over an OpenAI-compatible endpoint: ratings, error spans, pairs (docs/judges.md).",
    commands=[_rate, _pairs],
)
