"""What administrators see and do: progress, speed, agreement, quality control, annotators, items, exports, results."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tertium.app import campaigns, overview
from tertium.app.access import Visitor
from tertium.app.loading import load_uploaded, segments_from_text
from tertium.app.visiting import ADMIN_COOKIE, House, html
from tertium.errors import InputError, TertiumError
from tertium.human.campaigns.analysis import analyse
from tertium.human.campaigns.exports import SHAPES, exported, refusal
from tertium.human.campaigns.plan import planned
from tertium.io.judgementtable import Span
from tertium.web.access import ADMINISTRATORS_HOURS
from tertium.web.guards import LOGIN
from tertium.web.visiting import address, refusing

MOST_FILES = 500


class Form(dict[str, str]):
    """What was posted: texts by field, and files by name."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}


def admin_routes(house: House) -> list[Route]:
    """The routes of administrators."""
    pages = _Pages(house)

    def form(path: str, handler: Any) -> Route:
        return Route(path, pages.posted(handler), methods=["POST"])

    one = "/admin/campaigns/{name}"
    person = f"{one}/annotators/{{number:int}}"
    return [
        Route("/admin/login", pages.login_page),
        Route("/admin/login", pages.login, methods=["POST"]),
        form("/admin/logout", pages.logout),
        form("/admin/token", pages.token),
        Route("/admin", pages.campaigns),
        Route("/admin/new", pages.new),
        form("/admin/new", pages.create),
        Route(one, pages.campaign),
        Route(f"{one}/live", pages.live),
        Route(f"{one}/result", pages.result),
        Route(f"{one}/answers", pages.answers),
        Route(f"{one}/export/{{shape}}", pages.export),
        form(f"{one}/annotators", pages.add_annotators),
        form(f"{person}/state", pages.state),
        form(f"{person}/link", pages.renew),
        form(f"{person}/tasks", pages.reassign),
        form(f"{one}/items", pages.add_items),
    ]


