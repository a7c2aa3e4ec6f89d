"""Drawings of boards for the screen: one thread draws them in order, and a cache stores the latest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct

from printkit.export.placing import replace_file
from printkit.studio.session import Session

if TYPE_CHECKING:
    from printkit.drawing.canvas.items import Drawing

T = TypeVar("T")

# The number of drawings in the cache, about 1 MB each.
_KEPT: Final = 24

# The longer side of a thumbnail in pixels.
THUMBNAIL: Final = 240

# Oversampling of thumbnails, so that fine lines stay fine.
_DOTS: Final = 3


class BoardLook(Struct, frozen=True, kw_only=True):
    """The key of a drawing: the ID of the battlefield, the style and the language."""

    field: str
    style: str = "campaign"
    lang: str = "en"


class RenderedBoard(Struct, frozen=True):
    """A board as SVG text, with its drawing."""

    text: str
    drawing: Drawing


class BoardPictures:
    """Draws the battlefields of a session.

    Attributes:
        seconds: how long a page waited for its last new drawing, by rule system.
    """

    def __init__(self, session: Session) -> None:
        self.seconds: dict[str, float] = {}
        self._sitting = session
        self._hand = ThreadPoolExecutor(1, thread_name_prefix="drawing")
        self._kept: OrderedDict[BoardLook, Future[RenderedBoard]] = OrderedDict()
        self._turn = Lock()

    def wanted(self, look: BoardLook) -> Future[RenderedBoard]:
        """Return the future drawing of a battlefield, and start it if it is not in the cache."""
        with self._turn:
            future = self._kept.get(look)
            if future is None or (future.done() and future.exception() is not None):
                future = self._kept[look] = self._hand.submit(self._render_board, look)
            self._kept.move_to_end(look)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return future

    def thumbnail(self, name: str) -> Future[bytes]:
        """Return the thumbnail of a battlefield as JPEG; it is saved next to the record.

        ``name`` is the ID of the battlefield.
        """
        path = self._sitting.path(name).with_suffix(".jpg")
        if path.is_file():
            return _completed_future(path.read_bytes)

        def draw() -> bytes:
            """Return the bytes of the JPEG, from its file or new."""
            from printkit.drawing.canvas.items import Drawing
            from printkit.export import png, screen
            from printkit.page.sheet import Document, page_of

            drawing = self._any_drawing(name)
            fixed_layers = tuple(layer for layer in drawing.layers if layer.name not in screen.SWITCHABLE_LAYERS)
            longest = max(drawing.width, drawing.height)
            document = Document(title=name, pages=(page_of(Drawing(drawing.width, drawing.height, fixed_layers)),))
            data = png.render_thumbnail(document, THUMBNAIL, dpi=_DOTS * THUMBNAIL * 25.4 / longest)
            with replace_file(path) as temporary:
                temporary.write_bytes(data)
            return data

        return self._hand.submit(draw)

    def run_in_thread(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Call a function in the drawing thread, and return the future of its result."""
        return self._hand.submit(work, *arguments)

    def close(self) -> None:
        """Stop drawing."""
        self._hand.shutdown(wait=False, cancel_futures=True)

    def _any_drawing(self, name: str) -> Drawing:
        """Return a drawing of a battlefield from the cache, otherwise a new one in the default style.

        ``name`` is the ID of the battlefield.
        """
        with self._turn:
            futures = [future for look, future in self._kept.items() if look.field == name and future.done()]
        for future in futures:
            if future.exception() is None:
                return future.result().drawing
        return self._draw_board(BoardLook(field=name))

    def _draw_board(self, look: BoardLook) -> Drawing:
        """Return the drawing of a battlefield for the screen."""
        from printkit.studio.views import scale_of

        field = self._sitting.field(look.field)
        return field.draw(style=look.style, lang=look.lang, scale=scale_of(field))

    def _render_board(self, look: BoardLook) -> RenderedBoard:
        """Return the drawing of a battlefield with its SVG text."""
        from printkit.export import screen

        drawing = self._draw_board(look)
        return RenderedBoard(screen.text(drawing), drawing)


def _completed_future(work: Callable[[], T]) -> Future[T]:
    """Return a completed future with the result of a function, or with its OSError."""
    future: Future[T] = Future()
    try:
        future.set_result(work())
    except OSError as error:
        future.set_exception(error)
    return future
