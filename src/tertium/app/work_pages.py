"""What annotators see: the link, the instructions, one screen per item."""

from __future__ import annotations

import json
import math
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tertium.app.access import ANNOTATORS_DAYS, Visitor
from tertium.app.practising import Practice
from tertium.app.visiting import ANNOTATOR_COOKIE, ANSWERS, House, html
from tertium.app.working import Progress, Screen, Work
from tertium.errors import TertiumError
from tertium.human.campaigns.designs import DIRECT, PAIRWISE, SPANS, UNITS, SpanOptions
from tertium.human.campaigns.settings import Settings
from tertium.io.records import parsed_json
from tertium.web.guards import STRANGER
from tertium.web.visiting import address, refusing

_FAR = 10**6  # there is no position beyond


def work_routes(house: House) -> list[Route]:
    """The routes of annotators."""
    pages = _Pages(house)
    return [
        Route("/a/{link}", pages.enter),
        Route("/work", house.reading(pages.resume)),
        Route("/work/start", house.reading(pages.start)),
        Route("/work/finished", house.reading(pages.finished)),
        Route("/work/undo", pages.undo, methods=["POST"]),
        Route("/work/practice", house.reading(pages.practise)),
        Route("/work/practice/{place:int}", house.reading(pages.practice)),
        Route("/work/practice/{place:int}/answer", pages.practised, methods=["POST"]),
        Route("/work/{position:int}", house.reading(pages.screen)),
        Route("/work/{position:int}/answer", pages.answer, methods=["POST"]),
    ]


class _Pages:
    def __init__(self, house: House) -> None:
        self.house = house
        self.passed: set[int] = set()  # who need not be asked about the tutorial again

    def _work(self, request: Request) -> tuple[Visitor, Work]:
        visitor = self.house.visitor(request, admin=False)
        assert visitor.campaign is not None
        assert visitor.annotator is not None
        return visitor, Work(self.house.database, visitor.campaign, visitor.annotator)

    def enter(self, request: Request) -> Response:
        house = self.house
        token = house.access.enter(request.path_params["link"])
        if token is None:  # links cannot be guessed: whoever has one may share an address with whoever tries
            if not house.limiter.allows("links", address(request), STRANGER):
                raise HTTPException(429, "too many wrong links; wait a minute")
            raise HTTPException(404, "this link is not valid")
        response = RedirectResponse("/work", 303)
        house.start_session(response, ANNOTATOR_COOKIE, token, ANNOTATORS_DAYS * 86400)
        return response

    def _learning(self, work: Work) -> Practice | None:
        """The tutorial, until it is passed."""
        if work.settings.tutorial is None or work.annotator in self.passed:
            return None
        practice = Practice(work)
        if practice.state().passed:
            self.passed.add(work.annotator)  # for good
            return None
        return practice

    def resume(self, request: Request) -> Response:
        _, work = self._work(request)
        practice, progress = self._learning(work), work.progress()
        if practice is not None:
            return RedirectResponse("/work/practice" if practice.state().answered else "/work/start", 303)
        if progress.next is None:
            return RedirectResponse("/work/finished", 303)
        return RedirectResponse(f"/work/{progress.next}" if progress.begun else "/work/start", 303)

    def start(self, request: Request) -> Response:
        visitor, work = self._work(request)
        practice = self._learning(work)
        state = None if practice is None else practice.state()
        return _page("start.html", visitor, work, progress=work.progress(), practice=state)

    def practise(self, request: Request) -> Response:
        """Where the tutorial goes on, or how it ended."""
        visitor, work = self._work(request)
        if work.settings.tutorial is None:
            return RedirectResponse("/work", 303)
        state = Practice(work).state()
        if not state.passed and state.answered < state.total:
            return RedirectResponse(f"/work/practice/{state.place}", 303)
        return _page("practice.html", visitor, work, practice=state)

    def practice(self, request: Request) -> Response:
        visitor, work = self._work(request)
        practice, place = self._learning(work), request.path_params["place"]
        if practice is None or practice.state().place != place:
            return RedirectResponse("/work/practice" if practice else "/work", 303)
        screen = practice.screen(place)
        data = {**_data(work.settings, screen), "position": f"practice/{place}", "practice": True}
        return self._shown(visitor, work, screen, practice.progress(place), data)

    async def practised(self, request: Request) -> Response:
        return await run_in_threadpool(self._practised, request, await request.body())

    def _practised(self, request: Request, body: bytes) -> Response:
        work, given = self._sent(request, body, "key", "answer", "seconds", "complete")
        practice, place = Practice(work), request.path_params["place"]
        if not 1 <= place <= len(practice.items):
            raise HTTPException(404, "there is no such item")
        with refusing(422):
            said = practice.save(place, given.get("key", ""), given.get("answer"))
        return JSONResponse({**said, "next": "/work/practice"})

    def finished(self, request: Request) -> Response:
        visitor, work = self._work(request)
        progress = work.progress()
        if progress.next is not None:
            return RedirectResponse(f"/work/{progress.next}", 303)
        return _page("finished.html", visitor, work, progress=progress)

    def screen(self, request: Request) -> Response:
        visitor, work = self._work(request)
        position = request.path_params["position"]
        if visitor.state == "paused":
            return _page("paused.html", visitor, work)
        if self._learning(work) is not None:
            return RedirectResponse("/work/practice", 303)
        screen = work.screen(position) if 1 <= position < _FAR else None
        if screen is None:
            raise HTTPException(404, "there is no such item")
        progress = work.progress()
        if progress.next is not None and position > progress.next and screen.state != "done":
            return RedirectResponse(f"/work/{progress.next}", 303)  # one after the other
        return self._shown(visitor, work, screen, progress, _data(work.settings, screen))

    def _shown(
        self, visitor: Visitor, work: Work, screen: Screen, progress: Progress, data: dict[str, Any]
    ) -> Response:
        return _page(
            "screen.html",
            visitor,
            work,
            progress=progress,
            screen=screen,
            practice="practice" in data,
            shown=[screen.item.outputs[place].text for place in screen.order],
            script=DIRECT if screen.item.inside else work.settings.design.name,
            data={"annotator": visitor.annotator, **data},
        )

    def _sent(self, request: Request, body: bytes, *known: str) -> tuple[Work, dict[str, Any]]:
        """What the page's script sends, if it may."""
        visitor, work = self._work(request)
        self.house.own_request(request, visitor.csrf, request.headers.get("x-csrf-token"))
        self.house.slow_down("answers", str(visitor.annotator), ANSWERS)
        if visitor.state == "paused":
            raise HTTPException(409, "your work is paused")
        return work, _object(body, set(known))

    async def answer(self, request: Request) -> Response:
        return await run_in_threadpool(self._answer, request, await request.body())

    def _answer(self, request: Request, body: bytes) -> Response:
        work, given = self._sent(request, body, "key", "answer", "seconds", "complete")
        seconds, complete = given.get("seconds", 0), given.get("complete")
        number = isinstance(seconds, int | float) and not isinstance(seconds, bool) and math.isfinite(seconds)
        if not number or not isinstance(complete, bool):
            raise HTTPException(422, "seconds must be a number, complete true or false")
        position = request.path_params["position"]
        if not 1 <= position < _FAR:
            raise HTTPException(404, "there is no such item")
        if self._learning(work) is not None:
            raise HTTPException(409, "please finish the practice first")
        with refusing(422):
            saved = work.save(
                position, given.get("key", ""), given.get("answer"), float(seconds), complete=complete
            )
        if saved is None:
            raise HTTPException(404, "there is no such item")
        after = saved.progress.next
        return JSONResponse(
            {
                "saved": True,
                "again": saved.again,
                "state": saved.state,
                "done": saved.progress.done,
                "total": saved.progress.total,
                "next": "/work/finished" if after is None else f"/work/{after}",
            }
        )

    async def undo(self, request: Request) -> Response:
        return await run_in_threadpool(self._undo, request, await request.body())

    def _undo(self, request: Request, body: bytes) -> Response:
        work, given = self._sent(request, body, "key")
        with refusing(422):
            position = work.undo(given.get("key", ""))
        return JSONResponse({"next": None if position is None else f"/work/{position}"})


