"""Multi round-trip requests as the wire has them: the client hands out what asks for input."""

from __future__ import annotations

from mcp import MCPError
from mcp_types import ElicitResult, InputRequiredResult
from visitor import Visitor, text_of


async def begin(visitor: Visitor, tool: str, **more):
    session = visitor.client.session
    result = await session.call_tool(tool, {}, allow_input_required=True, **more)
    return result


async def a_call_is_repeated_with_the_answer(visitor: Visitor) -> None:
    tool = "test_input_required_result_elicitation"
    first = await begin(visitor, tool)
    assert isinstance(first, InputRequiredResult), first
    assert first.input_requests["user_name"].method == "elicitation/create", first
    answers = {"user_name": ElicitResult(action="accept", content={"name": "Ada"})}
    result = await begin(visitor, tool, input_responses=answers, request_state=first.request_state)
    assert text_of(result) == "Hello, Ada!", result


async def state_that_was_tampered_with_is_refused(visitor: Visitor) -> None:
    tool = "test_input_required_result_tampered_state"
    first = await begin(visitor, tool)
    answers = {"confirm": ElicitResult(action="accept", content={"ok": True})}
    try:
        await begin(visitor, tool, input_responses=answers, request_state=f"{first.request_state}-TAMPERED")
    except MCPError as error:
        assert error.error.code == -32602, error
        return
    raise AssertionError("the state was taken")


async def a_confirmation_without_its_state_is_asked_for_again(visitor: Visitor) -> None:
    answers = {"confirm": ElicitResult(action="accept", content={"ok": True})}
    result = await begin(visitor, "test_input_required_result_request_state", input_responses=answers)
    assert isinstance(result, InputRequiredResult), result


CHECKS = [
    a_call_is_repeated_with_the_answer,
    state_that_was_tampered_with_is_refused,
    a_confirmation_without_its_state_is_asked_for_again,
]
