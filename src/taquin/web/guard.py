"""Checks before a request is handled: its Host, its Origin, and the size of its body.

A browser sends requests to this server for any page that is open in it. The Host must therefore be
a name of this server, or another site could rebind its own name to this address (DNS rebinding).
And the page that asks, where the browser names it (Origin, Sec-Fetch-Site), must be our own.
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
"""The time that a body may take to arrive."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The names of this machine for itself."""
_SECURITY_HEADERS = {
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
"""Sent with every response, except where the response sets its own."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Middleware that admits requests for this server, from its own page or from no page."""

    app: ASGIApp
    names: frozenset[str] = LOOPBACK
    """The host names of the server."""
    is_public: bool = False
    """Whether any IP address is a valid Host too; an address cannot be rebound."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_securely(message: Message) -> None:
            if message["type"] == "http.response.start":
                response_headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    response_headers.setdefault(name, value)
            await send(message)

        if sentence := self._rejection(headers, scope["path"]):
            await refusal(403, sentence)(scope, receive, send_securely)
            return
        body = b""
        if scope["method"] == "POST":
            length = headers.get("content-length", "0")
            is_too_large = length.isdecimal() and int(length[:20]) > BODY_BYTES
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    body = b"" if is_too_large else await _body(receive)
            except TimeoutError:
                await refusal(408, "the body took too long to arrive")(
                    scope, receive, send_securely
                )
                return
            if is_too_large or len(body) > BODY_BYTES:
                sentence = f"expected a body of at most {BODY_BYTES:,} bytes, found more"
                await refusal(413, sentence, {"Connection": "close"})(scope, receive, send_securely)
                return
        await self.app(scope, _replaying(body, receive), send_securely)

    def _rejection(self, headers: Headers, path: str) -> str:
        """Return why a request is rejected; empty if it is not."""
        hosts = headers.getlist("host")
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None or not self._is_own_name(match[1].lower()):
            return "the Host of the request is not a name of this server"
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

    def _is_own_name(self, name: str) -> bool:
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return self.is_public


async def _body(receive: Receive) -> bytes:
    """Return the body of a request; reading ends once it is too large."""
    body = b""
    more = True
    while more and len(body) <= BODY_BYTES:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body that was read, and then what follows it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay
