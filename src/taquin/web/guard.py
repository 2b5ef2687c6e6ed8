"""Checks before a request is handled: its Host, its Origin, and the size of its body.

Any page in a browser can send requests to this server. So the Host must be a name of this server,
or another site could rebind its own name to this address (DNS rebinding). And the origin of the
request, if the browser sends it (Origin, Sec-Fetch-Site), must be our own.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from taquin.errors import UnsuitableError
from taquin.web.replies import Json, refusal
from taquin.web.settings import BODY_BYTES
from taquin.web.site import POLICY

BODY_SECONDS = 30.0
"""The deadline for the body of a request, in seconds."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
UNFRAMED = "; frame-ancestors 'none'"
"""The end of a policy: no site may frame the page."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The loopback names of this machine."""
_SECURITY_HEADERS = {
    "Content-Security-Policy": f"{POLICY}{UNFRAMED}",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Sent with every response, unless it sets its own."""
_ORIGIN = re.compile(r"https?://(?:\*\.)?[A-Za-z0-9.-]+(?::[0-9]{1,5})?")


def embedding_origin(text: str) -> str:
    """Return the origin of a site that may frame the page; raise UnsuitableError for no origin."""
    origin = text.rstrip("/").lower()
    if not _ORIGIN.fullmatch(origin):
        raise UnsuitableError(
            f"expected the origin of a site, such as https://course.example.org, found {text!r}"
        )
    return origin


def _allow_frames(headers: MutableHeaders, origins: tuple[str, ...]) -> None:
    """Let sites of these origins frame a response; its policy must end with frame-ancestors."""
    policy = headers["Content-Security-Policy"].removesuffix(" 'none'")
    headers["Content-Security-Policy"] = " ".join([policy, *origins])
    # X-Frame-Options cannot name origins, so browsers would block every frame.
    del headers["X-Frame-Options"]


@dataclass(frozen=True, slots=True)
class Guard:
    """Middleware that admits requests for this server, from its own page or from no page."""

    app: ASGIApp
    names: frozenset[str] = LOOPBACK
    """The host names of the server."""
    is_public: bool = False
    """Whether any IP address is a valid Host too; addresses cannot be rebound."""
    embed_from: tuple[str, ...] = ()
    """The origins of sites that may show the page in a frame."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or reject it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_securely(message: Message) -> None:
            if message["type"] == "http.response.start":
                response_headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    response_headers.setdefault(name, value)
                if self.embed_from:
                    _allow_frames(response_headers, self.embed_from)
            await send(message)

        headers = Headers(scope=scope)
        response = self._rejection(headers, scope["path"])
        messages: list[Message] = []
        if response is None and scope["method"] == "POST":
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    body = await _body(headers, receive)
                messages = [{"type": "http.request", "body": body, "more_body": False}]
            except TimeoutError:
                response = refusal(408, "the body took too long to arrive", {"Connection": "close"})
            except OverflowError:
                sentence = f"expected a body of at most {BODY_BYTES:,} bytes, found more"
                response = refusal(413, sentence, {"Connection": "close"})

        async def replay() -> Message:
            return messages.pop() if messages else await receive()

        await (response or self.app)(scope, replay, send_securely)

    def _rejection(self, headers: Headers, path: str) -> Json | None:
        """Return the response to a rejected request; None if it is accepted."""
        hosts = headers.getlist("host")
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None or not self._is_own_name(match[1].lower()):
            return refusal(403, "the Host of the request is not a name of this server")
        origin = headers.get("origin")
        own_origins = [f"{scheme}://{hosts[0].lower()}" for scheme in ("http", "https")]
        if origin is not None and origin.lower() not in own_origins:
            return refusal(403, "the request comes from a page of another site (Origin)")
        site = headers.get("sec-fetch-site", "none")
        if path.startswith("/api/") and site not in ("same-origin", "none"):
            return refusal(403, "the request comes from a page of another site (Sec-Fetch-Site)")
        return None

    def _is_own_name(self, name: str) -> bool:
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return self.is_public


async def _body(headers: Headers, receive: Receive) -> bytes:
    """Return the body of a request; raise OverflowError if it is too large."""
    length = headers.get("content-length", "0")
    size = int(length[:20]) if length.isdecimal() else 0
    body, more = b"", True
    while more and max(size, len(body)) <= BODY_BYTES:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if max(size, len(body)) > BODY_BYTES:
        raise OverflowError
    return body
