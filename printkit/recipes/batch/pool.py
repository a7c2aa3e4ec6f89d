"""Sharing work out to several processes: one a core of this machine, or those of an executor, for example of Dask."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from printkit.core.errors import PrintkitError, UsageError

# Windows waits for no more processes at once.
_MOST: Final = 61
# How many tasks a process has at most, done or to do, so that it never waits for the next one.
_AHEAD: Final = 2
# How many tasks an executor of the caller has at most: two for each of 500 cores.
_AHEAD_ELSEWHERE: Final = 1000
# How long a scheduler has to answer, and to name a worker, in seconds.
_LONGEST: Final = 10
_ADDRESS: Final = re.compile(r"((tcp|tls)://)?([\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}", re.ASCII)

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


class WorkerError(PrintkitError):
    """A worker ended before its time, for example for want of memory, or a cluster was lost."""


def pooled(
    work: Callable[[_Given], _Made], tasks: Sequence[_Given], *, executor: Executor | None = None
) -> Generator[_Made, None, None]:
    """Yield what becomes of each task, in the order in which they are finished.

    Without an executor there is a process a core, and none beside this one if one is enough. Processes start once and
    stay. They are stopped where the caller stops early or is interrupted; an executor of the caller stays, and only
    starts no other task.

    Args:
        work: what is done with a task; it catches its own errors.
        tasks: what is done; each is sent by itself.
        executor: who does the tasks, if not processes of this machine; it sends ``work`` with each of them.

    Raises:
        WorkerError: a process ended before its time.
    """
    waiting: set[Future[_Made]] = set()
    if executor is not None:
        try:
            yield from _finished(lambda task: executor.submit(work, task), tasks, _AHEAD_ELSEWHERE, waiting)
        finally:
            for future in waiting:
                future.cancel()
        return
    count = min(cores(), len(tasks), _MOST)
    if count < 2:
        yield from map(work, tasks)
        return
    with _processes(work, count) as own:
        yield from _finished(partial(_submit, own), tasks, _AHEAD * count, waiting)


def cores() -> int:
    """Return the number of cores that this process may run on."""
    # From Python 3.13 on; before, Linux alone tells on which cores a process may run.
    usable, allowed = getattr(os, "process_cpu_count", None), getattr(os, "sched_getaffinity", None)
    if usable is None and allowed is not None:
        return len(allowed(0))
    return (usable or os.cpu_count)() or 1


def _finished(
    submit: Callable[[_Given], Future[_Made]], tasks: Sequence[_Given], ahead: int, waiting: set[Future[_Made]]
) -> Iterator[_Made]:
    """Yield results as they come; no more tasks than ``ahead`` are ``waiting`` at once."""
    due = iter(tasks)
    done: SimpleQueue[Future[_Made]] = SimpleQueue()
    try:
        while True:
            for task in islice(due, ahead - len(waiting)):
                future = submit(task)
                waiting.add(future)
                future.add_done_callback(done.put)
            if not waiting:
                return
            future = done.get()
            waiting.discard(future)
            yield future.result()
    except BrokenExecutor:
        raise WorkerError("a worker process was killed, for example because memory ran out") from None
    except CancelledError:
        raise WorkerError("the connection to the cluster was lost") from None
    except Exception as error:
        raise WorkerError("a worker was lost: {error}", error=_line(error)) from None


@contextmanager
def _processes(work: Callable[[Any], Any], count: int) -> Iterator[Executor]:
    """Start processes that know what is done with a task, and stop them in the end, whatever they do.

    They start with a clean memory: a copy of this one could hold locks of its threads. Each gets ``work`` once, because
    a pool with a killed process can hang if the pipe of its tasks is full.
    """
    executor = ProcessPoolExecutor(count, get_context("spawn"), _begin, (work,))
    # Before Python 3.14 there is no public way to stop what is under way. Afterwards the pool forgets its processes.
    children = executor._processes
    try:
        yield executor
    finally:
        for child in list(children.values()):
            child.terminate()
        executor.shutdown(cancel_futures=True)


def _submit(executor: Executor, task: Any) -> Future[Any]:
    """Send a task. A process that starts for it never hears Ctrl-C: the first one alone does, and stops the others."""
    if not hasattr(signal, "pthread_sigmask"):
        return executor.submit(_do, task)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return executor.submit(_do, task)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In a process of the pool: what is done with a task.
_given: list[Callable[[Any], Any]] = []


def _begin(work: Callable[[Any], Any]) -> None:
    """Prepare a process: it ignores Ctrl-C, and ends when the first one has been killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _given.append(work)


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(1)


def _do(task: Any) -> Any:
    return _given[0](task)


@contextmanager
def cluster_executor(address: str) -> Iterator[Executor]:
    """Yield the executor of a Dask cluster; its workers need printkit, and the folder of the files under the same path.

    A task whose worker dies goes to another one. What waits is dropped in the end, and the cluster stays.

    Args:
        address: that of the scheduler, such as ``tcp://192.168.1.20:8786``.

    Raises:
        UsageError: there is no cluster for this program, or none at that address.
    """
    if getattr(sys, "frozen", False):
        raise UsageError("the stand-alone program cannot use --cluster; install printkit with pip")
    if not _ADDRESS.fullmatch(address):
        raise UsageError(
            "--cluster {address!r} is not the address of a scheduler; write for example tcp://192.168.1.20:8786",
            address=address,
        )
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--cluster needs Dask: pip install 'wargame-printkit[cluster]'") from None
    # Of a scheduler that is lost it logs a traceback, where one line of printkit will do.
    logging.getLogger("distributed.client").disabled = True
    try:
        client = Client(address, timeout=_LONGEST, set_as_default=False)
    except (OSError, ImportError) as error:
        raise UsageError(
            "--cluster {address}: no scheduler answers there ({error})", address=address, error=_line(error)
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_LONGEST)
        except OSError:
            raise UsageError(
                "--cluster {address}: the scheduler has no workers; start one: dask worker {address}", address=address
            ) from None
        # Seeds differ, so that nothing is gained by looking for tasks that are alike.
        yield client.get_executor(pure=False)


def _line(error: Exception) -> str:
    """Return the first line of an error's text, or its kind where it has none."""
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__
