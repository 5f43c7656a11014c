"""Drives a server with the official Python client and reports one JSON line per check.

    python client.py [--era legacy|auto|2026-07-28]... (--url URL | -- PROGRAM ARGUMENT...)

`legacy` is the handshake, `auto` lets the client choose, a revision is used without asking. Each era is a
connection of its own; without --era the handshake and `auto` are used. The server must carry the test
fixture. A line is {"era", "check", "ok", "detail"}; the exit code is 1 when any check failed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Awaitable, Callable

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import PromptReference

MODERN = "2026-07-28"
CHECK_LIMIT_SECONDS = 15


def text_of(result) -> str:
    return "".join(getattr(block, "text", "") for block in result.content)


async def refuses(call: Awaitable) -> str:
    """Passes when the call ends in a protocol error or in a result marked as an error."""
    try:
        result = await call
    except MCPError as error:
        return f"error {error.error.code}"
    assert getattr(result, "is_error", False), "the call succeeded"
    return "a result marked as an error"


async def the_negotiated_version_fits_the_era(client: Client, era: str) -> str:
    version = client.protocol_version
    if era == "legacy":
        assert version < MODERN, version
    else:
        assert version == MODERN, version
    return version


async def tools_are_listed(client: Client, era: str) -> str:
    names = [tool.name for tool in (await client.list_tools()).tools]
    for name in ("test_simple_text", "test_tool_with_progress", "echo", "stat", "slow_echo"):
        assert name in names, f"{name} is not listed"
    assert len(set(names)) == len(names), "a tool is listed twice"
    return f"{len(names)} tools"


async def a_tool_without_arguments_is_called(client: Client, era: str) -> None:
    result = await client.call_tool("test_simple_text")
    assert not result.is_error and text_of(result)


async def a_tool_gets_its_arguments_unchanged(client: Client, era: str) -> None:
    text = 'snow ☃, a "quote", a \\ and\na line'
    assert text_of(await client.call_tool("echo", {"text": text})) == text


async def a_structured_result_fits_its_schema(client: Client, era: str) -> None:
    # The client checks the result against the listed output schema.
    result = await client.call_tool("stat", {"mode": "ok"})
    assert isinstance(result.structured_content["n"], int), result.structured_content


async def wrong_arguments_are_refused(client: Client, era: str) -> str:
    return await refuses(client.call_tool("echo", {"text": 5}))


async def an_unknown_tool_is_an_error(client: Client, era: str) -> str:
    return await refuses(client.call_tool("no_such_tool", {}))


async def progress_arrives_in_order_and_before_the_result(client: Client, era: str) -> str:
    seen: list[float] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    await client.call_tool("test_tool_with_progress", {}, progress_callback=progressed)
    assert len(seen) >= 3, f"{len(seen)} reports"
    assert seen == sorted(seen), seen
    return " ".join(map(str, seen))


async def a_cancelled_call_ends_and_the_next_one_works(client: Client, era: str) -> str:
    begin = time.monotonic()
    with anyio.move_on_after(0.2) as scope:
        await client.call_tool("slow_echo", {"ms": 10_000, "text": "late"})
    took = time.monotonic() - begin
    assert scope.cancelled_caught and took < 5, f"the call ended after {took:.1f} s"
    assert text_of(await client.call_tool("echo", {"text": "next"})) == "next"
    return f"{took:.1f} s"


async def calls_overlap(client: Client, era: str) -> str:
    texts: dict[int, str] = {}

    async def call(index: int) -> None:
        texts[index] = text_of(await client.call_tool("slow_echo", {"ms": 500, "text": f"text {index}"}))

    begin = time.monotonic()
    async with anyio.create_task_group() as group:
        for index in range(4):
            group.start_soon(call, index)
    took = time.monotonic() - begin
    assert texts == {index: f"text {index}" for index in range(4)}, texts
    assert took < 1.8, f"four calls of 0.5 s took {took:.1f} s"
    return f"{took:.1f} s"


async def resources_and_templates_are_listed(client: Client, era: str) -> None:
    uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
    assert "test://static-text" in uris, uris
    listed = await client.list_resource_templates()
    templates = [template.uri_template for template in listed.resource_templates]
    assert "test://template/{id}/data" in templates, templates


async def a_resource_is_read(client: Client, era: str) -> None:
    contents = (await client.read_resource("test://static-text")).contents
    assert contents[0].text, contents


async def a_resource_is_read_through_its_template(client: Client, era: str) -> None:
    contents = (await client.read_resource("test://template/123/data")).contents
    assert "123" in contents[0].text, contents


async def an_unknown_resource_is_an_error(client: Client, era: str) -> str:
    return await refuses(client.read_resource("test://no-such-resource"))


async def prompts_are_listed(client: Client, era: str) -> None:
    names = [prompt.name for prompt in (await client.list_prompts()).prompts]
    assert {"test_prompt_with_arguments", "pick"} <= set(names), names


async def a_prompt_gets_its_arguments(client: Client, era: str) -> None:
    prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
    text = prompt.messages[0].content.text
    assert "one" in text and "two" in text, text


async def a_prompt_without_its_argument_is_an_error(client: Client, era: str) -> str:
    return await refuses(client.get_prompt("pick", {}))


async def an_argument_of_a_prompt_is_completed(client: Client, era: str) -> str:
    prompt = PromptReference(name="pick")
    proposed = (await client.complete(prompt, {"name": "city", "value": ""})).completion.values
    assert proposed, "no value is proposed"
    again = (await client.complete(prompt, {"name": "city", "value": proposed[0]})).completion.values
    assert proposed[0] in again, again
    await client.complete(PromptReference(name="test_prompt_with_arguments"), {"name": "arg1", "value": "test"})
    return " ".join(proposed)


CHECKS: list[Callable[[Client, str], Awaitable[str | None]]] = [
    the_negotiated_version_fits_the_era,
    tools_are_listed,
    a_tool_without_arguments_is_called,
    a_tool_gets_its_arguments_unchanged,
    a_structured_result_fits_its_schema,
    wrong_arguments_are_refused,
    an_unknown_tool_is_an_error,
    progress_arrives_in_order_and_before_the_result,
    a_cancelled_call_ends_and_the_next_one_works,
    calls_overlap,
    resources_and_templates_are_listed,
    a_resource_is_read,
    a_resource_is_read_through_its_template,
    an_unknown_resource_is_an_error,
    prompts_are_listed,
    a_prompt_gets_its_arguments,
    a_prompt_without_its_argument_is_an_error,
    an_argument_of_a_prompt_is_completed,
]


def report(era: str, name: str, ok: bool, detail: object) -> None:
    line = {"era": era, "check": name.replace("_", " "), "ok": ok, "detail": str(detail or "")[:2000]}
    print(json.dumps(line, ensure_ascii=False), flush=True)


async def visit(era: str, server: str | StdioServerParameters) -> int:
    """Connects once and runs every check; returns how many failed."""
    failures = 0
    connected = False
    try:
        with anyio.fail_after(CHECK_LIMIT_SECONDS * (len(CHECKS) + 1)):
            async with Client(server, mode=era, read_timeout_seconds=CHECK_LIMIT_SECONDS) as client:
                connected = True
                report(era, "the client connects", True, "")
                for check in CHECKS:
                    try:
                        with anyio.fail_after(CHECK_LIMIT_SECONDS):
                            report(era, check.__name__, True, await check(client, era))
                    except Exception as error:
                        failures += 1
                        report(era, check.__name__, False, f"{type(error).__name__}: {error}")
        report(era, "the connection ends", True, "")
    except BaseException as error:
        failures += 1
        name = "the connection ends" if connected else "the client connects"
        report(era, name, False, f"{type(error).__name__}: {error}")
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
    parser.add_argument("--control")
    options = parser.parse_args(arguments)
    if bool(options.url) == bool(command):
        parser.error("give either --url URL or -- PROGRAM ARGUMENT...")
    server = options.url or StdioServerParameters(command=command[0], args=command[1:])
    failures = 0
    for era in options.era or ["legacy", "auto"]:
        failures += await visit(era, server)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(anyio.run(main))
