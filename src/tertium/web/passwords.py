"""Secrets: the administrator's password (scrypt), personal links and script tokens."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

_N, _R, _P = 2**14, 8, 5  # OWASP's advice for scrypt in 16 MiB
SHORTEST = 10


def hashed_password(password: str) -> str:
    """The password as it is kept: scrypt with a salt of its own.

    >>> password_fits("correct horse", hashed_password("correct horse"))
    True
    """
    salt = secrets.token_bytes(16)
    return f"scrypt${_N}${_R}${_P}${_text(salt)}${_text(_scrypt(password, salt, _N, _R, _P))}"


def password_fits(password: str, kept: str) -> bool:
    """Whether this is the password that was hashed."""
    kind, n, r, p, salt, expected = kept.split("$")
    if kind != "scrypt":
        raise ValueError(f"passwords are hashed with scrypt, not with {kind}")
    found = _scrypt(password, base64.urlsafe_b64decode(salt), int(n), int(r), int(p))
    return hmac.compare_digest(_text(found), expected)


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    given = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(given, salt=salt, n=n, r=r, p=p, maxmem=2**26, dklen=32)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii")


def new_token() -> str:
    """A secret nobody can guess: 256 bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is kept of a random token. It needs no salt and no slowness: there is nothing to guess.

    >>> len(token_hash("x"))
    64
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def signature(secret: str, *parts: object) -> str:
    """A short text that can only be made with the secret: 132 bits of HMAC-SHA256.

    >>> signature("s", "link", 7, 1) == signature("s", "link", 7, 2)
    False
    """
    message = "\x1f".join(map(str, parts)).encode()
    digest = hmac.new(secret.encode(), message, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode("ascii")[:22]


def same(first: str, second: str) -> bool:
    """Whether two secrets are equal, in a time that reveals nothing."""
    return hmac.compare_digest(*(text.encode("utf-8", "surrogatepass") for text in (first, second)))
