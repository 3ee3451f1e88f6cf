"""What administrators see and do: progress, speed, agreement, quality control, annotators, items, exports, results."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tertium.app import campaigns, overview
from tertium.app.access import ADMINISTRATORS_HOURS, Visitor
from tertium.app.guards import LOGIN
from tertium.app.loading import segments_from_text
from tertium.app.visiting import ADMIN_COOKIE, House, address, html, refusing
from tertium.errors import TertiumError
from tertium.human.campaigns.exports import SHAPES, exported

Form = dict[str, str]


def admin_routes(house: House) -> list[Route]:
    """The routes of administrators."""
    pages = _Pages(house)
    return [
        Route("/admin/login", pages.login_page),
        Route("/admin/login", _form(pages.login), methods=["POST"]),
        Route("/admin/logout", _form(pages.logout), methods=["POST"]),
        Route("/admin/token", _form(pages.token), methods=["POST"]),
        Route("/admin", pages.campaigns),
        Route("/admin/campaigns/{name}", pages.campaign),
        Route("/admin/campaigns/{name}/live", pages.live),
        Route("/admin/campaigns/{name}/result", pages.result),
        Route("/admin/campaigns/{name}/export/{shape}", pages.export),
        Route("/admin/campaigns/{name}/annotators", _form(pages.add_annotators), methods=["POST"]),
        Route("/admin/campaigns/{name}/annotators/{number:int}/state", _form(pages.state), methods=["POST"]),
        Route("/admin/campaigns/{name}/annotators/{number:int}/link", _form(pages.renew), methods=["POST"]),
        Route("/admin/campaigns/{name}/items", _form(pages.add_items), methods=["POST"]),
    ]


def _form(handler: Any) -> Any:
    """A handler of a posted form: fields as text (a file as its text), then the rest in a thread."""

    async def posted(request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
            raise HTTPException(415, "a form was expected")
        fields: Form = {}
        async with request.form(max_files=1, max_fields=20, max_part_size=8 * 1024 * 1024) as form:
            for key, value in form.items():
                if isinstance(value, UploadFile):
                    fields[key] = (await value.read()).decode("utf-8", "replace")
                else:
                    fields[key] = value
        return await run_in_threadpool(handler, request, fields)

    return posted


class _Pages:
    def __init__(self, house: House) -> None:
        self.house = house
        self.watch = overview.Watch(house.database)

    def _admin(self, request: Request, form: Form | None = None) -> Visitor:
        visitor = self.house.visitor(request, admin=True)
        if form is not None:
            self.house.own_request(request, visitor, form.get("csrf"))
        return visitor

    def _campaign(self, request: Request) -> int:
        try:
            return campaigns.campaign_named(self.house.database, request.path_params["name"])
        except TertiumError:
            raise HTTPException(404, "there is no such campaign") from None

    # -- coming and going --------------------------------------------------------------------------------------

    def login_page(self, request: Request) -> Response:
        return html("login.html", visitor=None, trouble="", has_password=self.house.access.has_password)

    def login(self, request: Request, form: Form) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise HTTPException(403, "log in from our own page")
        self.house.slow_down("login", address(request), LOGIN)
        token = self.house.access.login(form.get("password", ""))
        if token is None:
            return html("login.html", 401, visitor=None, trouble="Wrong password.", has_password=True)
        response = RedirectResponse("/admin", 303)
        self.house.start_session(response, ADMIN_COOKIE, token, ADMINISTRATORS_HOURS * 3600)
        return response

    def logout(self, request: Request, form: Form) -> Response:
        self._admin(request, form)
        self.house.access.leave(request.cookies[ADMIN_COOKIE])
        response = RedirectResponse("/admin/login", 303)
        response.delete_cookie(ADMIN_COOKIE, path="/")
        return response

    def token(self, request: Request, form: Form) -> Response:
        visitor = self._admin(request, form)
        return self._campaigns(visitor, self.house.access.new_script_token())

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
        counted = [line for line in lines if line.state != "removed"]
        done = sum(line.done for line in counted)
        base = self.house.base_url(request)
        return {
            "visitor": visitor,
            "name": request.path_params["name"],
            "lines": lines,
            "links": {line.id: f"{base}/a/{access.link(line.id, line.link_version)}" for line in lines},
            "monitored": self.watch.look(number, done),
            "moment": _moment,
            "done": done,
            "total": sum(line.total for line in counted),
        }

    def _dashboard(self, request: Request, visitor: Visitor, trouble: str = "", note: str = "") -> Response:
        number = self._campaign(request)
        return html(
            "campaign.html",
            422 if trouble else 200,
            **self._state(request, visitor),
            settings=campaigns.settings_of(self.house.database, number),
            shapes=SHAPES,
            trouble=trouble,
            note=note,
        )

    def result(self, request: Request) -> Response:
        from tertium.human.campaigns.analysis import analyse

        visitor = self._admin(request)
        found, trouble = None, ""
        try:
            found = analyse(overview.collected(self.house.database, self._campaign(request)))
        except TertiumError as error:
            trouble = str(error)
        name = request.path_params["name"]
        return html("result.html", visitor=visitor, name=name, found=found, trouble=trouble)

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

    def _changed(self, request: Request, form: Form, change: Callable[[int], str | None]) -> Response:
        """Change a campaign. The page says what is wrong, or what was done (the note that `change` gives)."""
        visitor, number = self._admin(request, form), self._campaign(request)
        try:
            note = change(number)
        except TertiumError as error:
            return self._dashboard(request, visitor, trouble=str(error))
        return self._back(request) if note is None else self._dashboard(request, visitor, note=note)

    def add_annotators(self, request: Request, form: Form) -> Response:
        def add(number: int) -> None:
            for name in filter(None, map(str.strip, form.get("names", "").splitlines())):
                campaigns.add_annotator(self.house.database, number, name)

        return self._changed(request, form, add)

    def _annotator(self, request: Request, number: int) -> int:
        who: int = request.path_params["number"]
        if who not in {row.id for row in campaigns.annotators_of(self.house.database, number)}:
            raise HTTPException(404, "there is no such annotator")
        return who

    def state(self, request: Request, form: Form) -> Response:
        def change(number: int) -> None:
            who = self._annotator(request, number)
            campaigns.set_state(self.house.database, number, who, form.get("state", ""))

        return self._changed(request, form, change)

    def renew(self, request: Request, form: Form) -> Response:
        return self._changed(
            request, form, lambda number: self.house.access.renew_link(self._annotator(request, number))
        )

    def add_items(self, request: Request, form: Form) -> Response:
        def add(number: int) -> str:
            segments = segments_from_text(form.get("file") or form.get("segments") or "")
            return f"{campaigns.add_items(self.house.database, number, segments)} items were added."

        return self._changed(request, form, add)


def _moment(when: float | None) -> str:
    if when is None:
        return ""
    return datetime.datetime.fromtimestamp(when, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
