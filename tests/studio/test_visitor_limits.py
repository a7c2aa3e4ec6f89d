"""What one visitor of a studio may take: time, bytes, connections, streams, wrong links."""

from __future__ import annotations

import asyncio
import errno
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest
import uvicorn
from desks import OWN, phone_of, running
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from printkit.studio.limits.connections import bounded_protocol, bounded_server, fault_handler
from printkit.studio.limits.requests import BodyLimit
from printkit.studio.limits.values import LIMITS, MINUTE, ConnectionCounts, EventStreams, Limits, WrongLinks

PHONE = "192.0.2.7"
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-a:"


class Loop:
    """A clock by which timers are due when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, call: Callable[[], None]) -> Any:
        timer = (self.now + seconds, call)
        self.due.append(timer)
        return SimpleNamespace(cancel=lambda: self.due.remove(timer) if timer in self.due else None)

    def pass_to(self, now: float) -> None:
        self.now = now
        for timer in [timer for timer in self.due if timer[0] <= now]:
            self.due.remove(timer)
            timer[1]()

    def create_task(self, work: Any, **_: Any) -> Any:
        work.close()
        return Mock()


class Transport:
    """The other side of a connection."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.closed = False

    def get_extra_info(self, name: str, default: object = None) -> object:
        return {"peername": (self.address, 1), "sockname": ("127.0.0.1", 2)}.get(name, default)

    def abort(self) -> None:
        self.closed = True

    close = abort

    def is_closing(self) -> bool:
        return self.closed

    def write(self, data: bytes) -> None:
        del data

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class Door:
    """A listener without a socket."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.loop = Loop()
        self.counts = ConnectionCounts(limits)
        self._protocol = bounded_protocol(self.counts)
        self._config = uvicorn.Config(Starlette(), log_level="critical", lifespan="off", ws="none")

    def connect(self, address: str = PHONE) -> tuple[Any, Transport]:
        protocol, transport = self._protocol(self._config, ServerState(), {}, self.loop), Transport(address)  # type: ignore[arg-type]
        protocol.connection_made(transport)  # type: ignore[arg-type]
        return protocol, transport


def test_headers_and_bodies_that_do_not_come_whole_close_the_connection() -> None:
    door = Door()
    idle, slow, drip = (door.connect() for _ in range(3))
    slow[0].data_received(HALF)
    for second in range(9):
        door.loop.pass_to(float(second))
        drip[0].data_received(b"GET" if not second else b"x")
        assert not drip[1].closed, "it has its time"
    assert not slow[1].closed
    door.loop.pass_to(LIMITS.headers)
    assert idle[1].closed
    assert slow[1].closed
    assert drip[1].closed, "a letter now and then gains no time"
    door = Door()
    protocol, transport = door.connect()
    protocol.data_received(HALF + b" 1\r\n\r\n")
    assert door.loop.due == []
    door.loop.pass_to(3600.0)
    assert not transport.closed
    door = Door()
    protocol, transport = door.connect()
    protocol.data_received(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab")
    door.loop.pass_to(LIMITS.body)
    assert not transport.closed, "the request is answered by 408 first"
    protocol.data_received(b"c")
    door.loop.pass_to(LIMITS.body + 10)
    assert transport.closed


def test_an_address_and_all_together_have_a_most_of_connections() -> None:
    door = Door()
    opened = [door.connect() for _ in range(LIMITS.connections_each)]
    assert not any(transport.closed for _, transport in opened)
    protocol, transport = door.connect()
    assert transport.closed
    protocol.data_received(HALF)
    protocol.connection_lost(None)
    assert not door.connect("192.0.2.8")[1].closed, "another address comes in"
    opened[0][0].connection_lost(None)
    assert not door.connect()[1].closed, "who goes makes room for one"
    assert door.connect()[1].closed
    door = Door()
    opened = [door.connect(f"192.0.2.{number // 10}") for number in range(LIMITS.connections)]
    assert not any(transport.closed for _, transport in opened)
    assert door.connect("192.0.2.200")[1].closed
    assert not any(door.connect("127.0.0.1")[1].closed for _ in range(100)), "the computer itself is let in"
    counts = ConnectionCounts()
    for number in range(1000):
        assert counts.enter(str(number))
        counts.leave(str(number))
    assert not counts._open


async def _read(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the length of a body."""
    length = len(await Request(scope, receive).body())
    await PlainTextResponse(str(length))(scope, receive, send)


