"""A drawing as text, one line an item: what ``tests/golden`` keeps, and how two drawings are compared."""

from __future__ import annotations

from printkit.drawing.canvas.items import Drawing, Ink, Item, Path, PathRun, Rect, Stamp, Text


def dump(drawing: Drawing) -> str:
    """Return the drawing as text, one line an item, so that two drawings can be compared by eye and by ``diff``."""
    lines = [f"drawing {drawing.width:.2f} x {drawing.height:.2f}"]
    for layer in drawing.layers:
        lines.append(f"layer {layer.name.name.lower()}{_clip(layer.clip)}")
        lines.extend(f"  {_line(item)}" for item in layer.items)
    return "\n".join(lines) + "\n"


def _line(item: Item) -> str:
    match item:
        case Path():
            return f"path{_paint(item)} {_runs(item)}"
        case Text():
            where = f"{item.at[0]:.2f},{item.at[1]:.2f} {item.anchor} {item.angle:.1f}"
            if item.glyphs:
                where = " ".join(f"{x:.2f},{y:.2f},{angle:.1f}" for x, y, angle in item.glyphs)
            halo = f" halo {_ink(item.halo.ink)} {item.halo.width:.2f}" if item.halo else ""
            set_in = f"{item.font} {item.size_pt:.2f}pt track {item.track:.2f}"
            return f"text {item.content!r} {set_in} {_ink(item.ink)}{halo} {where}"
        case Stamp():
            places = "; ".join(" ".join(f"{value:.3f}" for value in place) for place in item.places)
            return f"stamp {item.artwork.name} at {places}"


def _clip(clip: Rect | PathRun | None) -> str:
    match clip:
        case None:
            return ""
        case Rect():
            return " clip " + " ".join(f"{value:.2f}" for value in clip)
        case PathRun():
            return f" clip {_points(clip)}"


def _paint(path: Path) -> str:
    fill = f" fill {_ink(path.fill)} {path.rule.value}" if path.fill else ""
    if path.stroke is None:
        return fill
    stroke = path.stroke
    dash = f" dash {','.join(f'{value:.2f}' for value in stroke.dash)}+{stroke.phase:.2f}" if stroke.dash else ""
    ends = f"{stroke.cap.name.lower()} {stroke.join.name.lower()}"
    return f"{fill} stroke {_ink(stroke.ink)} {stroke.width:.3f} {ends}{dash}"


def _ink(ink: Ink) -> str:
    return f"#{ink.red:02X}{ink.green:02X}{ink.blue:02X}" + (f"@{ink.alpha:.3f}" if ink.alpha < 1 else "")


def _runs(path: Path) -> str:
    return " ".join(_points(run) for run in path.runs)


def _points(run: PathRun) -> str:
    pairs = zip(run.points[::2], run.points[1::2], strict=True)
    return ("z " if run.closed else "l ") + " ".join(f"{x},{y}" for x, y in pairs)
