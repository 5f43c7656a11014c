"""What a server tells on its own: changed lists and resources, to those who asked for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import mcp_types as types
from visitor import Visitor, text_of

TICK = "test://tick"
OTHER = "test://watched-resource"
MOMENTS = 20


@asynccontextmanager
async def following(visitor: Visitor, *lists: str, uri: str | None = None) -> AsyncIterator[None]:
    """Asks to be told of changes for a while."""
    if visitor.has_session:
        await visitor.stream_is_open.wait()
    if not visitor.with_handshake:
        wanted = {f"{name}_list_changed": True for name in lists}
        async with visitor.client.listen(**wanted, resource_subscriptions=[uri] if uri else []):
            yield
        return
    if uri:
        await visitor.client.subscribe_resource(uri)
    yield
    if uri:
        await visitor.client.unsubscribe_resource(uri)


async def update(visitor: Visitor, uri: str) -> None:
    await visitor.target.change("POST", f"/updated?uri={uri}")


async def is_told(visitor: Visitor, uri: str) -> None:
    await visitor.hears(types.ResourceUpdatedNotification, lambda params: str(params.uri) == uri)


async def an_update_of_a_resource_is_told(visitor: Visitor) -> None:
    async def count() -> int:
        return int((await visitor.client.read_resource(TICK)).contents[0].text)

    async with following(visitor, uri=TICK):
        before = await count()
        await update(visitor, TICK)
        await is_told(visitor, TICK)
        assert await count() == before + 1


async def an_update_is_told_only_to_those_who_want_it_still(visitor: Visitor) -> None:
    def updated() -> list[str]:
        updates = [message for message in visitor.heard if isinstance(message, types.ResourceUpdatedNotification)]
        return [str(message.params.uri) for message in updates]

    async with following(visitor, uri=OTHER):
        async with following(visitor, uri=TICK):
            pass
        # On 2026-07-28 nobody confirms the end of a subscription, so it may take a moment.
        for _ in range(MOMENTS):
            visitor.heard.clear()
            await update(visitor, TICK)
            await update(visitor, OTHER)
            await is_told(visitor, OTHER)
            if TICK not in updated():
                return
        raise AssertionError("what nobody follows any more is told for ever")


async def a_tool_that_is_added_and_removed_is_told_listed_and_called(visitor: Visitor) -> None:
    async def listed() -> bool:
        tools = (await visitor.client.list_tools()).tools
        return any(tool.name == "latecomer" for tool in tools)

    async with following(visitor, "tools"):
        await visitor.target.change("POST", "/tools/latecomer")
        try:
            await visitor.hears(types.ToolListChangedNotification)
            assert await listed()
            assert text_of(await visitor.call("latecomer", {})) == "better late than never"
        finally:
            visitor.heard.clear()
            await visitor.target.change("DELETE", "/tools/latecomer")
        await visitor.hears(types.ToolListChangedNotification)
        assert not await listed()


async def changed_prompts_and_resources_are_told(visitor: Visitor) -> None:
    async with following(visitor, "prompts", "resources"):
        await visitor.target.change("POST", "/changed/prompts")
        await visitor.hears(types.PromptListChangedNotification)
        await visitor.target.change("POST", "/changed/resources")
        await visitor.hears(types.ResourceListChangedNotification)


CHECKS = [
    an_update_of_a_resource_is_told,
    an_update_is_told_only_to_those_who_want_it_still,
    a_tool_that_is_added_and_removed_is_told_listed_and_called,
    changed_prompts_and_resources_are_told,
]
