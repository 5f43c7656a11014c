"""Sessions over HTTP: begun, cut and resumed, ended by either side."""

from __future__ import annotations

from dataclasses import replace

import httpx2
from mcp import MCPError
from mcp_types import ElicitResult
from proxy import proxy_to
from visitor import Visitor, connected, text_of

# The first revisions in which a stream can be resumed, in which a client has forms, and in which a server may hang up.
WITH_RESUMPTION = "2025-03-26"
WITH_FORMS = "2025-06-18"
WITH_POLLING = "2025-11-25"


async def status_of(visitor: Visitor, method: str, body: dict | None = None) -> int:
    """Sends a request of the visitor's session without its client."""
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-session-id": visitor.session_id,
        "mcp-protocol-version": visitor.version,
    }
    async with httpx2.AsyncClient() as http:
        return (await http.request(method, visitor.target.url, json=body, headers=headers)).status_code


async def each_client_has_a_session_of_its_own(visitor: Visitor) -> None:
    assert visitor.session_id
    async with connected(visitor.era, visitor.target) as other:
        assert other.session_id and other.session_id != visitor.session_id
    assert text_of(await visitor.call("echo", {"text": "still here"})) == "still here"


async def a_session_that_its_client_left_is_gone(visitor: Visitor) -> None:
    question = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with connected(visitor.era, visitor.target) as other:
        version = other.version
        assert await status_of(other, "POST", question) == 200
    other.client = type("Gone", (), {"protocol_version": version})
    assert [request.method for request in other.requests].count("DELETE") == 1
    assert await status_of(other, "POST", question) == 404


async def a_client_whose_session_has_ended_shakes_hands_again(visitor: Visitor) -> None:
    async with connected(visitor.era, visitor.target) as other:
        assert await status_of(other, "DELETE") < 300
        try:
            await other.call("echo", {"text": "lost"})
        except MCPError as error:
            complaint = error.error.message
        assert "session" in complaint.lower(), complaint
    # This client does not begin anew by itself.
    async with connected(visitor.era, visitor.target) as another:
        assert another.session_id != other.session_id
        assert text_of(await another.call("echo", {"text": "found"})) == "found"


async def a_result_is_fetched_after_the_server_has_closed_the_stream_of_its_call(visitor: Visitor) -> None:
    async with connected(visitor.era, visitor.target) as other:
        result = await other.call("test_reconnection", {})
        assert "came back" in text_of(result), result
        # Older revisions do not let a server hang up, so it does not.
        assert bool(other.resumptions) == (other.version >= WITH_POLLING), other.resumptions


async def a_call_goes_on_after_its_connection_was_cut(visitor: Visitor) -> None:
    async with proxy_to(visitor.target.url) as proxy:
        async with connected(visitor.era, replace(visitor.target, url=proxy.url)) as other:
            seen: list[float] = []

            async def progressed(progress: float, total: float | None, message: str | None) -> None:
                seen.append(progress)
                if progress == 3:
                    proxy.cut()

            result = await other.call("progress", {"n": 12, "gap_ms": 50}, progress_callback=progressed)
            assert text_of(result) == "12 reports", result
            assert other.resumptions, "the client has not come back with an event id"
            # Nothing is lost in the cut, and nothing comes twice.
            assert seen == list(range(1, 13)), seen


async def a_question_is_answered_though_the_connection_was_cut(visitor: Visitor) -> None:
    async with proxy_to(visitor.target.url) as proxy:
        async with connected(visitor.era, replace(visitor.target, url=proxy.url)) as other:

            def answer(_):
                proxy.cut()
                return ElicitResult(action="accept", content={"note": "back again"})

            other.elicit = answer
            assert text_of(await other.call("echo_with_note", {"text": "first"})) == "first (back again)"


async def a_call_fails_with_its_connection_and_the_next_one_works(visitor: Visitor) -> None:
    async with proxy_to(visitor.target.url) as proxy:
        async with connected(visitor.era, replace(visitor.target, url=proxy.url)) as other:

            async def progressed(progress: float, total: float | None, message: str | None) -> None:
                if progress == 2:
                    proxy.cut()

            try:
                await other.call("progress", {"n": 100, "gap_ms": 50}, progress_callback=progressed)
            except MCPError:
                assert not other.resumptions, "this revision has nothing to resume"
                assert text_of(await other.call("echo", {"text": "next"})) == "next"
                return
            raise AssertionError("the call went on")


async def there_is_no_session(visitor: Visitor) -> None:
    assert visitor.session_id is None


def checks(visitor: Visitor) -> list:
    """The checks that fit a connection over HTTP."""
    if not visitor.has_session:
        return [there_is_no_session, a_call_fails_with_its_connection_and_the_next_one_works]
    chosen = [
        each_client_has_a_session_of_its_own,
        a_session_that_its_client_left_is_gone,
        a_client_whose_session_has_ended_shakes_hands_again,
        a_result_is_fetched_after_the_server_has_closed_the_stream_of_its_call,
    ]
    if visitor.version >= WITH_RESUMPTION:
        chosen.append(a_call_goes_on_after_its_connection_was_cut)
    if visitor.version >= WITH_FORMS:
        chosen.append(a_question_is_answered_though_the_connection_was_cut)
    return chosen
