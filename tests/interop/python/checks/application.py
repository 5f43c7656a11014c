"""The application whose routes agents use: its tools, resources and prompts, one of its rooms, and who may come in."""

from __future__ import annotations

import json
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp import Client, MCPError
from visitor import MODERN, refusal, text_of

READER = "card-7"
LIBRARIAN = "card-1"


class Application:
    """What the checks need: clients at an endpoint of the application, with a library card or without one."""

    era: str
    # The statuses of all HTTP responses so far.
    statuses: list[int]

    def connected(self, path: str, card: str | None, **more: Any) -> AbstractAsyncContextManager[Client]:
        raise NotImplementedError


def structured(result: Any) -> Any:
    assert not result.is_error, text_of(result)
    return result.structured_content


async def the_exposed_routes_are_listed_as_tools_and_each_works(application: Application) -> str:
    async with application.connected("/mcp", READER) as client:
        assert (client.protocol_version == MODERN) == (application.era == "auto"), client.protocol_version
        names = sorted(tool.name for tool in (await client.list_tools()).tools)
        calls = {
            "books_search": ({"text": "wells"}, lambda it: structured(it)["total"] == 2),
            "books_show": ({"id": 2}, lambda it: structured(it)["title"] == "Moby-Dick"),
            "book_cover": ({"id": 2}, lambda it: it.content[0].mime_type == "image/png"),
            "book_pages": ({"id": 2}, lambda it: text_of(it).count("\n") == 3),
            "book_read_aloud": ({"id": 2}, lambda it: text_of(it).startswith("event: page\ndata: Page 1")),
            "loans_borrow": (
                {"body": {"book": 2, "days": 7}},
                lambda it: structured(it)["headers"]["location"] == "/loans/2",
            ),
            "loans_mine": ({}, lambda it: len(structured(it)["body"]["loans"]) == 1),
            "loans_give_back": ({"book": 2}, lambda it: structured(it) == {"status": 204}),
            "room_state": ({"room_id": "garden"}, lambda it: "lights" in structured(it)),
            "room_lights": ({"room_id": "garden", "on": True}, lambda it: structured(it)["lights"]),
            "room_seats": (
                {"room_id": "garden", "body": {"seats": 1}},
                lambda it: structured(it)["free_seats"] < 12,
            ),
            "hours": ({"accept-language": "de"}, lambda it: "Täglich" in text_of(it)),
            "recommend": ({"before": 1870}, lambda it: str(it.content[0].uri) == "book://2"),
        }
        assert names == sorted([*calls, "books_add", "take_stock"]), names
        for name, (arguments, fits) in calls.items():
            # The client checks the result against the listed output schema.
            result = await client.call_tool(name, arguments)
            assert not result.is_error and fits(result), f"{name}: {result}"
        return f"{len(names)} tools in {client.protocol_version}"


async def statuses_of_failure_are_errors_that_the_model_reads(application: Application) -> None:
    async with application.connected("/mcp", READER) as client:
        await client.list_tools()
        assert "no book 99" in await refusal(client.call_tool("books_show", {"id": 99}))
        wish = {"body": {"book": 1, "days": 3}}
        await client.call_tool("loans_borrow", wish)
        assert '"status":409' in await refusal(client.call_tool("loans_borrow", wish))
        await client.call_tool("loans_give_back", {"book": 1})
        assert '"status":404' in await refusal(client.call_tool("loans_give_back", {"book": 1}))
        await refusal(client.call_tool("books_show", {"id": "two"}))


async def what_only_librarians_may_do_readers_cannot(application: Application) -> None:
    book = {"body": {"title": f"Emma, {application.era}", "author": "Jane Austen", "year": 1815}}
    async with application.connected("/mcp", READER) as client:
        assert "only librarians" in await refusal(client.call_tool("books_add", book))
    async with application.connected("/mcp", LIBRARIAN) as client:
        added = structured(await client.call_tool("books_add", book))
        assert added["title"] == book["body"]["title"], added
        assert "already" in await refusal(client.call_tool("books_add", book))


async def progress_comes_from_behind_a_route(application: Application) -> None:
    seen: list[float] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async with application.connected("/mcp", LIBRARIAN) as client:
        await client.call_tool("take_stock", {}, progress_callback=progressed)
    assert seen[:4] == [1, 2, 3, 4], seen


async def resources_are_read_by_uri_and_by_template_and_a_missing_one_is_an_error(application: Application) -> str:
    async with application.connected("/mcp", READER) as client:
        resources = (await client.list_resources()).resources
        assert [str(resource.uri) for resource in resources] == ["library://hours"], resources
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == ["book://{id}"], templates
        hours = await client.read_resource("library://hours")
        assert hours.contents[0].text == "Every day from 9 to 18", hours
        book = await client.read_resource("book://2")
        assert json.loads(book.contents[0].text)["title"] == "Moby-Dick", book
        return await refusal(client.read_resource("book://99"))


async def prompts_are_made_by_handlers(application: Application) -> None:
    async with application.connected("/mcp", READER) as client:
        prompt = await client.get_prompt("reading_list", {"topic": "the sea"})
        text = prompt.messages[0].content.text
        assert "about the sea" in text and "Moby-Dick" in text, text


async def a_room_is_a_server_of_its_own(application: Application) -> None:
    async with application.connected("/rooms/attic/mcp", READER) as client:
        assert "You look after the attic" in (client.instructions or ""), client.instructions
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["state", "lights", "seats"], tools
        assert all("room_id" not in tool.input_schema["properties"] for tool in tools), tools
        assert structured(await client.call_tool("lights", {"on": True}))["lights"] is True
        assert "seats are free" in await refusal(client.call_tool("seats", {"body": {"seats": 20}}))
        prompt = await client.get_prompt("tour")
        assert "the attic" in prompt.messages[0].content.text, prompt


async def a_room_that_is_not_there_refuses_clients(application: Application) -> str:
    said = await stays_out(application, "/rooms/cellar/mcp", READER)
    assert "no room" in said, said
    return said


async def nobody_comes_in_without_a_card_or_with_a_false_one(application: Application) -> str:
    said = ""
    for card in (None, "card-8"):
        application.statuses.clear()
        said = await stays_out(application, "/mcp", card)
        # The client tells its user less than it heard.
        assert set(application.statuses) == {401}, application.statuses
    return said


async def stays_out(application: Application, path: str, card: str | None) -> str:
    """Waits for a client to fail, and gives what it says."""
    try:
        async with application.connected(path, card) as client:
            await client.list_tools()
    except Exception as error:
        return "; ".join(told(error))
    raise AssertionError("the client came in")


def told(error: BaseException) -> list[str]:
    """What an error says, and each that it holds."""
    if isinstance(error, BaseExceptionGroup):
        return [text for inner in error.exceptions for text in told(inner)]
    code = f"{error.error.code} " if isinstance(error, MCPError) else ""
    return [f"{code}{error}"]


CHECKS = [
    the_exposed_routes_are_listed_as_tools_and_each_works,
    statuses_of_failure_are_errors_that_the_model_reads,
    what_only_librarians_may_do_readers_cannot,
    progress_comes_from_behind_a_route,
    resources_are_read_by_uri_and_by_template_and_a_missing_one_is_an_error,
    prompts_are_made_by_handlers,
    a_room_is_a_server_of_its_own,
    a_room_that_is_not_there_refuses_clients,
    nobody_comes_in_without_a_card_or_with_a_false_one,
]
