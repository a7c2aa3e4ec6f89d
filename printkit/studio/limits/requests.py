"""Bodies of requests: how large they may be, and how long they may take to come."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from printkit.core.errors import Sentence
from printkit.core.words import find
from printkit.studio.limits.values import LIMITS, Limits

LINKS: Final = ("/p/", "/aid/")
"""The paths of pages that phones open by a link."""


class _Refusal(Exception):  # noqa: N818
    """A body does not come within the limits."""

    def __init__(self, status: int, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.status = status
        self.sentence = sentence


class BodyLimit:
    """Passes on a request whose body is within the limits, whatever its header says; answers others with 408 or 413.

    Args:
        app: what is behind it.
        lang: the language of what it answers.
        limits: how large a body may be, and how long it may take.
    """

    def __init__(self, app: ASGIApp, lang: str, limits: Limits = LIMITS) -> None:
        self._app = app
        self._lang = lang
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        due = asyncio.get_running_loop().time() + self._limits.body
        came, is_whole, is_answered = 0, False, False

        async def counted() -> Message:
            nonlocal came, is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(due):
                    message = await receive()
            except TimeoutError:
                error: _Refusal | None = _Refusal(
                    408,
                    Sentence("the request did not arrive complete within {seconds} seconds", seconds=self._limits.body),
                )
            else:
                came += len(message.get("body", b""))
                is_whole = not message.get("more_body", False)
                error = self._too_large(scope["path"], came)
            if error is None:
                return message
            if is_answered:
                # It is too late for another answer: the reader finds that the body has no end.
                return {"type": "http.disconnect"}
            raise error

        async def watched(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            await send(message)

        try:
            await self._app(scope, counted, watched)
        except _Refusal as error:
            text = f"{error.status}: {find(self._lang).say(error.sentence)}"
            # A sender that is too slow is cut off. One that sends too much may finish, and then reads the answer.
            headers = {"Connection": "close"} if error.status == 408 else None
            await PlainTextResponse(text, error.status, headers)(scope, receive, send)
        except ClientDisconnect:
            # Nobody is there to read an answer.
            return

    def _too_large(self, path: str, came: int) -> _Refusal | None:
        if came > self._limits.bytes:
            return _Refusal(413, Sentence("that is more than 8 MB"))
        if path.startswith(LINKS) and came > self._limits.link_bytes:
            return _Refusal(413, Sentence("that is more than 64 kB"))
        return None
