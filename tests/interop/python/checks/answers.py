"""Resources, prompts and completion."""

from __future__ import annotations

from mcp import MCPError
from mcp_types import PromptReference
from visitor import Visitor, refusal


async def resources_and_templates_are_listed(visitor: Visitor) -> None:
    uris = [str(resource.uri) for resource in (await visitor.client.list_resources()).resources]
    assert "test://static-text" in uris, uris
    listed = await visitor.client.list_resource_templates()
    templates = [template.uri_template for template in listed.resource_templates]
    assert "test://template/{id}/data" in templates, templates


async def a_resource_is_read(visitor: Visitor) -> None:
    contents = (await visitor.client.read_resource("test://static-text")).contents
    assert contents[0].text, contents


async def a_resource_is_read_through_its_template(visitor: Visitor) -> None:
    contents = (await visitor.client.read_resource("test://template/123/data")).contents
    assert "123" in contents[0].text, contents


async def an_unknown_resource_is_an_error(visitor: Visitor) -> None:
    expected = -32002 if visitor.with_handshake else -32602
    try:
        await visitor.client.read_resource("test://no-such-resource")
    except MCPError as error:
        assert error.error.code == expected, error
        return
    raise AssertionError("there was no error")


async def prompts_are_listed(visitor: Visitor) -> None:
    names = [prompt.name for prompt in (await visitor.client.list_prompts()).prompts]
    assert {"test_prompt_with_arguments", "pick"} <= set(names), names


async def a_prompt_gets_its_arguments(visitor: Visitor) -> None:
    prompt = await visitor.client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
    text = prompt.messages[0].content.text
    assert "one" in text and "two" in text, text


async def a_prompt_without_its_argument_is_an_error(visitor: Visitor) -> str:
    return await refusal(visitor.client.get_prompt("pick", {}))


async def an_argument_of_a_prompt_is_completed(visitor: Visitor) -> str:
    prompt = PromptReference(name="pick")
    proposed = (await visitor.client.complete(prompt, {"name": "city", "value": ""})).completion.values
    assert proposed, "no value is proposed"
    again = (await visitor.client.complete(prompt, {"name": "city", "value": proposed[0]})).completion.values
    assert proposed[0] in again, again
    await visitor.client.complete(PromptReference(name="test_prompt_with_arguments"), {"name": "arg1", "value": "test"})
    return " ".join(proposed)


CHECKS = [
    resources_and_templates_are_listed,
    a_resource_is_read,
    a_resource_is_read_through_its_template,
    an_unknown_resource_is_an_error,
    prompts_are_listed,
    a_prompt_gets_its_arguments,
    a_prompt_without_its_argument_is_an_error,
    an_argument_of_a_prompt_is_completed,
]
