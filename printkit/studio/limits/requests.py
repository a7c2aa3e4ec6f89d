"""Limits of request bodies: their size, and the time they may take to arrive."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from printkit.core.errors import Sentence
from printkit.core.words import find_words
from printkit.studio.limits.values import LIMITS, Limits


class _Refusal(Exception):  # noqa: N818
    """A body exceeds the limits."""

    def __init__(self, status: int, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.status = status
        self.sentence = sentence


class BodyLimit:
    """ASGI middleware that counts the bytes of a body and answers 408 or 413 if it exceeds the limits.

    Args:
        app: the wrapped application.
        lang: the language of error messages.
        limits: the limits of time.
        max_bytes: the largest body in bytes.
    """

    def __init__(self, app: ASGIApp, lang: str, limits: Limits = LIMITS, max_bytes: int = LIMITS.bytes) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._lang = lang
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, or answer with an error."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        due = asyncio.get_running_loop().time() + self._limits.body
        came, is_whole, is_answered = 0, False, False

        async def receive_counted() -> Message:
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
                error = _Refusal(413, too_large(self._max_bytes)) if came > self._max_bytes else None
            if error is None:
                return message
            if is_answered:
                # The answer has already started, so the reader must see an incomplete body.
                return {"type": "http.disconnect"}
            raise error

        async def send_watched(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            await send(message)

        try:
            await self._app(scope, receive_counted, send_watched)
        except _Refusal as error:
            text = f"{error.status}: {find_words(self._lang).translate(error.sentence)}"
            # A slow sender is disconnected. A sender of too much data may finish, and then reads the answer.
            headers = {"Connection": "close"} if error.status == 408 else None
            await PlainTextResponse(text, error.status, headers)(scope, receive, send)
        except ClientDisconnect:
            # The client has gone, so there is no one to answer.
            return


def too_large(max_bytes: int) -> Sentence:
    """Return the refusal of a body of more than ``max_bytes`` bytes."""
    return Sentence(
        "that is more than {size}", size=f"{max_bytes >> 20} MB" if max_bytes >> 20 else f"{max_bytes >> 10} kB"
    )
