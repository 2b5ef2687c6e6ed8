"""Who may ask, and for how much: everything that is decided before a request is read.

A browser sends requests to this server on behalf of any page that is open in it. So the name by
which the server is called (Host) must be its own, or a page of another site could rebind a name to
this address; and where a browser tells which page asks (Origin, Sec-Fetch-Site), it must be ours.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from taquin.web.replies import refusal
from taquin.web.settings import BODY_BYTES

BODY_SECONDS = 30.0
"""How long a body may take to arrive."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The names of this very machine."""
_SAFETY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; frame-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Sent with every reply that does not say otherwise."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets nothing through that is not for this server, from its own page or from no page."""

    app: ASGIApp
    names: frozenset[str] = LOOPBACK
    """The names by which the server is called."""
    is_public: bool = False
    """Whether it may also be called by any address; no name can be rebound to be one."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in _SAFETY.items():
                    sent.setdefault(name, value)
            await send(message)

        if sentence := self._stranger(headers, scope["path"]):
            await refusal(403, sentence)(scope, receive, safely)
            return
        body = b""
        if scope["method"] == "POST":
            length = headers.get("content-length", "0")
            too_much = length.isdecimal() and int(length[:20]) > BODY_BYTES
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    body = b"" if too_much else await _body(receive)
            except TimeoutError:
                await refusal(408, "the body took too long to arrive")(scope, receive, safely)
                return
            if too_much or len(body) > BODY_BYTES:
                sentence = f"expected a body of at most {BODY_BYTES:,} bytes, found more"
                await refusal(413, sentence, {"Connection": "close"})(scope, receive, safely)
                return
        await self.app(scope, _after(body, receive), safely)

    def _stranger(self, headers: Headers, path: str) -> str:
        """Return why a request is none of ours; empty where it is."""
        hosts = headers.getlist("host")
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None or not self._is_ours(match[1].lower()):
            return "this server is not called so: the Host of the request is not its own"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (
            f"http://{hosts[0].lower()}",
            f"https://{hosts[0].lower()}",
        ):
            return "the request comes from a page of another site (Origin)"
        site = headers.get("sec-fetch-site", "none")
        if path.startswith("/api/") and site not in ("same-origin", "none"):
            return "the request comes from a page of another site (Sec-Fetch-Site)"
        return ""

    def _is_ours(self, name: str) -> bool:
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return self.is_public


async def _body(receive: Receive) -> bytes:
    """Return the body of a request, or more than there may be of it."""
    body = b""
    more = True
    while more and len(body) <= BODY_BYTES:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _after(body: bytes, receive: Receive) -> Receive:
    """Return what gives the body that was read, and then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return messages.pop() if messages else await receive()

    return received
