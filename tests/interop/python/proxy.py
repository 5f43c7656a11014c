"""A TCP proxy that can cut its connections."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import anyio
from anyio.abc import SocketStream


class Proxy:
    def __init__(self, url: str) -> None:
        self.url = url
        self._connections: set[anyio.CancelScope] = set()

    def cut(self) -> None:
        """Cuts what is connected; the next connection succeeds."""
        for scope in list(self._connections):
            scope.cancel()

    async def _pass_on(self, near: SocketStream, host: str, port: int) -> None:
        async def pump(source: SocketStream, sink: SocketStream, end: anyio.CancelScope) -> None:
            try:
                async for data in source:
                    await sink.send(data)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass
            end.cancel()

        async with near, await anyio.connect_tcp(host, port) as far, anyio.create_task_group() as group:
            self._connections.add(group.cancel_scope)
            group.start_soon(pump, near, far, group.cancel_scope)
            group.start_soon(pump, far, near, group.cancel_scope)
        self._connections.discard(group.cancel_scope)


@asynccontextmanager
async def proxy_to(url: str) -> AsyncIterator[Proxy]:
    """Listens on a port of its own and passes everything on to the host of `url`."""
    parts = urlsplit(url)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(anyio.abc.SocketAttribute.local_port)
    proxy = Proxy(f"http://127.0.0.1:{port}{parts.path}")

    async def pass_on(near: SocketStream) -> None:
        await proxy._pass_on(near, parts.hostname, parts.port)

    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, pass_on)
        yield proxy
        group.cancel_scope.cancel()
