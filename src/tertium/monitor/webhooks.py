"""Alarms by webhook: signed, tried again with growing pauses, and not forgotten when the server stops.

Headers are those of https://www.standardwebhooks.com: receivers can check them by any library for that.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import delete, select, update

from tertium.errors import InputError
from tertium.monitor import schema
from tertium.monitor.alarms import alarms
from tertium.monitor.history import Evaluations
from tertium.web.database import Database, added

PATIENCE = 10.0  # seconds for an answer
PAUSES = (
    5.0,
    30.0,
    120.0,
    600.0,
    1800.0,
    3600.0,
    *([6 * 3600.0] * 20),
)  # after each failure; then it is given up
_hooks, _sent = schema.webhooks.c, schema.deliveries.c
Post = Callable[[str, bytes, Mapping[str, str]], int]


def add_webhook(database: Database, url: str) -> str:
    """Call this address on alarms from now on; gives the secret that calls are signed with."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or len(url) > 500 or not url.isprintable():
        raise InputError(f"{url[:100]}: a webhook is an address that begins with https:// or http://")
    if parts.username or parts.password:
        raise InputError("a webhook's address has no password in it: calls are signed")
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()
    with database.writing() as connection:
        if not added(connection, schema.webhooks, url=url, secret=secret, created=time.time()):
            raise InputError(f"{url}: there is such a webhook already")
    return secret


def remove_webhook(database: Database, url: str) -> None:
    """Call it no more."""
    with database.writing() as connection:
        number = connection.scalar(select(_hooks.id).where(_hooks.url == url))
        if number is None:
            raise InputError(f"{url}: there is no such webhook")
        connection.execute(delete(schema.deliveries).where(_sent.webhook == number))
        connection.execute(delete(schema.webhooks).where(_hooks.id == number))


def webhooks(database: Database) -> list[dict[str, Any]]:
    """All of them, without their secrets, and how their calls went."""
    rows = database.rows(select(_hooks.id, _hooks.url, _hooks.created).order_by(_hooks.id))
    sent = database.rows(select(_sent.webhook, _sent.delivered, _sent.due, _sent.said).order_by(_sent.alarm))
    return [
        {
            "url": row.url,
            "created": row.created,
            "delivered": sum(own.delivered is not None for own in sent if own.webhook == row.id),
            "waiting": sum(own.due is not None for own in sent if own.webhook == row.id),
            "last": next((own.said for own in reversed(sent) if own.webhook == row.id), ""),
        }
        for row in rows
    ]


def signature(secret: str, number: str, moment: int, body: bytes) -> str:
    """What stands in the header `webhook-signature`.

    >>> signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
    ...     b'{"test": 2432232314}')
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{number}.{moment}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"


def deliver(database: Database, post: Post | None = None) -> int:
    """Make calls that are due. Gives how many were tried.

    A call is put off before it is made: if the server dies meanwhile it is made again later. So a receiver may hear
    of an alarm twice; `webhook-id` says that it is the same.
    """
    now = time.time()
    query = (
        select(_sent.alarm, _sent.webhook, _sent.tries, _sent.due, _hooks.url, _hooks.secret)
        .join(schema.webhooks, _hooks.id == _sent.webhook)
        .where(_sent.due <= now)
        .order_by(_sent.due)
        .limit(20)
    )
    tried = 0
    for row in database.rows(query):
        own = (_sent.alarm == row.alarm) & (_sent.webhook == row.webhook)
        later = None if row.tries >= len(PAUSES) else now + PAUSES[row.tries]
        put_off = update(schema.deliveries).where(own, _sent.due == row.due, _sent.tries == row.tries)
        with database.writing() as connection:
            if not connection.execute(put_off.values(due=later, tries=row.tries + 1)).rowcount:
                continue  # another process makes this call
        tried += 1
        [found] = alarms(database, Evaluations(), after=row.alarm - 1, most=1)
        body = json.dumps({"type": "alarm", "data": found}).encode()
        number, moment = f"alarm_{row.alarm}", int(now)
        headers = {
            "content-type": "application/json",
            "user-agent": "tertium",
            "webhook-id": number,
            "webhook-timestamp": str(moment),
            "webhook-signature": signature(row.secret, number, moment, body),
        }
        try:
            status = (post or _post)(row.url, body, headers)
            said, good = f"status {status}", 200 <= status < 300
        except OSError as error:
            said, good = type(error).__name__, False
        with database.writing() as connection:
            new: dict[str, Any] = {"said": said[:200]} | (
                {"due": None, "delivered": time.time()} if good else {}
            )
            connection.execute(update(schema.deliveries).where(own).values(**new))
    return tried


class _Straight(urllib.request.HTTPRedirectHandler):
    """A webhook that sends us elsewhere is wrong."""

    def redirect_request(self, *_given: Any) -> None:
        return None


def _post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    request = urllib.request.Request(url, body, dict(headers), method="POST")
    try:
        with urllib.request.build_opener(_Straight).open(request, timeout=PATIENCE) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
