"""Sharing work out to several processes, or to a cluster: joblib is the pool, whichever backend it has."""

from __future__ import annotations

import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeVar

from printkit.core.errors import PrintkitError, UsageError

LOKY: Final = "loky"
"""The backend that is used where none is asked for: processes that start with a clean memory on every system."""

_FROZEN: Final = "multiprocessing"
"""What a stand-alone program uses in its place, which has no Python that loky could start."""

DASK: Final = "dask"

_REFUSED: Final = ("sequential", "threading")
"""Backends of one process, which are no faster than none: drawing keeps its core busy."""

_ADDRESS: Final = "scheduler-address"
"""Where dask itself looks for its scheduler: DASK_SCHEDULER_ADDRESS, or a file of its configuration."""

_ROUND: Final = 4
"""Tasks a process before those are told of that are done, where a backend cannot tell of them earlier."""

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


def pooled(
    work: Callable[[_Given], _Made], tasks: Sequence[_Given], *, jobs: int | None = None, backend: str | None = None
) -> Generator[_Made, None, None]:
    """Yield what becomes of each task, in the order in which they are finished.

    Processes start once and stay; tasks that are quick are sent several at a time. Where the caller stops early, or is
    interrupted, they are stopped too.

    Args:
        work: what is done with a task; it catches its own errors.
        tasks: what is done; each is sent by itself.
        jobs: how many processes; a core each if None, 1: none beside this one, unless a backend is named.
        backend: a name that joblib knows; its own processes if None.

    Raises:
        UsageError: no such backend, or it cannot be had; says why.
        PrintkitError: a process ended before its time.
    """
    if backend is None and (jobs == 1 or len(tasks) < 2):
        yield from map(work, tasks)
        return
    import joblib

    usual = _FROZEN if getattr(sys, "frozen", False) else LOKY
    name = usual if backend is None else known_backend(backend)
    count = min(jobs or joblib.cpu_count(), len(tasks)) if name != DASK else -1
    calls = [joblib.delayed(work)(each) for each in tasks]
    try:
        with joblib.parallel_config(name, **_options(name)), _deaf():
            results = _streamed(calls, count) if _streams(name) else _in_rounds(calls, count)
    except (ValueError, ImportError, OSError, TimeoutError) as error:
        raise UsageError("--backend {name} cannot be had: {error}", name=name, error=_line(error)) from None
    try:
        yield from results
    except Exception as error:
        raise PrintkitError(
            "a worker of {name} ended before its time ({error}); the same command goes on from here, and with fewer "
            "--jobs it takes less memory",
            name=name,
            error=_line(error),
        ) from None
    finally:
        with warnings.catch_warnings():
            # That some results were not waited for is just what is meant here.
            warnings.simplefilter("ignore")
            results.close()


def _streams(name: str) -> bool:
    """Return whether a backend hands back what is done before all is done."""
    from joblib import parallel

    return name in parallel.EXTERNAL_BACKENDS or parallel.BACKENDS[name].supports_return_generator


def _streamed(calls: Sequence[Any], count: int) -> Generator[Any, None, None]:
    import joblib

    pool = joblib.Parallel(n_jobs=count, return_as="generator_unordered")
    results: Generator[Any, None, None] = pool(calls)
    return results


def _in_rounds(calls: Sequence[Any], count: int) -> Generator[Any, None, None]:
    """Return what is done, a round at a time; the processes, which start here, stay from one to the next."""
    import joblib

    pool = joblib.Parallel(n_jobs=count).__enter__()

    def rounds() -> Generator[Any, None, None]:
        try:
            for start in range(0, len(calls), _ROUND * count):
                yield from pool(calls[start : start + _ROUND * count])
        finally:
            pool.__exit__(None, None, None)

    return rounds()


def known_backend(name: str) -> str:
    """Return the name of a backend.

    Raises:
        UsageError: joblib has none of that name, or none that is of use here.
    """
    from joblib import parallel

    if name in _REFUSED:
        raise UsageError("--backend {name} stays in one process; for that give --jobs 1", name=name)
    names = sorted({*parallel.BACKENDS, *parallel.EXTERNAL_BACKENDS}.difference(_REFUSED))
    if name not in names:
        raise UsageError("no backend {name!r}; there are {names}", name=name, names=", ".join(names))
    return name


def _options(name: str) -> Mapping[str, Any]:
    """Return what a backend has to be told: how many threads a process may start, or where the cluster is.

    Raises:
        UsageError: dask is not there, or has not been told of a cluster.
    """
    if name == LOKY:
        return {"inner_max_num_threads": 1}
    if name != DASK:
        return {}
    if find_spec("distributed") is None:
        raise UsageError("--backend dask needs dask.distributed: pip install distributed")
    address = import_module("dask.config").get(_ADDRESS, None)
    if address is None:
        raise UsageError("--backend dask knows no cluster; set DASK_SCHEDULER_ADDRESS, as tcp://192.168.1.20:8786")
    return {"scheduler_host": address}


@contextmanager
def _deaf() -> Iterator[None]:
    """Let no process that is started meanwhile hear Ctrl-C: the first one alone does, and stops the others."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _line(error: Exception) -> str:
    """Return the first line of an error's text, or its kind where it has none."""
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__
