"""Tools: listed, called, refused, followed while they work, cancelled."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

import anyio
import mcp_types as types
from visitor import Visitor, refusal, text_of

WITH_STRUCTURED_RESULTS = "2025-06-18"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"


async def tools_are_listed(visitor: Visitor) -> str:
    names = [tool.name for tool in (await visitor.client.list_tools()).tools]
    for name in ("test_simple_text", "test_tool_with_progress", "echo", "stat", "slow_echo"):
        assert name in names, f"{name} is not listed"
    assert len(set(names)) == len(names), "a tool is listed twice"
    return f"{len(names)} tools"


async def a_tool_without_arguments_is_called(visitor: Visitor) -> None:
    result = await visitor.call("test_simple_text")
    assert not result.is_error and text_of(result)


async def a_tool_gets_its_arguments_unchanged(visitor: Visitor) -> None:
    text = 'snow ☃, a "quote", a \\ and\na line'
    assert text_of(await visitor.call("echo", {"text": text})) == text


async def a_structured_result_fits_its_schema(visitor: Visitor) -> None:
    # The client checks the result against the listed output schema.
    result = await visitor.call("stat", {"mode": "ok"})
    if visitor.version >= WITH_STRUCTURED_RESULTS:
        assert result.structured_content == {"n": 1}, result.structured_content
    else:
        assert json.loads(text_of(result)) == {"n": 1}, result


async def wrong_arguments_are_refused(visitor: Visitor) -> str:
    return await refusal(visitor.call("echo", {"text": 5}))


async def an_unknown_tool_is_an_error(visitor: Visitor) -> str:
    return await refusal(visitor.call("no_such_tool", {}))


async def progress_arrives_in_order_and_before_the_result(visitor: Visitor) -> None:
    seen: list[float] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    await visitor.call("test_tool_with_progress", {}, progress_callback=progressed)
    assert seen == [0, 50, 100], seen


async def messages_arrive_from_the_level_on_that_was_asked_for(visitor: Visitor) -> None:
    more = {}
    if visitor.with_handshake:
        await visitor.client.set_logging_level("error")
    else:
        more = {"meta": {LOG_LEVEL: "error"}}
    await visitor.call("log_all", {}, **more)
    await visitor.hears(types.LoggingMessageNotification, lambda params: params.level == "emergency")
    levels = [message.params.level for message in visitor.heard if isinstance(message, types.LoggingMessageNotification)]
    assert levels == ["error", "critical", "alert", "emergency"], levels


async def a_cancelled_call_ends_and_the_next_one_works(visitor: Visitor) -> str:
    begin = time.monotonic()
    with anyio.move_on_after(0.2) as scope:
        await visitor.call("slow_echo", {"ms": 10_000, "text": "late"})
    took = time.monotonic() - begin
    assert scope.cancelled_caught and took < 5, f"the call ended after {took:.1f} s"
    assert text_of(await visitor.call("echo", {"text": "next"})) == "next"
    return f"{took:.1f} s"


async def cancelling_a_call_stops_the_tool(visitor: Visitor) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "ticks")
        with anyio.CancelScope() as scope:

            async def progressed(progress: float, total: float | None, message: str | None) -> None:
                scope.cancel()

            arguments = {"path": str(file), "n": 10_000, "gap_ms": 10}
            await visitor.call("tick_file", arguments, progress_callback=progressed)
        assert scope.cancelled_caught, "the call was not cancelled"
        await stillness(file)


async def stillness(file: Path) -> None:
    """Waits until a file that grew every 10 ms has stopped growing."""
    before = -1
    while file.stat().st_size != before:
        before = file.stat().st_size
        await anyio.sleep(0.2)


async def calls_overlap(visitor: Visitor) -> str:
    texts: dict[int, str] = {}

    async def call(index: int) -> None:
        texts[index] = text_of(await visitor.call("slow_echo", {"ms": 500, "text": f"text {index}"}))

    begin = time.monotonic()
    async with anyio.create_task_group() as group:
        for index in range(4):
            group.start_soon(call, index)
    took = time.monotonic() - begin
    assert texts == {index: f"text {index}" for index in range(4)}, texts
    assert took < 1.8, f"four calls of 0.5 s took {took:.1f} s"
    return f"{took:.1f} s"


CHECKS = [
    tools_are_listed,
    a_tool_without_arguments_is_called,
    a_tool_gets_its_arguments_unchanged,
    a_structured_result_fits_its_schema,
    wrong_arguments_are_refused,
    an_unknown_tool_is_an_error,
    progress_arrives_in_order_and_before_the_result,
    messages_arrive_from_the_level_on_that_was_asked_for,
    a_cancelled_call_ends_and_the_next_one_works,
    cancelling_a_call_stops_the_tool,
    calls_overlap,
]
