"""Tools and a prompt that ask the user, the model and the client, answered by the client's own callbacks.

The same checks hold in both eras: with a handshake the server sends requests while the call is open, on
2026-07-28 the client repeats the call with the answers.
"""

from __future__ import annotations

import json
import re

import mcp_types as types
from mcp_types import ElicitResult
from visitor import Visitor, connected, refusal, text_of

# The first revision with forms, and the first with their defaults and all kinds of choice.
WITH_FORMS = "2025-06-18"
WITH_EVERY_CHOICE = "2025-11-25"

FOLDERS = types.ListRootsResult(roots=[types.Root(uri="file:///test/root", name="Test Root")])


def accept(**content):
    return lambda _: ElicitResult(action="accept", content=content)


def sampled(text: str):
    block = types.TextContent(type="text", text=text)
    return lambda _: types.CreateMessageResult(role="assistant", model="a model", content=block)


async def told(visitor: Visitor, tool: str, arguments: dict | None = None) -> tuple[str, dict]:
    """Calls a tool that asks; gives what it was told: what the user did, and filled in."""
    text = text_of(await visitor.call(tool, arguments or {}))
    action, content = re.search(r"action=(\w+), content=(.*)$", text).groups()
    return action, json.loads(content)


async def the_user_accepts(visitor: Visitor) -> None:
    user = {"username": "ada", "email": "ada@example.org"}
    visitor.elicit = accept(**user)
    assert await told(visitor, "test_elicitation", {"message": "Who are you?"}) == ("accept", user)
    form = visitor.asked[0]
    assert form.message == "Who are you?", form
    assert form.requested_schema["properties"]["email"]["format"] == "email", form
    assert form.requested_schema["required"] == ["username", "email"], form


async def the_user_declines(visitor: Visitor) -> None:
    visitor.elicit = lambda _: ElicitResult(action="decline")
    assert (await told(visitor, "test_elicitation", {"message": "Who?"}))[0] == "decline"


async def the_user_cancels(visitor: Visitor) -> None:
    visitor.elicit = lambda _: ElicitResult(action="cancel")
    assert (await told(visitor, "test_elicitation", {"message": "Who?"}))[0] == "cancel"


async def an_answer_that_does_not_fit_the_form_is_refused(visitor: Visitor) -> str:
    visitor.elicit = accept(username="ada")
    return await refusal(visitor.call("test_elicitation", {"message": "Who?"}))


async def a_user_who_is_sure_decides_and_so_does_one_who_is_not(visitor: Visitor) -> None:
    path = {"path": "/no/such/path"}
    visitor.elicit = accept(sure=True)
    assert text_of(await visitor.call("confirm_delete_path", path)) == "deleted /no/such/path"
    visitor.elicit = accept(sure=False)
    assert "was kept" in await refusal(visitor.call("confirm_delete_path", path))


async def calls_go_on_while_the_user_thinks(visitor: Visitor) -> None:
    async def think(_):
        meanwhile = text_of(await visitor.call("echo", {"text": "meanwhile"}))
        return ElicitResult(action="accept", content={"note": meanwhile})

    visitor.elicit = think
    assert text_of(await visitor.call("echo_with_note", {"text": "first"})) == "first (meanwhile)"


async def the_user_is_asked_twice_in_a_row(visitor: Visitor) -> None:
    def answer(form):
        content = {"name": "Ada"} if "name" in form.requested_schema["properties"] else {"color": "green"}
        return ElicitResult(action="accept", content=content)

    visitor.elicit = answer
    assert text_of(await visitor.call("test_input_required_result_multi_round", {})) == "Ada likes green."
    assert "Ada" in visitor.asked[1].message, visitor.asked


async def a_confirmation_comes_back_with_its_state(visitor: Visitor) -> None:
    visitor.elicit = accept(ok=True)
    for tool in ("request_state", "tampered_state"):
        assert text_of(await visitor.call(f"test_input_required_result_{tool}", {})) == "state-ok: confirmed"


async def user_model_and_client_are_asked_at_once(visitor: Visitor) -> None:
    visitor.elicit, visitor.sample, visitor.roots = accept(name="Ada"), sampled("Hello"), FOLDERS
    text = text_of(await visitor.call("test_input_required_result_multiple_inputs", {}))
    assert text == "Hello Ada, working in file:///test/root", text
    assert len(visitor.asked) == 3, visitor.asked


async def everyone_is_asked_whom_the_client_declared(visitor: Visitor) -> None:
    visitor.elicit, visitor.sample, visitor.roots = accept(name="Ada"), sampled("Hello"), FOLDERS
    text = text_of(await visitor.call("test_input_required_result_capabilities", {}))
    assert text == "Asked: the user, the model, for roots", text


async def a_prompt_asks_too(visitor: Visitor) -> None:
    visitor.elicit = accept(context="a storm")
    prompt = await visitor.client.get_prompt("test_input_required_result_prompt")
    assert "a storm" in prompt.messages[0].content.text, prompt


