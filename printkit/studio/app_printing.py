"""The pages for printing: sheet layout, game night, jobs with their files, and printers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from printkit.core.errors import MissingError, PrintkitError
from printkit.core.paths import toml_names
from printkit.core.words import Words
from printkit.kit import registry
from printkit.options.commands import CalibrateOptions
from printkit.options.printing import EveningOptions, PrintOptions
from printkit.recipes.evening.folder import game_night_folder
from printkit.recipes.evening.parts import validate_parts
from printkit.recipes.output.printers import build_profile, find, save
from printkit.recipes.output.report import estimate_document_ink
from printkit.recipes.prints.map_plan import MapPlan, plan_map
from printkit.studio.app_helpers import (
    app_of,
    form_data,
    look_of,
    print_lang_of,
    redirect,
    render_response,
    run_in_worker,
    streams_of,
    style_of,
    svg_of,
    words_of,
)
from printkit.studio.app_state import AppState
from printkit.studio.command_process import open_folder
from printkit.studio.forms import command_line
from printkit.studio.jobs import DONE, FAILED, Job, find_printed, zip_files
from printkit.studio.print_forms import (
    decks_of,
    game_names,
    map_work,
    order_of,
    part_choices,
    part_rows,
    print_form,
    read_print_form,
    record_formats,
    result_values,
    task_of,
)
from printkit.studio.session import SavedField
from printkit.studio.views import board_view
from printkit.studio.worker_process import Task

# Seconds between two checks of a job.
_BEAT: Final = 0.15


async def printing(request: Request, error: PrintkitError | None = None) -> Response:
    """Show the sheet layout of a map and everything that can be printed of its battlefield."""
    app, words, field = app_of(request), words_of(request), request.path_params["field"]
    form = dict(request.query_params)
    saved_field = app.sitting.find(field)
    try:
        print_values = _read_form(request, form)
        values = await run_in_worker(request, _printing_values, app, saved_field, print_values, words)
    except PrintkitError as wrong:
        error = error or wrong
        print_values = {}
        values = await run_in_worker(request, _printing_values, app, saved_field, print_values, words)
    svg = svg_of(replace(look_of(request, field), style=print_values.get("style", "campaign")))
    return render_response(request, "print", field=field, error=error, kept=saved_field, svg=svg, **values)


def _read_form(request: Request, form: Mapping[str, str]) -> dict[str, str]:
    """Return the valid values of a print form; the style of the browser and the preferences give missing ones."""
    return read_print_form(app_of(request), {"style": style_of(request), **form})


def _printing_values(app: AppState, saved_field: SavedField, form: dict[str, str], words: Words) -> dict[str, Any]:
    """Return the values of the print page: board, form, sheet layout, effort, ink, scale, decks, command.

    ``form`` has the values that ``clean_form`` returns. ``scale`` is in printed mm per mm of the board, None to fit
    the paper.
    """
    field, printers = app.sitting.field(saved_field.id), app.settings.printers
    order = order_of(form, printers, words)
    plan = plan_map(field.record, registry.find(field.rules), order)
    record = app.sitting.path(saved_field.id)
    return {
        "board": board_view(field, words),
        "form": print_form(form, printers, words),
        "lying": _layout_values(plan),
        "effort": map_work(plan),
        "ink": round(100 * estimate_document_ink(plan.document)),
        "scale": order.scale,
        "ratio": f"1:{1 / plan.scale:.3g}".replace(".", words("leaflets.decimal")),
        "decks": decks_of(field),
        "formats": [name for name in record_formats() if name != "geojson"],
        "command": _command(app, task_of("map", record, app.settings, form, words.code, field=field)),
    }


def _command(app: AppState, task: Task) -> str:
    """Return the command of a task; it names any paper but the preferred one, which a command without it takes."""
    sheet = task.options.sheet
    # The task leaves out the paper that is the default without preferences.
    named_paper = [f"--sheet={sheet}"] if sheet == PrintOptions().sheet != app.preferences.sheet else []
    return command_line(["printkit", *task.words, *named_paper])


def _layout_values(plan: MapPlan) -> dict[str, Any]:
    """Return the sheet layout for the page: positions and sizes in mm on the board, with y downwards.

    Only ``overlap`` is in mm on paper.
    """
    depth, columns, dropped = plan.record.battlefield.board.depth, plan.columns, plan.dropped
    sheets = [
        {
            "name": name,
            "x": round(area.x, 1),
            "y": round(depth - area.top, 1),
            "wide": round(area.width, 1),
            "high": round(area.height, 1),
            "dropped": name in dropped,
            "bare": name in plan.empty_sheets,
            "shaded": (number % columns + number // columns) % 2 == 0,
        }
        for number, (name, area) in enumerate(plan.sheet_areas.items())
    ]
    return {
        "sheets": sheets,
        "printed": plan.pages,
        "columns": columns,
        "rows": plan.rows,
        "overlap": plan.overlap,
        "shared": round(plan.overlap / plan.scale, 1),
        "lies": "across" if plan.sheet.is_landscape else "upright",
        "dropped": dropped,
        "bare": plan.empty_sheets,
    }


async def evening(request: Request) -> Response:
    """Show the parts of a game night and the form that prints it."""
    app, words, field = app_of(request), words_of(request), request.path_params["field"]
    saved_field = app.sitting.find(field)
    form_values = _read_form(request, request.query_params)
    battlefield = await run_in_worker(request, app.sitting.field, field)
    record = app.sitting.path(field)
    task = task_of("evening", record, app.settings, form_values, words.code, field=battlefield)
    form = print_form(form_values, app.settings.printers, words)
    rows = await run_in_worker(request, part_rows, battlefield, form_values, app.settings.printers, words)
    return render_response(
        request,
        "evening",
        field=field,
        kept=saved_field,
        form=form,
        rows=rows,
        command=_command(app, replace(task, out="")),
        picture=f"/field/{field}.jpg",
    )


# --- Jobs -------------------------------------------------------------------------------------------------------------


async def start_job(request: Request) -> Response:
    """Start a job that prints something of a battlefield."""
    app, form, field = app_of(request), await form_data(request), request.path_params["field"]
    lang, kind = print_lang_of(request), form.get("kind", "map")
    try:
        path = app.sitting.path(field)
        battlefield = await run_in_worker(request, app.sitting.field, field)
        print_values = _read_form(request, form)
        order_of(print_values, app.settings.printers, words_of(request))
        if form.get("parts"):
            rows = await run_in_worker(request, part_rows, battlefield, {}, app.settings.printers, words_of(request))
            print_values |= part_choices(form, rows)
        task = task_of(kind, path, app.settings, print_values, lang, field=battlefield)
        if isinstance(task.options, EveningOptions):
            validate_parts(task.options)
            record = game_names(print_values).rename(battlefield.record)
            folder = await run_in_worker(request, game_night_folder, record, task.options, app.settings.out)
            task = replace(task, out=str(folder))
    except PrintkitError as error:
        return await printing(request, error)
    job = app.jobs.begin(kind, field, task, print_values)
    return redirect(f"/job/{job.number}")


async def show_job(request: Request) -> Response:
    """Show the progress of a job or, if it has finished, its files; stream it as events if the client accepts them."""
    app = app_of(request)
    job = app.jobs.find(request.path_params["number"])
    saved_field = app.sitting.find(job.field) if job.field else None
    if "text/event-stream" in request.headers.get("accept", ""):
        return StreamingResponse(
            _events(job, request), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )
    values: dict[str, Any] = {}
    if job.state == DONE:
        values = {"result": result_values(job, saved_field.title if saved_field else "", words_of(request))}
    return render_response(
        request,
        "result" if job.state == DONE else "job",
        field=job.field,
        here="evening" if job.kind == "evening" else "print",
        job=job,
        kept=saved_field,
        failed=FAILED,
        command=_command(app, job.task),
        out=app.settings.out.absolute(),
        **values,
    )


async def _events(job: Job, request: Request) -> AsyncIterator[str]:
    """Yield the state of a job as a server-sent event after each change, until it ends."""
    sent_version = -1
    with streams_of(request).open(request.url.path) as stream:
        while not stream.is_ended:
            if job.version != sent_version:
                sent_version = job.version
                files = [{"name": file.file, "written": file.file in job.written} for file in job.files]
                facts = {
                    "state": job.state,
                    "done": job.done,
                    "total": job.total,
                    "said": job.last_line,
                    "files": files,
                }
                yield f"data: {json.dumps(facts)}\n\n"
            if job.over:
                return
            await asyncio.sleep(_BEAT)


async def stop_job(request: Request) -> Response:
    """Stop a job, and redirect to its page."""
    number = request.path_params["number"]
    await asyncio.to_thread(app_of(request).jobs.stop, number)
    return redirect(f"/job/{number}")


async def send_archive(request: Request) -> Response:
    """Return all files of a job as a ZIP."""
    app = app_of(request)
    job = app.jobs.find(request.path_params["number"])
    if job.state != DONE or not job.files:
        raise MissingError("job {number} did not write any files", number=job.number)
    data = await asyncio.to_thread(zip_files, app.settings.out, [file.file for file in job.files])
    first = job.files[0].file
    name = first.split("/")[0] if "/" in first else "printkit"
    return Response(
        data, media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}.zip"'}
    )


async def show_folder(request: Request) -> Response:
    """Show the output folder in the file manager of this computer; the page stays."""
    await asyncio.to_thread(open_folder, app_of(request).settings.out)
    return Response(status_code=204)


async def send_file(request: Request) -> Response:
    """Return a printed file by its name in the output folder."""
    path = await asyncio.to_thread(find_printed, app_of(request).settings.out, request.path_params["name"])
    kind = "application/pdf" if path.suffix == ".pdf" else "application/octet-stream"
    kind = {".png": "image/png", ".json": "application/json", ".txt": "text/plain; charset=utf-8"}.get(
        path.suffix, kind
    )
    return FileResponse(
        path,
        media_type=kind,
        filename=path.name,
        content_disposition_type="inline" if path.suffix in (".pdf", ".png") else "attachment",
    )


# --- Printers ---------------------------------------------------------------------------------------------------------


async def show_printers(
    request: Request, form: dict[str, str] | None = None, error: PrintkitError | None = None, notice: str = ""
) -> Response:
    """Show the calibrated printers, and the calibration form with the values of ``form``.

    A profile that cannot be read is listed without values. ``notice`` is a message of one line.
    """
    folder = app_of(request).settings.printers
    names = toml_names(folder)
    profiles = []
    for name in names:
        try:
            profile = find(name, folder)
            profiles.append({"name": name, "x": profile.scale_x, "y": profile.scale_y})
        except PrintkitError:
            profiles.append({"name": name, "x": None, "y": None})
    return render_response(
        request,
        "printer",
        here="print",
        profiles=profiles,
        error=error,
        told=notice,
        asked=form or {"sheet": app_of(request).preferences.sheet},
    )


async def save_printer(request: Request) -> Response:
    """Save the measurements of a printer, or print the test sheet."""
    app, form, words = app_of(request), await form_data(request), words_of(request)
    sheet = form.get("sheet", "a4") if form.get("sheet") in ("a4", "letter", "a3") else "a4"
    if form.get("what") == "sheet":
        options = PrintOptions(sheet=sheet, lang=words.code)
        task = Task(recipe="calibrate", options=options, out=str(app.settings.out))
        job = app.jobs.begin("calibrate", "", task, {})
        return redirect(f"/job/{job.number}")
    try:
        lines = f"{form.get('across', '')}x{form.get('along', '')}"
        profile = build_profile(CalibrateOptions(name=form.get("name", ""), measured=lines), sheet)
        await asyncio.to_thread(save, profile, app.settings.printers)
    except PrintkitError as error:
        return await show_printers(request, form, error)
    return await show_printers(request, notice=words("studio.print.printer-saved", name=profile.name))