def _answered(most: int, parts: list[bytes], limits: Limits = LIMITS, *, ends: bool = True) -> tuple[int, str]:
    """Return how a body is answered that comes in parts; without an end, nothing comes any more."""
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if ends:
        messages.append({"type": "http.request", "body": b"", "more_body": False})
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    asyncio.run(BodyLimit(_read, "en", limits, most)(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:]).decode()


@pytest.mark.parametrize(("most", "told"), [(LIMITS.bytes, "8 MB"), (LIMITS.link_bytes, "64 kB")])
def test_a_body_in_parts_is_no_larger_than_it_may_be(most: int, told: str) -> None:
    part = b"x" * (most // 4)
    assert _answered(most, [part] * 4) == (200, str(most))
    assert _answered(most, [*[part] * 4, b"x"]) == (413, f"413: that is more than {told}")


def test_a_body_that_does_not_come_whole_is_answered_and_who_goes_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    limits = Limits(body=0.01)
    assert _answered(9, [b"x"], limits, ends=False) == (
        408,
        "408: the request did not arrive complete within 0.01 seconds",
    )

    async def gone() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        raise AssertionError(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    asyncio.run(BodyLimit(_read, "en")(scope, gone, send))
    assert caplog.records == []


def test_a_large_body_in_parts_is_answered_by_413(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        parts = iter([b"x" * 2**20] * (LIMITS.bytes // 2**20 + 1))
        answer = browser.post("/check", content=parts, headers=OWN)
        assert "content-length" not in answer.request.headers
        assert (answer.status_code, answer.text) == (413, "413: that is more than 8 MB")
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_oldest_stream_of_a_link_ends_and_wrong_links_are_refused_for_a_minute() -> None:
    streams = EventStreams()
    with ExitStack() as kept:
        first, *others = [kept.enter_context(streams.open("a")) for _ in range(LIMITS.streams)]
        other = kept.enter_context(streams.open("b"))
        assert not first.is_ended
        kept.enter_context(streams.open("a"))
        assert first.is_ended
        assert not any(stream.is_ended for stream in (*others, other))
    assert not streams._open
    now = [0.0]
    wrong = WrongLinks(lambda: now[0])
    for _ in range(LIMITS.wrong_links - 1):
        wrong.note(PHONE)
    now[0] = MINUTE
    wrong.note(PHONE)
    assert not wrong.is_refused(PHONE), "the others were more than a minute ago"
    for _ in range(LIMITS.wrong_links - 1):
        wrong.note(PHONE)
    assert wrong.is_refused(PHONE)
    assert not wrong.is_refused("192.0.2.8")
    now[0] += MINUTE - 1
    assert wrong.is_refused(PHONE)
    now[0] += 1
    assert not wrong.is_refused(PHONE)
    for number in range(2000):
        now[0] += 1
        wrong.note(str(number))
    assert len(wrong._tries) < 300


def test_who_tries_links_or_keys_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        browser.cookies.clear()
        for visitor, path, status in (
            (browser, "/?key=x", 401),
            *((phone_of(browser), path, 404) for path in ("/p/x", "/p/x/events", "/aid/x")),
        ):
            found = [visitor.get(path).status_code for _ in range(LIMITS.wrong_links + 2)]
            assert found == [status] * LIMITS.wrong_links + [429, 429], path
            assert visitor.get("/static/icon.svg").status_code == 200, "what is no link is answered"


def test_faults_of_connections_are_a_line_and_the_server_keeps_the_limits() -> None:
    told: list[str] = []
    now = [0.0]
    handle = fault_handler(lambda sentence: str(sentence), told.append, lambda: now[0])

    def happen(error: Exception, count: int = 1) -> None:
        for _ in range(count):
            handle(asyncio.AbstractEventLoop(), {"message": "socket.accept()", "exception": error})

    happen(ConnectionResetError())
    assert told == []
    happen(OSError(errno.EMFILE, os.strerror(errno.EMFILE)), 100)
    assert told == ["too many open files: the studio accepts no new connections until some are closed"]
    now[0] = MINUTE
    happen(OSError(errno.EMFILE, os.strerror(errno.EMFILE)), 100)
    assert len(told) == 2
    happen(ValueError("two\nlines"))
    assert told[2:] == [
        "this is a bug in the studio: socket.accept() (ValueError: two lines); the studio keeps running"
    ]
    config = bounded_server(Starlette(), LIMITS).config
    assert config.backlog == LIMITS.backlog
    assert isinstance(config.http, type)
    assert config.http.__name__ == "BoundedProtocol"


def test_the_limit_of_open_files_is_raised_as_far_as_it_may_be() -> None:
    resource = pytest.importorskip("resource")
    asked = (
        "import resource, sys; from printkit.studio.limits.connections import raise_open_files; "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (200, int(sys.argv[1]))); raise_open_files(4096); "
        "print(resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 300
    done = subprocess.run([sys.executable, "-c", asked, "300"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(300, 300)"


_SERVE = """
import resource, socket, sys
from pathlib import Path
from printkit.studio import phones
from printkit.studio.app import studio
from printkit.studio.app_state import Settings
from printkit.studio.limits.connections import bounded_server
from printkit.studio.limits.values import Limits
from printkit.studio.server_sockets import Address
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
phones.find_addresses = lambda: [Address(host="127.0.0.2")]
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen(16)
limits = Limits(headers=0.5)

def show(state):
    if state.is_on:
        print(listening.getsockname()[1], state.address.rpartition(":")[2], flush=True)

app = studio(Settings(out=Path(sys.argv[1]), key="k", opens_phones=True), limits, show)
bounded_server(app, limits).run(sockets=[listening])
"""


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[tuple[list[tuple[str, int]], subprocess.Popen[str]]]:
    """Start a studio that may open 256 files, and return its listeners: that of the studio, and that of phones."""
    pytest.importorskip("resource")
    command = [sys.executable, "-c", _SERVE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ports = map(int, process.stdout.readline().split())
        yield list(zip(("127.0.0.1", "127.0.0.2"), ports, strict=True)), process
        process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a second address of its own")
@pytest.mark.parametrize("attacked", [0, 1], ids=["studio", "phones"])
def test_half_open_connections_shut_nobody_out(
    narrow: tuple[list[tuple[str, int]], subprocess.Popen[str]], attacked: int
) -> None:
    listeners, process = narrow

    def answers() -> list[int]:
        found = []
        for host, port in listeners:
            with closing(HTTPConnection(host, port, timeout=20)) as line:
                line.request("GET", "/static/icon.svg")
                found.append(line.getresponse().status)
        return found

    assert answers() == [200, 200]
    with ExitStack() as kept, selectors.DefaultSelector() as waiting:
        opened = closed = 0
        while closed < 400:
            # Of more at a time than the queue of the listener takes, the system would try some again seconds later.
            for _ in range(min(LIMITS.backlog, 400 - opened)):
                one = kept.enter_context(socket.socket())
                one.setblocking(False)
                one.bind(("127.0.0.3", 0))
                one.connect_ex(listeners[attacked])
                waiting.register(one, selectors.EVENT_WRITE)
                opened += 1
            ready = waiting.select(60)
            assert ready, f"{opened - closed} connections stay open"
            for key, events in ready:
                one = cast(socket.socket, key.fileobj)
                try:
                    if events & selectors.EVENT_WRITE:
                        one.send(HALF)
                        waiting.modify(one, selectors.EVENT_READ)
                    elif not one.recv(1):
                        raise ConnectionResetError
                except ConnectionError:
                    waiting.unregister(one)
                    closed += 1
            if opened % 100 < LIMITS.backlog:
                assert answers() == [200, 200], "other clients are answered meanwhile"
    process.kill()
    assert process.stderr is not None
    assert process.stderr.read() == ""
