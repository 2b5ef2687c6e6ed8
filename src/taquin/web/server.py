"""Serve an application at an address until Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from taquin.errors import MachineError, UnsuitableError

_BACKLOG = 128
_SEND_BYTES = 1 << 17
HEADER_SECONDS = 10.0
"""The deadline for the headers of a request, in seconds."""
_CLOSING_SECONDS = 1
"""The deadline for open responses when the server ends, in seconds."""


class _Protocol(H11Protocol):
    """A connection that is closed if the headers of a request miss the deadline.

    uvicorn closes connections that are idle after a response, but has no timeout for the first
    request, nor for the rest of a request that has begun.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unwatch()

    def _watch(self) -> None:
        """Start the deadline of the next request, or cancel it once the request is complete."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._unwatch()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _Server(uvicorn.Server):
    """A server that calls back when it accepts requests."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free port.

    Raise MachineError if the port is taken, and UnsuitableError for an unknown host.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise UnsuitableError(f"there is no address {host!r} to listen at") from None
    listener = socket.socket(family, kind, protocol)
    if sys.platform == "win32":
        # SO_REUSEADDR would let two servers share the port there.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        # A server can restart while connections of the last one are closing.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # With the default buffer of megabytes, a search would run far ahead of a paused client.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BYTES)
    try:
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise MachineError(
            f"cannot listen at {host}, port {port}: {error.strerror}; choose another with --port, "
            f"0 for any that is free"
        ) from None
    return listener


def serve(app: ASGIApp, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until Ctrl-C or SIGTERM; call `ready` once requests are accepted."""
    config = uvicorn.Config(
        app,
        http=_Protocol,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_CLOSING_SECONDS,
        lifespan="on",
        ws="none",
    )
    with listener, suppress(KeyboardInterrupt):
        _Server(config, ready).run([listener])
