"""What the checks know of a connection: the client, what it hears, what it is asked and answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
import mcp_types as types
from mcp import Client, ClientSession, MCPError, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

MODERN = "2026-07-28"
TIME_LIMIT_SECONDS = 15
IDENTITY = types.Implementation(name="interop", version="1.0.0")


@dataclass
class Target:
    """Where the server is: a URL, or the program to start. `control` is the channel outside MCP.

    With `sse` the URL is that of a stream of HTTP+SSE.
    """

    url: str | None = None
    command: list[str] = field(default_factory=list)
    control: str | None = None
    sse: bool = False

    def with_control(self) -> Target:
        """The same server, which opens its control channel if it is started here."""
        command = [*self.command, "--control", self.control] if self.command and self.control else self.command
        return Target(self.url, command, self.control, self.sse)

    async def change(self, method: str, path: str) -> None:
        """Tells the server, outside MCP, to change something."""
        async with httpx2.AsyncClient() as http:
            (await http.request(method, f"http://{self.control}{path}")).raise_for_status()


class Visitor:
    """A connected client; `client` is a `Client`, or a `ClientSession` in the revisions that only this speaks."""

    def __init__(self, era: str, target: Target) -> None:
        self.era = era
        self.target = target
        self.client: Any = None
        self.session_id: str | None = None
        self.requests: list[httpx2.Request] = []
        self.stream_is_open = anyio.Event()
        self.heard: list[Any] = []
        self.asked: list[Any] = []
        # What the user, the model and the client answer; a check may put its own answer in.
        self.elicit: Callable[[Any], Any] | None = None
        self.sample: Callable[[Any], Any] | None = None
        self.roots: types.ListRootsResult | None = None
        self._news = anyio.Event()

    def reset(self) -> None:
        """Forgets what an earlier check heard, was asked and answered."""
        self.heard.clear()
        self.asked.clear()
        self.elicit = self.sample = self.roots = None

    @property
    def version(self) -> str:
        return self.client.protocol_version

    @property
    def with_handshake(self) -> bool:
        return self.version < MODERN

    @property
    def has_session(self) -> bool:
        """Whether this connection belongs to a session that the server keeps."""
        return self.target.url is not None and not self.target.sse and self.with_handshake

    @property
    def resumptions(self) -> int:
        """How many GET requests asked for what followed an event that had arrived."""
        return sum("last-event-id" in request.headers for request in self.requests)

    async def hear(self, message: Any) -> None:
        self.heard.append(message)
        self._news.set()

    async def hears(self, kind: type, matches: Callable[[Any], bool] = lambda _: True) -> Any:
        """Waits for a notification of a kind and gives its parameters."""
        while True:
            for message in self.heard:
                if isinstance(message, kind) and matches(message.params):
                    return message.params
            self._news = anyio.Event()
            await self._news.wait()

    async def answer_elicitation(self, _context: Any, params: Any) -> Any:
        self.asked.append(params)
        assert self.elicit is not None, "nobody expected a form"
        answer = self.elicit(params)
        return await answer if isinstance(answer, Awaitable) else answer

    async def answer_sampling(self, _context: Any, params: Any) -> Any:
        self.asked.append(params)
        assert self.sample is not None, "nobody expected a question to the model"
        return self.sample(params)

    async def answer_roots(self, _context: Any) -> Any:
        self.asked.append("roots")
        assert self.roots is not None, "nobody expected to be asked for roots"
        return self.roots

    async def call(self, tool: str, arguments: dict[str, Any] | None = None, **more: Any) -> types.CallToolResult:
        return await self.client.call_tool(tool, arguments, **more)

    async def _sent(self, request: httpx2.Request) -> None:
        self.requests.append(request)

    async def _received(self, response: httpx2.Response) -> None:
        self.session_id = response.headers.get("mcp-session-id", self.session_id)
        if response.request.method == "GET" and response.is_success:
            self.stream_is_open.set()

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Any]:
        if self.target.url is None:
            program, *arguments = self.target.command
            async with stdio_client(StdioServerParameters(command=program, args=arguments)) as streams:
                yield streams
            return
        if self.target.sse:
            async with sse_client(self.target.url) as streams:
                yield streams
            return
        hooks = {"request": [self._sent], "response": [self._received]}
        async with httpx2.AsyncClient(timeout=httpx2.Timeout(30, read=300), event_hooks=hooks) as http:
            async with streamable_http_client(self.target.url, http_client=http) as streams:
                yield streams


@asynccontextmanager
async def connected(era: str, target: Target, *, declaring: bool = True) -> AsyncIterator[Visitor]:
    """Connects a client, which declares that it can be asked unless `declaring` is off."""
    visitor = Visitor(era, target)
    asked: dict[str, Any] = {}
    if declaring:
        asked = {
            "elicitation_callback": visitor.answer_elicitation,
            "sampling_callback": visitor.answer_sampling,
            "list_roots_callback": visitor.answer_roots,
        }
    both = {
        "message_handler": visitor.hear,
        "client_info": IDENTITY,
        "read_timeout_seconds": TIME_LIMIT_SECONDS,
        **asked,
    }
    if era in HANDSHAKE_PROTOCOL_VERSIONS and era != LATEST_HANDSHAKE_VERSION:
        async with visitor._transport() as (read, write), ClientSession(read, write, **both) as session:
            await shake_hands(session, era)
            visitor.client = session
            yield visitor
    else:
        async with Client(visitor._transport(), mode=era, **both) as client:
            visitor.client = client
            yield visitor


async def shake_hands(session: ClientSession, version: str) -> None:
    """Proposes a revision; `initialize()` of the client always proposes the newest."""
    offer = types.InitializeRequestParams(
        protocol_version=version, capabilities=session._build_capabilities(version), client_info=IDENTITY
    )
    result = await session.send_request(types.InitializeRequest(params=offer), types.InitializeResult)
    session.adopt(result)
    await session.send_notification(types.InitializedNotification())


def text_of(result: types.CallToolResult) -> str:
    return "".join(getattr(block, "text", "") for block in result.content)


async def refusal(call: Awaitable[Any]) -> str:
    """Waits for an error of the protocol or a result marked as an error, and gives its text."""
    try:
        result = await call
    except MCPError as error:
        return f"error {error.error.code}: {error.error.message}"
    assert getattr(result, "is_error", False), f"there was no error but {result}"
    return text_of(result)
