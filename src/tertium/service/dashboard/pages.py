"""The pages of the dashboard: overview, a series, a change opened down to words, a document, comparisons."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tertium.errors import TertiumError
from tertium.monitor.comparing import compare_periods, compare_systems
from tertium.monitor.history import Evaluations
from tertium.monitor.releases import releases
from tertium.monitor.storing import kept
from tertium.service.dashboard import telling
from tertium.service.dashboard.charts import series_chart, sparkline, two_shapes
from tertium.service.dashboard.door import door_routes
from tertium.service.dashboard.entering import COOKIE, Reader, Readers
from tertium.service.dashboard.reading import (
    EVERYTHING,
    RANGES,
    STEPS,
    Reading,
    WatchView,
    chart_levels,
    chart_marks,
    chart_points,
    segment_of,
)
from tertium.service.dashboard.rendering import FOLDER, html
from tertium.service.office import Office
from tertium.web.guards import RateLimit
from tertium.web.refusals import Problem

WIDTHS = {"wide": 1080, "narrow": 380}
PAGE = 50  # segments on a page
WORST = 12
LOOKS = RateLimit(120, 10)


def dashboard_routes(office: Office) -> list[Route | Mount]:
    """All of them, and what they look like."""
    pages = _Pages(office)
    return [
        Route("/", pages.shown(pages.overview)),
        Route("/series", pages.shown(pages.series)),
        Route("/change", pages.shown(pages.change)),
        Route("/document", pages.shown(pages.document)),
        Route("/compare", pages.shown(pages.compare)),
        *door_routes(office, pages.readers),
        Mount("/static", StaticFiles(directory=FOLDER / "static")),
    ]


class _Pages:
    def __init__(self, office: Office) -> None:
        self.office = office
        self.readers = Readers(office.database)
        self.reading = Reading(office.database)

    def shown(self, handler: Callable[[Request, Reader], Response]) -> Callable[[Request], Response]:
        """A page for whoever has signed in, over one connection; what is wrong with it is a page, too."""

        @wraps(handler)
        def page(request: Request) -> Response:
            try:
                with self.office.database.reading():
                    reader = self.readers.reader(request.cookies.get(COOKIE))
                    if reader is None:
                        back = {"back": f"{request.url.path}?{request.url.query}".rstrip("?")}
                        return RedirectResponse(
                            "/login" if back["back"] == "/" else f"/login?{urlencode(back)}", 303
                        )
                    self.office.slow_down("pages", str(reader.key), LOOKS)
                    return handler(request, reader)
            except Problem as problem:
                return html("refused.html", problem.status, reader=None, detail=problem.detail)
            except HTTPException as error:
                return html("refused.html", error.status_code, reader=None, detail=error.detail)
            except TertiumError as error:
                return html("refused.html", 422, reader=None, detail=str(error))

        return page

    def _view(self, request: Request) -> tuple[WatchView, list[str]]:
        known = self.reading.metrics(self.office.settings.metrics)
        asked = request.query_params.get("metric", "")
        if asked and asked not in known:
            raise Problem(404, f"there are no scores by {asked!r}")
        days, by = request.query_params.get("days", ""), request.query_params.get("by", "")
        if (days and days not in map(str, RANGES)) or by not in STEPS:
            raise Problem(422, "there is no such period")
        return WatchView(asked or (known or ["chrf"])[0], int(days or 90), by), known

    def _common(self, request: Request, reader: Reader) -> dict[str, Any]:
        view, known = self._view(request)
        labels = {spec: spec for spec in known}
        return {
            "reader": reader, "view": view, "metric": view.of, "metrics": labels, "ranges": RANGES, "steps": STEPS,
            "now": time.time(),
        }  # fmt: skip

    def overview(self, request: Request, reader: Reader) -> Response:
        common = self._common(request, reader)
        view: WatchView = common["view"]
        rows = self.reading.standings(view)
        domains = sorted({domain for own in rows.values() for domain in own})
        cells = [own for line in rows.values() for own in line.values()]
        span = max((max(own.values) - min(own.values) for own in cells), default=1.0)
        told = self.reading.recent(view)

        def spark(own: Any) -> Markup:
            kind = own.change.kind if own.change else "same"
            said = f"{len(own.values)} {view.step}s, from {own.values[0]:.1f} to {own.values[-1]:.1f}"
            return Markup(sparkline(own.values, span, kind, said))

        return html(
            "overview.html",
            **common,
            rows=dict(sorted(rows.items())),
            domains=domains,
            told=told,
            clauses=[telling.clause(own, common["now"]) for own in told[: telling.MOST]],
            sentence=telling.sentence(told, len(cells), common["now"], view.span),
            spark=spark,
            every=self.reading.changes(view.metric)[:30],
            false_alarms=self.office.choices().false_alarms,
        )

    def _chart(
        self,
        view: WatchView,
        lines: Any,
        told: Any,
        system: str,
        domain: str,
        said: str,
        *,
        means: bool = True,
    ) -> dict[str, Markup]:
        metric = view.of
        drawn = [points for line in lines if (points := chart_points(line, metric))]
        if not drawn:
            return {}
        begin, end = min(own[0].time for own in drawn), max(own[-1].time for own in drawn)
        told = [own for own in told if not own.probe]
        released = releases(self.office.database, system)
        marks = chart_marks(told, drawn, released, view.step)
        levels = chart_levels(told, begin, end) if means else []
        how = {"title": f"{system} in {domain}", "said": said, "label": metric.label}
        return {
            name: Markup(series_chart(drawn, marks, levels, width=width, **how))
            for name, width in WIDTHS.items()
        }

    def series(self, request: Request, reader: Reader) -> Response:
        common = self._common(request, reader)
        view: WatchView = common["view"]
        system, domain = (request.query_params.get(name, "") for name in ("system", "domain"))
        lines = self.reading.lines(view, system, domain)
        if not system or not domain or not lines:
            raise Problem(
                404, f"there are no scores of {system or 'that system'} in {domain or 'that domain'}"
            )
        told = [
            own for own in self.reading.changes(view.metric) if (own.system, own.domain) == (system, domain)
        ]
        begin = self.reading.since(view)
        told = [own for own in told if begin is None or own.told >= begin]
        sentence = telling.sentence(told, 1, common["now"], view.span).replace("; nothing else changed", "")
        return html(
            "series.html",
            **common,
            system=system,
            domain=domain,
            lines=lines,
            told=told,
            sentence=sentence,
            charts=self._chart(view, lines, told, system, domain, sentence),
            documents=self.reading.documents(view, system, domain, since=begin),
            released=[
                own for own in releases(self.office.database, system) if begin is None or own["time"] >= begin
            ],
        )

    def _changed(self, view: WatchView, own: Any, told: Any, said: str) -> dict[str, dict[str, Markup]]:
        """Charts of the domains where a system changed: each has its own, since means over all say little of one."""
        same = [one for one in told if (one.system, one.domain) == (own.system, own.domain)]
        found: dict[str, list[Any]] = {}
        for line in self.reading.lines(view, own.system, own.domain):
            found.setdefault(line["domain"], []).append(line)
        charts = {
            domain: self._chart(view, lines, same, own.system, domain, said, means=bool(own.domain))
            for domain, lines in sorted(found.items())
        }
        return {domain: chart for domain, chart in charts.items() if chart}

    def change(self, request: Request, reader: Reader) -> Response:
        common = self._common(request, reader)
        view: WatchView = common["view"]
        told = self.reading.changes(view.metric)
        wanted = request.query_params.get("evaluation", "")
        own = next((one for one in told if str(one.evaluation) == wanted), None)
        if own is None:
            raise Problem(404, "there is no such change; what came in since may have told it otherwise")
        metric = view.of
        before, after = self.reading.segment_scores(own)
        worst = after.worst(4 * WORST, up=metric.higher_is_better)  # some are the same text again
        behind = sorted({number for number, _, _ in worst})
        texts, phrases = self.reading.texts(behind), self.reading.phrases(behind)
        closer = replace(view, by=view.by or "day")
        shapes = {}
        if before.defined() and after.defined():
            shares = "Shares of segments by their scores, before the change and since."
            how = {"title": "Segments before and since", "said": shares}
            shapes = {
                name: Markup(two_shapes(before.defined(), after.defined(), width=width, **how))
                for name, width in WIDTHS.items()
            }
        documents = self.reading.documents(view, own.system, own.domain, since=own.since, most=500)
        documents = [one for one in documents if one["time"] <= own.told]
        documents.sort(
            key=lambda one: (
                one["value"] is None,
                (one["value"] or 0.0) * (1 if metric.higher_is_better else -1),
            )
        )
        names = {one["id"]: one["document"] for one in documents}
        said = telling.clause(own, common["now"])
        return html(
            "change.html",
            **common,
            own=own,
            sentence=f"{said}.",
            charts=self._changed(closer, own, told, said),
            shapes=shapes,
            before=before,
            after=after,
            documents=documents[:50],
            many=len(documents),
            worst=_each_once(
                {"evaluation": one, "document": names.get(one, ""), "place": place, "value": value,
                 **segment_of(texts.get(one), phrases.get(one), place)}
                for one, place, value in worst
            )[:WORST],
        )  # fmt: skip

    def document(self, request: Request, reader: Reader) -> Response:
        common = self._common(request, reader)
        view: WatchView = common["view"]
        number = request.query_params.get("evaluation", "")
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            raise Problem(404, "there is no such document")
        found = kept(self.office.database, int(number))
        scores = next((own for own in found["scores"] if own["metric"] == view.metric), found["scores"][0])
        texts = self.reading.texts([found["id"]]).get(found["id"])
        phrases = self.reading.phrases([found["id"]]).get(found["id"])
        order = list(range(found["segments"]))
        worst_first = request.query_params.get("order", "") != "text"
        values = scores["segments"]
        if worst_first and len(values) == len(order):
            sign = 1 if scores["higher_is_better"] else -1
            order.sort(key=lambda i: (values[i] is None, sign * (values[i] or 0.0)))
        page = request.query_params.get("page", "1")
        first = (int(page) - 1) * PAGE if page.isascii() and page.isdecimal() and int(page[:6]) > 0 else 0
        return html(
            "document.html",
            **common,
            found=found,
            chosen=scores["metric"],
            worst_first=worst_first,
            page=first // PAGE + 1,
            pages=-(-found["segments"] // PAGE),
            texts=texts is not None,
            segments=[
                {"place": i, "values": [_at(own["segments"], i) for own in found["scores"]],
                 **segment_of(texts, phrases, i)}
                for i in order[first : first + PAGE]
            ],
        )  # fmt: skip

    def compare(self, request: Request, reader: Reader) -> Response:
        common = self._common(request, reader)
        view: WatchView = common["view"]
        rows = self.reading.standings(replace(view, days=EVERYTHING))
        first, second, system, split, domain = (
            request.query_params.get(name, "") for name in ("first", "second", "system", "split", "domain")
        )
        asked = {"first": first, "second": second, "system": system, "split": split, "domain": domain}
        domains = sorted({name for own in rows.values() for name in own})
        values = common | {"asked": asked, "systems": sorted(rows), "domains": domains, "by_domain": {}}
        database, found, sentence, trouble = self.office.database, None, "", ""
        try:
            if first and second:
                wanted = Evaluations("", domain)
                found = compare_systems(database, wanted, view.metric, first, second)
                sentence = found["sentence"]
                for name in () if domain else domains:
                    with suppress(Problem):
                        one = replace(wanted, domain=name)
                        values["by_domain"][name] = compare_systems(database, one, view.metric, first, second)
            elif system and split:
                moment = _day(split)
                for name in ("", *(() if domain else domains)):
                    with suppress(Problem) if name else nullcontext():
                        before = Evaluations(system, name or domain, until=moment)
                        after = Evaluations(system, name or domain, since=moment)
                        values["by_domain"][name] = compare_periods(database, before, after, view.metric)
                found = values["by_domain"].pop("")
                sentence = telling.periods_sentence(
                    system, found, telling.day(moment, common["now"]), common["metric"]
                )
        except Problem as problem:
            trouble = problem.detail
        return html("compare.html", **values, found=found, sentence=sentence, trouble=trouble)


def _day(given: str) -> float:
    try:
        return datetime.fromisoformat(given).replace(tzinfo=UTC).timestamp()
    except (ValueError, OverflowError, OSError):
        raise Problem(422, f"{given[:40]!r} is no day") from None


def _each_once(segments: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same translation of the same text once, however often it came; of dropped texts nobody knows."""
    found: dict[Any, dict[str, Any]] = {}
    for i, own in enumerate(segments):
        found.setdefault(i if own["mt"] is None else (own["source"], own["mt"]), own)
    return list(found.values())


def _at(values: Sequence[float | None], place: int) -> float | None:
    """Metrics of documents have one value for all segments."""
    return values[place] if place < len(values) else None
