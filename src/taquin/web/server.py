"""Serve an application at an address until Ctrl-C or SIGTERM."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp

from taquin.errors import MachineError, UnsuitableError

_BACKLOG = 128
_SEND_BYTES = 1 << 17
_CLOSING_SECONDS = 1
"""How long responses may go on after the server was asked to end."""


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
        # A server can start again while the connections of the last one end.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # The default buffer holds megabytes: a search would run far ahead of a client that pauses.
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
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_CLOSING_SECONDS,
        lifespan="on",
        ws="none",
    )
    with listener, suppress(KeyboardInterrupt):
        _Server(config, ready).run([listener])