async def _fields(request: Request) -> Form:
    """The fields of a posted form as texts, and its files."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        raise HTTPException(415, "a form was expected")
    found = Form()
    async with request.form(max_files=MOST_FILES, max_fields=20, max_part_size=8 * 1024 * 1024) as form:
        for key, value in form.multi_items():
            if not isinstance(value, UploadFile):
                found[key] = value
            elif value.filename:
                found.files[value.filename] = await value.read()
    return found


class _Pages:
    def __init__(self, house: House) -> None:
        self.house = house
        self.watch = overview.Watch(house.database)

    def _admin(self, request: Request) -> Visitor:
        return self.house.visitor(request, admin=True)

    def posted(self, handler: Callable[[Request, Form], Response]) -> Any:
        """A handler of a form that only an administrator may post: nobody else's is even read."""

        async def receive(request: Request) -> Response:
            visitor = await run_in_threadpool(self._admin, request)
            form = await _fields(request)
            self.house.own_request(request, visitor.csrf, form.get("csrf"))
            return await run_in_threadpool(handler, request, form)

        return receive

    def _campaign(self, request: Request) -> int:
        try:
            return campaigns.campaign_named(self.house.database, request.path_params["name"])
        except TertiumError:
            raise HTTPException(404, "there is no such campaign") from None

    # -- coming and going --------------------------------------------------------------------------------------

    def login_page(self, request: Request) -> Response:
        return html("login.html", visitor=None, wrong=False, has_password=self.house.access.has_password)

    async def login(self, request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise HTTPException(403, "log in from our own page")
        self.house.slow_down("login", address(request), LOGIN)
        return await run_in_threadpool(self._login, (await _fields(request)).get("password", ""))

    def _login(self, password: str) -> Response:
        token = self.house.access.login(password)
        if token is None:
            return html("login.html", 401, visitor=None, wrong=True, has_password=True)
        response = RedirectResponse("/admin", 303)
        self.house.start_session(response, ADMIN_COOKIE, token, ADMINISTRATORS_HOURS * 3600)
        return response

    def logout(self, request: Request, form: Form) -> Response:
        self.house.access.leave(request.cookies[ADMIN_COOKIE])
        response = RedirectResponse("/admin/login", 303)
        response.delete_cookie(ADMIN_COOKIE, path="/")
        return response

    def token(self, request: Request, form: Form) -> Response:
        return self._campaigns(self._admin(request), self.house.access.new_script_token())

    # -- a new campaign ----------------------------------------------------------------------------------------

    def new(self, request: Request) -> Response:
        return html("new.html", visitor=self._admin(request), trouble="", plan=None)

    def create(self, request: Request, form: Form) -> Response:
        """The same files, checks and messages as `tertium annotate create`."""
        try:
            plan = planned(*load_uploaded(form.files))
            if form.get("how") != "check":
                campaigns.create_planned(self.house.database, plan)
                return RedirectResponse(f"/admin/campaigns/{plan.settings.name}", 303)
        except TertiumError as error:
            return html("new.html", 422, visitor=self._admin(request), trouble=str(error), plan=None)
        return html("new.html", visitor=self._admin(request), trouble="", plan=plan.table())

    # -- looking -----------------------------------------------------------------------------------------------

    def campaigns(self, request: Request) -> Response:
        return self._campaigns(self._admin(request))

    def _campaigns(self, visitor: Visitor, token: str = "") -> Response:
        known = overview.campaigns(self.house.database)
        return html("campaigns.html", visitor=visitor, campaigns=known, token=token)

    def campaign(self, request: Request) -> Response:
        return self._dashboard(request, self._admin(request))

    def live(self, request: Request) -> Response:
        """Only the part of the page that changes."""
        return html("live.html", **self._state(request, self._admin(request)))

    def _state(self, request: Request, visitor: Visitor) -> dict[str, Any]:
        number = self._campaign(request)
        database, access = self.house.database, self.house.access
        lines = overview.annotator_lines(database, number)
        settings = campaigns.settings_of(database, number)
        now = overview.standing(lines, time.time())
        base = self.house.base_url(request)
        told = [(line.id, line.state, line.reason, line.done, line.last) for line in lines]
        monitored, result = self.watch.look(number, told)
        return {
            "visitor": visitor,
            "name": request.path_params["name"],
            "lines": lines,
            "practice": overview.practice_standings(database, number, settings)
            if settings.tutorial
            else None,
            "settings": settings,
            "links": {line.id: f"{base}/a/{access.link(line.id, line.link_version)}" for line in lines},
            "monitored": monitored,
            "found": result,
            "moment": _moment,
            "standing": now,
        }

    def _dashboard(self, request: Request, visitor: Visitor, trouble: str = "", note: str = "") -> Response:
        state = self._state(request, visitor)
        return html(
            "campaign.html",
            422 if trouble else 200,
            **state,
            shapes=[(shape, label, refusal(state["settings"], shape)) for shape, label in SHAPES.items()],
            trouble=trouble,
            note=note,
        )

    def result(self, request: Request) -> Response:
        visitor = self._admin(request)
        found, trouble = None, ""
        try:
            found = analyse(overview.collected(self.house.database, self._campaign(request)))
        except TertiumError as error:
            trouble = str(error)
        name = request.path_params["name"]
        return html("result.html", visitor=visitor, name=name, found=found, trouble=trouble)

    def answers(self, request: Request) -> Response:
        """Single answers, some on each page, of everybody or of one annotator, on all segments or one."""
        visitor, number = self._admin(request), self._campaign(request)
        asked = request.query_params
        people = campaigns.annotators_of(self.house.database, number)
        who = next((row.id for row in people if str(row.id) == asked.get("annotator")), None)
        segment = asked.get("segment", "").strip()[:200]
        wanted = asked.get("page", "1")
        page = int(wanted) if wanted.isascii() and wanted.isdecimal() and 0 < len(wanted) < 6 else 1
        shown, total = overview.single_answers(self.house.database, number, who, segment, max(page, 1))
        return html(
            "answers.html",
            visitor=visitor,
            name=request.path_params["name"],
            people=people,
            who=who,
            segment=segment,
            page=max(page, 1),
            asked=urlencode({"annotator": who or "", "segment": segment}),
            pages=max(1, -(-total // overview.PAGE)),
            total=total,
            answers=shown,
            moment=_moment,
            disjoint=_disjoint,
        )

    def export(self, request: Request) -> Response:
        self._admin(request)
        shape = request.path_params["shape"]
        if shape not in SHAPES:
            raise HTTPException(404, "there is no such format")
        with refusing(409):
            made = exported(overview.collected(self.house.database, self._campaign(request)), shape)
        attached = {"content-disposition": f'attachment; filename="{made.name}"'}
        return Response(made.data, media_type=made.media, headers=attached)

    # -- doing -------------------------------------------------------------------------------------------------

    def _back(self, request: Request) -> Response:
        return RedirectResponse(f"/admin/campaigns/{request.path_params['name']}", 303)

    def _changed(self, request: Request, change: Callable[[int], str | None]) -> Response:
        """Change a campaign. The page says what is wrong, or what was done (the note that `change` gives)."""
        visitor, number = self._admin(request), self._campaign(request)
        try:
            note = change(number)
        except TertiumError as error:
            return self._dashboard(request, visitor, trouble=str(error))
        return self._back(request) if note is None else self._dashboard(request, visitor, note=note)

    def add_annotators(self, request: Request, form: Form) -> Response:
        def add(number: int) -> None:
            for name in filter(None, map(str.strip, form.get("names", "").splitlines())):
                campaigns.add_annotator(self.house.database, number, name)

        return self._changed(request, add)

    def _annotator(self, request: Request, number: int) -> int:
        who: int = request.path_params["number"]
        if who not in {row.id for row in campaigns.annotators_of(self.house.database, number)}:
            raise HTTPException(404, "there is no such annotator")
        return who

    def state(self, request: Request, form: Form) -> Response:
        def change(number: int) -> None:
            who = self._annotator(request, number)
            state, reason = form.get("state", ""), form.get("reason", "").strip()
            if state == "removed" and not reason:
                raise InputError("give a reason for setting this annotator aside: the result states it")
            campaigns.set_state(self.house.database, number, who, state, reason)

        return self._changed(request, change)

    def renew(self, request: Request, form: Form) -> Response:
        return self._changed(
            request, lambda number: self.house.access.renew_link(self._annotator(request, number))
        )

    def reassign(self, request: Request, form: Form) -> Response:
        def move(number: int) -> str:
            taker, most = form.get("taker", ""), form.get("most", "").strip()
            if not all(
                text.isascii() and text.isdecimal() and len(text) < 10 for text in (taker, most or "0")
            ):
                raise InputError("choose an annotator, and how many screens (or leave that empty for all)")
            giver = self._annotator(request, number)
            went, stay = campaigns.reassign(
                self.house.database, number, giver, int(taker), int(most) if most else None
            )
            names = {row.id: row.name for row in campaigns.annotators_of(self.house.database, number)}
            note = f"{went} open screens went from {names[giver]} to {names[int(taker)]}."
            if stay and not most:
                note += (
                    f" {stay} stay with {names[giver]}: the one that may be on the screen, and those that"
                    f" {names[int(taker)]} has already or that repeat what {names[giver]} did."
                )
            return note

        return self._changed(request, move)

    def add_items(self, request: Request, form: Form) -> Response:
        def add(number: int) -> str:
            files = [data.decode("utf-8", "replace") for data in form.files.values()]
            segments = segments_from_text("".join(files) or form.get("segments", ""))
            return f"{campaigns.add_items(self.house.database, number, segments)} items were added."

        return self._changed(request, add)


def _disjoint(spans: Sequence[Span], *, in_source: bool) -> list[tuple[int, int]]:
    """The marked characters of one side, as spans that do not overlap."""
    found: list[tuple[int, int]] = []
    for span in spans:
        start, end = span.start, span.end
        if start is None or end is None or start == end or span.in_source != in_source:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _moment(when: float | None) -> str:
    if when is None:
        return ""
    return datetime.datetime.fromtimestamp(when, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