async def a_tool_that_reports_its_progress_asks(visitor: Visitor) -> str:
    visitor.elicit = accept(name="Ada")
    seen: list[float] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    result = await visitor.call("test_streaming_elicitation", {}, progress_callback=progressed)
    assert text_of(result) == "Ada", result
    # The second round of 2026-07-28 begins anew.
    assert seen == ([1, 2] if visitor.with_handshake else [1, 1, 2]), seen
    return " ".join(map(str, seen))


async def a_form_shows_its_defaults(visitor: Visitor) -> None:
    # This client leaves defaults to the user's interface; what is left out is filled in by the tool.
    visitor.elicit = accept(age=31, status="pending")
    expected = {"name": "John Doe", "age": 30, "score": 95.5, "status": "active", "verified": True}
    action, content = await told(visitor, "test_elicitation_sep1034_defaults")
    assert (action, content) == ("accept", expected | {"age": 31, "status": "pending"}), content
    shown = {name: field["default"] for name, field in visitor.asked[0].requested_schema["properties"].items()}
    assert shown == expected, shown


async def the_user_chooses_in_every_kind_of_list(visitor: Visitor) -> None:
    content = {
        "untitledSingle": "option2",
        "titledSingle": "value3",
        "legacyEnum": "opt1",
        "untitledMulti": ["option1", "option3"],
        "titledMulti": ["value2"],
    }
    visitor.elicit = accept(**content)
    assert await told(visitor, "test_elicitation_sep1330_enums") == ("accept", content)
    fields = visitor.asked[0].requested_schema["properties"]
    plain = ["option1", "option2", "option3"]
    assert fields["untitledSingle"]["enum"] == plain == fields["untitledMulti"]["items"]["enum"], fields
    assert fields["titledSingle"]["oneOf"][0] == {"const": "value1", "title": "First Option"}, fields
    assert fields["titledSingle"]["oneOf"] == fields["titledMulti"]["items"]["anyOf"], fields
    assert fields["legacyEnum"]["enumNames"] == ["Option One", "Option Two", "Option Three"], fields


async def a_choice_that_is_not_in_its_list_is_refused(visitor: Visitor) -> None:
    outside = {"untitledSingle": "option9", "titledSingle": "Third Option", "untitledMulti": ["x"], "titledMulti": ["x"]}
    for field, value in outside.items():
        visitor.elicit = accept(**{field: value})
        await refusal(visitor.call("test_elicitation_sep1330_enums", {}))


async def the_model_is_asked(visitor: Visitor) -> None:
    visitor.sample = sampled("Lisbon")
    text = text_of(await visitor.call("test_sampling", {"prompt": "Which city?"}))
    assert text == "LLM response: Lisbon", text
    [question] = visitor.asked
    assert question.messages[0].content.text == "Which city?" and question.max_tokens == 100, question


async def a_model_that_may_not_answer_is_an_error(visitor: Visitor) -> str:
    visitor.sample = lambda _: types.ErrorData(code=-1, message="the user said no")
    return await refusal(visitor.call("test_sampling", {"prompt": "Which city?"}))


async def the_roots_are_asked_for(visitor: Visitor) -> None:
    visitor.roots = FOLDERS
    answer = json.loads(text_of(await visitor.call("ask_roots", {})))
    assert answer == {"roots": [{"uri": "file:///test/root", "name": "Test Root"}]}, answer


async def a_client_that_declared_nothing_is_asked_nothing(visitor: Visitor) -> None:
    async with connected(visitor.era, visitor.target, declaring=False) as other:
        for tool, arguments in {
            "test_elicitation": {"message": "Who?"},
            "test_sampling": {"prompt": "Which?"},
            "ask_roots": {},
        }.items():
            await refusal(other.call(tool, arguments))
        text = text_of(await other.call("test_input_required_result_capabilities", {}))
        assert text == "Nobody could be asked.", text
        assert not other.asked, other.asked


async def a_revision_without_forms_shows_none(visitor: Visitor) -> str:
    return await refusal(visitor.call("test_elicitation", {"message": "Who?"}))


def checks(visitor: Visitor) -> list:
    """The checks that fit the revision of a connection."""
    chosen = [
        the_model_is_asked,
        a_model_that_may_not_answer_is_an_error,
        the_roots_are_asked_for,
        a_client_that_declared_nothing_is_asked_nothing,
    ]
    if visitor.version < WITH_FORMS:
        return [*chosen, a_revision_without_forms_shows_none]
    chosen += [
        the_user_accepts,
        the_user_declines,
        the_user_cancels,
        an_answer_that_does_not_fit_the_form_is_refused,
        a_user_who_is_sure_decides_and_so_does_one_who_is_not,
        calls_go_on_while_the_user_thinks,
        the_user_is_asked_twice_in_a_row,
        a_confirmation_comes_back_with_its_state,
        user_model_and_client_are_asked_at_once,
        everyone_is_asked_whom_the_client_declared,
        a_prompt_asks_too,
        a_tool_that_reports_its_progress_asks,
    ]
    if visitor.version >= WITH_EVERY_CHOICE:
        chosen += [
            a_form_shows_its_defaults,
            the_user_chooses_in_every_kind_of_list,
            a_choice_that_is_not_in_its_list_is_refused,
        ]
    return chosen