def _page(template: str, visitor: Visitor, work: Work, **values: Any) -> Response:
    settings = work.settings
    return html(template, language=settings.interface, visitor=visitor, settings=settings, **values)


def _object(body: bytes, known: set[str]) -> dict[str, Any]:
    try:
        given = parsed_json(body.decode("utf-8"), "body")
    except (TertiumError, UnicodeDecodeError, RecursionError):
        raise HTTPException(422, "the body must be JSON") from None
    if not isinstance(given, dict) or set(given) - known:
        raise HTTPException(422, f"the body must have {', '.join(sorted(known))}")
    return given


def _data(settings: Settings, screen: Screen) -> dict[str, Any]:
    """What the page's script needs to know. Nothing in it reveals which system is which, or what kind of item it is."""
    options = settings.options
    data: dict[str, Any] = {
        "design": settings.design.name,
        "words": settings.interface.words,
        "idle": settings.idle,
        "position": screen.position,
        "state": screen.state,
        "answer": screen.answer,
        "seconds": screen.seconds,
        "outputs": len(screen.order),
    }
    if settings.design.name == PAIRWISE:
        data["undecided"] = options["undecided"]
    if settings.design.name == SPANS:
        data |= {
            "severities": options["severities"],
            "categories": options["categories"] if options["protocol"] == "mqm" else [],
            "score": options["score"],
            "weights": None if options["score"] else SpanOptions(**options).weights(),
            "given": [span.data() for span in screen.item.outputs[0].spans],
        }
    if settings.design.name == UNITS:
        from tertium.human.campaigns.units import every

        data["units"] = {unit.id: list(unit.marks) for unit in every(screen.item.units)}
    return json.loads(json.dumps(data))  # type: ignore[no-any-return]
