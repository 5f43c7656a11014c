"""Drives a server with the official Python client and reports one JSON line per check.

    python client.py [--era ERA]... [--control HOST:PORT] (--url URL [--sse] | -- PROGRAM ARGUMENT...)

Eras: `legacy` is the handshake, `auto` lets the client choose, a revision is used without asking. Each era is a
connection of its own; without --era the handshake and `auto` are used. The server must carry the test fixture;
where it is started here, it is told to open the control channel. A line is {"era", "check", "ok", "detail"};
the exit code is 1 when any check failed.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings

import anyio
from checks import answers, asking, by_hand, calls, changes, connection, sessions
from mcp.shared.exceptions import MCPDeprecationWarning
from visitor import TIME_LIMIT_SECONDS, Target, Visitor, connected


def concerning(visitor: Visitor) -> list:
    """The checks that concern a connection."""
    chosen = [*connection.CHECKS, *calls.CHECKS, *answers.CHECKS, *asking.checks(visitor), *changes.CHECKS]
    if not visitor.with_handshake:
        chosen += by_hand.CHECKS
    if visitor.target.url and not visitor.target.sse:
        chosen += sessions.checks(visitor)
    return chosen


def report(era: str, name: str, ok: bool, detail: object) -> None:
    line = {"era": era, "check": name.replace("_", " "), "ok": ok, "detail": str(detail or "")[:2000]}
    print(json.dumps(line, ensure_ascii=False), flush=True)


async def run(check, visitor: Visitor) -> bool:
    """Runs one check within a time limit and reports it."""
    visitor.reset()
    try:
        with anyio.fail_after(TIME_LIMIT_SECONDS):
            report(visitor.era, check.__name__, True, await check(visitor))
        return True
    except Exception as error:
        report(visitor.era, check.__name__, False, f"{type(error).__name__}: {error}")
        return False


async def visit(era: str, target: Target) -> int:
    """Connects once and runs every check; returns how many failed."""
    failures = 0
    stage = "the client connects"
    try:
        async with connected(era, target.with_control()) as visitor:
            report(era, stage, True, "")
            stage = "the connection ends"
            # Clients that a check connects beside this one start a server without the control channel.
            visitor.target = target
            for check in concerning(visitor):
                failures += not await run(check, visitor)
        report(era, stage, True, "")
    except BaseException as error:
        failures += 1
        report(era, stage, False, f"{type(error).__name__}: {error}")
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
    return failures


async def main() -> int:
    arguments = sys.argv[1:]
    command: list[str] = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, command = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("--era", action="append")
    parser.add_argument("--url")
    parser.add_argument("--sse", action="store_true")
    parser.add_argument("--control")
    options = parser.parse_args(arguments)
    if bool(options.url) == bool(command):
        parser.error("give either --url URL or -- PROGRAM ARGUMENT...")
    # The older revisions are the point here, so what 2026-07-28 has dropped is used.
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    target = Target(options.url, command, options.control, options.sse)
    failures = 0
    for era in options.era or ["legacy", "auto"]:
        failures += await visit(era, target)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(anyio.run(main))
