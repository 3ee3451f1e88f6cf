"""A client of the service (`tertium serve`), over the standard library's HTTP: a method for each endpoint.

    office = Client("http://localhost:8766", key)
    office.evaluate("nmt-7", "contract-12", [{"source": "Guten Tag", "mt": "Good day", "reference": "Good morning"}])

Answers are plain dictionaries, as `data()` of the library's results gives them.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tertium.errors import InputError, TertiumError

Segment = Mapping[str, Any]
WAITS = (0.2, 1.0, 4.0)  # seconds before a call is made again
BUSY = (429, 503)


class ServiceError(TertiumError):
    """The service refused: its sentence, the status, and what is wrong where (JSON Pointers)."""

    def __init__(self, status: int, detail: str, errors: Sequence[Mapping[str, str]] = ()) -> None:
        super().__init__(detail)
        self.status, self.detail, self.errors = status, detail, list(errors)


class Client:
    """A service, by its address and a key."""

    def __init__(self, url: str = "http://localhost:8766", key: str = "", *, timeout: float = 600.0) -> None:
        if not url.startswith(("http://", "https://")):
            raise InputError(f"{url}: the address of a service begins with http:// or https://")
        self.url, self.key, self.timeout = url.rstrip("/"), key, timeout

    def evaluate(
        self,
        system: str,
        document: str,
        segments: Sequence[Segment],
        *,
        idempotency_key: str | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Score a document that a system translated, and keep it, once, however often it is sent again; `more`: domain,
        time, metrics, metadata. A large document is a job, which is waited for."""
        body = {"system": system, "document": document, "segments": list(segments), **more}
        found = self._post("evaluations", body, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex})
        return self.finished(found["id"]) if "state" in found else dict(found)

    def evaluate_all(
        self, documents: Iterable[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """Score many documents in one call (each: system, document, segments...), sent as they are made. Gives what
        came of each, in their order, when it is stored: `evaluation` or `problem`, with its `line`."""
        asked = Request(
            f"{self.url}/v1/evaluations",
            (json.dumps(own, default=_written).encode() + b"\n" for own in documents),
            {
                "Authorization": f"Bearer {self.key}",
                "Content-Type": "application/x-ndjson",
                "Idempotency-Key": idempotency_key or uuid.uuid4().hex,
            },
            method="POST",
        )
        try:
            with urlopen(asked, timeout=self.timeout) as answers:
                for line in answers:
                    yield dict(json.loads(line))
        except HTTPError as error:
            raise _problem(error) from None
        except (URLError, HTTPException, OSError) as error:
            raise self._away(error) from None

    def job(self, number: str) -> dict[str, Any]:
        """How far a large document is, and what came of it."""
        return dict(self._get(f"jobs/{number}"))

    def finished(self, number: str) -> dict[str, Any]:
        """The evaluation that a job ends with."""
        until = time.monotonic() + self.timeout
        while (own := self.job(number))["state"] in ("waiting", "running"):
            if time.monotonic() > until:
                raise ServiceError(0, f"job {number} has not ended within {self.timeout:g} seconds")
            time.sleep(0.2)
        if own["state"] == "failed":
            problem = own["problem"] or {}
            errors = problem.get("errors", ())
            raise ServiceError(problem.get("status", 500), problem.get("detail", "the job failed"), errors)
        return dict(own["result"])

    def evaluations(self, **wanted: Any) -> list[dict[str, Any]]:
        """Evaluations; `wanted`: system, domain, since, until, after, most."""
        return list(self._get("evaluations", wanted))

    def evaluation(self, number: int) -> dict[str, Any]:
        """One evaluation with all its scores."""
        return dict(self._get(f"evaluations/{number}"))

    def series(self, metric: str = "chrf", **wanted: Any) -> list[dict[str, Any]]:
        """Scores period by period; `wanted`: system, domain, by, since, until."""
        return list(self._get("series", {"metric": metric, **wanted}))

    def changes(self, metric: str = "chrf", **wanted: Any) -> list[dict[str, Any]]:
        """Where systems became worse or better; `wanted`: system, domain, false_alarms."""
        return list(self._get("changes", {"metric": metric, **wanted}))

    def alarms(self, **wanted: Any) -> list[dict[str, Any]]:
        """What was told of changes; `wanted`: system, domain, metric, since, until, after, most."""
        return list(self._get("alarms", wanted))

    def compare_systems(self, first: str, second: str, metric: str = "chrf", **wanted: Any) -> dict[str, Any]:
        """Two systems on the documents that both translated; `wanted`: domain, since, until."""
        return dict(self._get("comparisons", {"first": first, "second": second, "metric": metric, **wanted}))

    def compare_periods(self, system: str, split: Any, metric: str = "chrf", **wanted: Any) -> dict[str, Any]:
        """A system before and after a moment; `wanted`: domain, since, until."""
        asked = {"system": system, "split": split, "metric": metric, **wanted}
        return dict(self._get("comparisons/periods", asked))

    def release(self, system: str, version: str, **more: Any) -> dict[str, Any]:
        """A system has a new version; `more`: time, note."""
        return dict(self._post("releases", {"system": system, "version": version, **more}))

    def releases(self, system: str = "") -> list[dict[str, Any]]:
        """Since when systems have had which versions."""
        return list(self._get("releases", {"system": system}))

    def mark(self, evaluation: int, marks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What people say of a document that was evaluated: DA, MQM or ESA."""
        return dict(self._post("marks", {"evaluation": evaluation, "marks": list(marks)}))

    def marks(self, evaluation: int) -> list[dict[str, Any]]:
        """What people said of a document."""
        return list(self._get("marks", {"evaluation": evaluation}))

    def document(self, system: str, document: str, domain: str = "") -> list[dict[str, Any]]:
        """All that is known of a document, evaluation by evaluation (administrators)."""
        return list(self._get("documents", {"system": system, "document": document, "domain": domain}))

    def delete_document(self, system: str, document: str, domain: str = "") -> int:
        """Remove all that is known of a document; gives how many evaluations that were (administrators)."""
        wanted = {"system": system, "document": document, "domain": domain}
        return int(json.loads(self._call("DELETE", _asked("documents", wanted)))["evaluations"])

    def add_webhook(self, url: str) -> str:
        """Have an address called on alarms; gives the secret that calls are signed with (administrators)."""
        return str(self._post("webhooks", {"url": url})["secret"])

    def webhooks(self) -> list[dict[str, Any]]:
        """Addresses that are called, and how their calls went (administrators)."""
        return list(self._get("webhooks"))

    def remove_webhook(self, url: str) -> None:
        """Have an address called no more (administrators)."""
        self._call("DELETE", _asked("webhooks", {"url": url}))

    def estimate(self, sources: Sequence[str], translations: Sequence[str], **how: Any) -> dict[str, Any]:
        """How good translations are; `how`: pair, documents, promise, below, memory, words..."""
        return dict(self._post("estimate", {"segments": _segments(sources, translations), **how}))

    def detect(self, sources: Sequence[str], translations: Sequence[str], **how: Any) -> dict[str, Any]:
        """What is badly wrong with translations; `how`: pair, detectors, model."""
        return dict(self._post("detect", {"segments": _segments(sources, translations), **how}))

    def check(self, units: Sequence[Mapping[str, str]], **how: Any) -> dict[str, Any]:
        """Units that deserve a look; `how`: pair, checks, clients, top, mismatched."""
        return dict(self._post("check", {"units": list(units), **how}))

    def match(self, segments: Sequence[str], **how: Any) -> list[dict[str, Any]]:
        """Stored translations; `how`: targets, client, translator, domain, most, parts, terms."""
        return list(self._post("match", {"segments": list(segments), **how})["segments"])

    def search(self, text: str, **how: Any) -> dict[str, Any]:
        """Units of the memory that contain a text; `how`: target, most."""
        return dict(self._post("search", {"text": text, **how}))

    def add(self, units: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        """Units into the memory."""
        return dict(self._post("add", {"units": list(units)}))

    def readability(self, texts: Mapping[str, str], lang: str = "en", **how: Any) -> dict[str, Any]:
        """Texts, by their names, on the scale; `how`: audience."""
        return dict(self._post("readability", {"texts": _documents(texts), "lang": lang, **how}))

    def compare_readability(
        self, sources: Sequence[str], targets: Sequence[str], **how: Any
    ) -> dict[str, Any]:
        """Where translations are harder to read than their sources; `how`: pair, documents, least."""
        body = {"sources": list(sources), "targets": list(targets), **how}
        return dict(self._post("readability/compare", body))

    def assign(self, documents: Mapping[str, str], **how: Any) -> dict[str, Any]:
        """Translators for documents, by their names; `how`: client, domain, type, due, on, top."""
        return dict(self._post("assign", {"documents": _documents(documents), **how}))

    def analyse(self, name: str, text: str, **how: Any) -> dict[str, Any]:
        """A new document, pre-translated, with the work and translators; `how`: mt, client, domain, due, on, top..."""
        return dict(json.loads(self._analysed("json", name, text, how)))

    def pretranslate(self, name: str, text: str, **how: Any) -> str:
        """The same as XLIFF; `how`: xliff (1 or 2), too."""
        return self._analysed("xliff", name, text, how).decode()

    def analysis_page(self, name: str, text: str, **how: Any) -> str:
        """The same as a page that shows it all."""
        return self._analysed("html", name, text, how).decode()

    def _analysed(self, form: str, name: str, text: str, how: Mapping[str, Any]) -> bytes:
        body = {"document": {"name": os.path.basename(name), "text": text}, **how}
        return self._call("POST", f"analyse?form={form}", body)

    def translate(self, source: str, **known: Any) -> dict[str, Any]:
        """A translation by a system that learns; `known`: client, document, translator, type, candidates."""
        return dict(self._post("translate", {"source": source, **known}))

    def correct(self, source: str, correction: str, **known: Any) -> dict[str, Any]:
        """What somebody made of a segment: the next translation knows it."""
        return dict(self._post("correct", {"source": source, "correction": correction, **known}))

    def state(self) -> dict[str, Any]:
        """The system that learns, and how many corrections it knows."""
        return dict(self._get("state"))

    def forget(self) -> dict[str, Any]:
        """Back to what the system knew before the first correction."""
        return dict(self._post("forget", {}))

    def description(self) -> dict[str, Any]:
        """The service's OpenAPI description."""
        return dict(self._get("openapi.json"))

    def _get(self, path: str, wanted: Mapping[str, Any] | None = None) -> Any:
        return json.loads(self._call("GET", _asked(path, wanted or {})))

    def _post(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Any:
        return json.loads(self._call("POST", path, body, headers))

    def _call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """What the service answers. A service that is busy or away is asked again, a few times."""
        data = None if body is None else json.dumps(body, default=_written).encode()
        own = {
            "Authorization": f"Bearer {self.key}",
            **({"Content-Type": "application/json"} if data else {}),
        }
        asked = Request(f"{self.url}/v1/{path}", data, {**own, **(headers or {})}, method=method)
        for wait in (*WAITS, None):
            try:
                with urlopen(asked, timeout=self.timeout) as answer:
                    return bytes(answer.read())
            except HTTPError as error:
                problem = _problem(error)
                if wait is None or problem.status not in BUSY:
                    raise problem from None
            except (URLError, HTTPException, OSError) as error:
                if wait is None or not (method == "GET" or "Idempotency-Key" in (headers or {})):
                    raise self._away(error) from None
            time.sleep(wait)
        raise AssertionError("unreachable")

    def _away(self, error: Exception) -> ServiceError:
        reason = getattr(error, "reason", None) or error
        return ServiceError(0, f"{self.url}: the service does not answer: {reason}")


def _problem(error: HTTPError) -> ServiceError:
    """The problem document of an answer."""
    with error:
        text = error.read()
    try:
        given = json.loads(text)
        return ServiceError(error.code, str(given["detail"]), given.get("errors", ()))
    except (ValueError, KeyError, TypeError, AttributeError):
        return ServiceError(error.code, f"the service answered with status {error.code}")


def _asked(path: str, wanted: Mapping[str, Any]) -> str:
    """A path with what is asked for.

    >>> _asked("series", {"metric": "chrf", "since": None, "by": "week"})
    'series?metric=chrf&by=week'
    """
    given = ((name, value) for name, value in wanted.items() if value is not None)
    query = {name: _written(value) if hasattr(value, "isoformat") else str(value) for name, value in given}
    return f"{path}?{urlencode(query)}" if query else path


def _segments(sources: Sequence[str], translations: Sequence[str]) -> list[dict[str, str]]:
    if len(sources) != len(translations):
        raise InputError(f"there are {len(sources)} sources, but {len(translations)} translations")
    return [{"source": one, "mt": other} for one, other in zip(sources, translations, strict=True)]


def _documents(texts: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": os.path.basename(name), "text": text} for name, text in texts.items()]


def _written(value: Any) -> str:
    """Dates and times, as JSON has them."""
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    raise InputError(f"{type(value).__name__}: is not written as JSON")
