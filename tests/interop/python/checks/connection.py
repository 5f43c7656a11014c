"""Which revision was agreed on, and what every connection can do."""

from __future__ import annotations

from mcp import MCPError
from visitor import MODERN, Visitor


async def the_negotiated_version_fits_the_era(visitor: Visitor) -> str:
    expected = {"legacy": "2025-11-25", "auto": MODERN}.get(visitor.era, visitor.era)
    assert visitor.version == expected, visitor.version
    return visitor.version


async def the_client_learns_who_the_server_is(visitor: Visitor) -> str:
    if visitor.era == MODERN:
        # A client that is told the revision does not ask for it, and so learns nothing else either.
        assert visitor.client.server_info is None
        return "not asked"
    assert visitor.client.server_info.name == "everything", visitor.client.server_info
    assert visitor.client.instructions
    offers = visitor.client.server_capabilities
    assert offers.tools and offers.resources and offers.prompts, offers
    return visitor.client.server_info.version


async def a_ping_is_answered(visitor: Visitor) -> str:
    if visitor.with_handshake:
        await visitor.client.send_ping()
        return ""
    # 2026-07-28 has no ping; this client sends it all the same.
    try:
        await visitor.client.send_ping()
    except MCPError as error:
        assert error.error.code == -32601, error
        return "refused"
    raise AssertionError("a ping was answered")


CHECKS = [the_negotiated_version_fits_the_era, the_client_learns_who_the_server_is, a_ping_is_answered]
