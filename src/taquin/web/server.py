"""Listen at an address until somebody ends it; then no worker is left."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from taquin.errors import MachineError, UnsuitableError

_BACKLOG = 128
_SEND_BYTES = 1 << 17
_CLOSING_SECONDS = 1
"""How long replies under way may take when the server is ended."""


class _Server(uvicorn.Server):
    """A server that says when it can be asked."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes any free one.

    Raise MachineError where something else does already, and UnsuitableError for no address.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise UnsuitableError(f"there is no address {host!r} to listen at") from None
    found = socket.socket(family, kind, protocol)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Left alone, systems keep megabytes for who does not read, and searches run ahead of him.
    found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BYTES)
    try:
        found.bind(address)
        found.listen(_BACKLOG)
    except OSError as error:
        found.close()
        raise MachineError(
            f"cannot listen at {host}, port {port}: {error.strerror}; choose another with --port, "
            f"0 for any that is free"
        ) from None
    return found


def serve(app: ASGIApp, at: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until Ctrl-C or SIGTERM; `ready` is called when that has begun."""
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_CLOSING_SECONDS,
        lifespan="on",
        ws="none",
    )
    try:
        _Server(config, ready).run([at])
    except KeyboardInterrupt:
        pass
    finally:
        at.close()
