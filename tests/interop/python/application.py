"""Drives the application whose routes agents use with the official Python client, one JSON line per check.

    python application.py [--era ERA]... --url URL

The URL is that of its main endpoint. Eras: `legacy` is the handshake, `auto` lets the client choose, for which it asks
the server to describe itself; without --era both are used. A line is {"era", "check", "ok", "detail"}; the exit code is 1 when any check
failed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urljoin

import anyio
import httpx2
from checks.application import CHECKS, Application, told
from client import report
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from visitor import IDENTITY, TIME_LIMIT_SECONDS


class Endpoints(Application):
    """The application at a URL, for clients of one era."""

    def __init__(self, url: str, era: str) -> None:
        self.url = url
        self.era = era
        self.statuses: list[int] = []

    async def _received(self, response: httpx2.Response) -> None:
        self.statuses.append(response.status_code)

    @asynccontextmanager
    async def connected(self, path: str, card: str | None, **more) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {card}"} if card else {}

        @asynccontextmanager
        async def transport() -> AsyncIterator:
            hooks = {"response": [self._received]}
            async with httpx2.AsyncClient(headers=headers, event_hooks=hooks) as http:
                async with streamable_http_client(urljoin(self.url, path), http_client=http) as streams:
                    yield streams

        seconds = TIME_LIMIT_SECONDS
        async with Client(
            transport(), mode=self.era, client_info=IDENTITY, read_timeout_seconds=seconds, **more
        ) as client:
            yield client


async def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--era", action="append")
    parser.add_argument("--url", required=True)
    options = parser.parse_args()
    failures = 0
    for era in options.era or ["legacy", "auto"]:
        application = Endpoints(options.url, era)
        for check in CHECKS:
            try:
                with anyio.fail_after(TIME_LIMIT_SECONDS):
                    report(era, check.__name__, True, await check(application))
            except Exception as error:
                failures += 1
                report(era, check.__name__, False, f"{type(error).__name__}: {'; '.join(told(error))}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(anyio.run(main))
