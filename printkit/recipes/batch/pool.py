"""Run tasks in parallel: in one process per core, or on an executor such as a Dask cluster."""

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

# Windows cannot wait for more processes at once.
_MAX_PROCESSES: Final = 61
# Unfinished tasks per process, so that it never waits for the next task.
_TASKS_PER_PROCESS: Final = 2
# Unfinished tasks on an executor of the caller: two for each of 500 cores.
_TASKS_PER_EXECUTOR: Final = 1000
# Timeout in seconds for the answer of a scheduler, and for its first worker.
_LONGEST: Final = 10
_ADDRESS: Final = re.compile(r"((tcp|tls)://)?([\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}", re.ASCII)

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


class WorkerError(PrintkitError):
    """A worker ended early, for example because memory ran out, or the connection to a cluster was lost."""


def run_tasks(
    work: Callable[[_Given], _Made], tasks: Sequence[_Given], *, executor: Executor | None = None
) -> Generator[_Made, None, None]:
    """Yield the result of each task in the order of completion; nothing without tasks.

    Without an executor, one process per core runs the tasks; if one process is enough, it is this one and the order is
    that of the tasks. The processes run until the end, and are stopped if the caller stops early or is interrupted. An
    executor of the caller continues, but its waiting tasks are cancelled.

    Args:
        work: the function to call with a task; it handles its own errors.
        tasks: the tasks; each is sent separately.
        executor: runs the tasks in place of local processes; it sends ``work`` with each task.

    Raises:
        WorkerError: a process ended early.
    """
    waiting: set[Future[_Made]] = set()
    if executor is not None:
        try:
            yield from _iterate_results(lambda task: executor.submit(work, task), tasks, _TASKS_PER_EXECUTOR, waiting)
        finally:
            for future in waiting:
                future.cancel()
        return
    count = min(cores(), len(tasks), _MAX_PROCESSES)
    if count < 2:
        yield from map(work, tasks)
        return
    with _start_processes(work, count) as processes:
        yield from _iterate_results(partial(_submit, processes), tasks, _TASKS_PER_PROCESS * count, waiting)


def cores() -> int:
    """Return the number of processor cores that this process may use, at least 1."""
    # process_cpu_count exists since Python 3.13. In older versions only Linux reports the usable cores.
    count_usable, usable_cores = getattr(os, "process_cpu_count", None), getattr(os, "sched_getaffinity", None)
    if count_usable is None and usable_cores is not None:
        return len(usable_cores(0))
    return (count_usable or os.cpu_count)() or 1


def _iterate_results(
    submit: Callable[[_Given], Future[_Made]], tasks: Sequence[_Given], max_waiting: int, waiting: set[Future[_Made]]
) -> Iterator[_Made]:
    """Yield results in the order of completion; at most ``max_waiting`` tasks are in ``waiting`` at a time.

    ``waiting`` changes in place. A lost worker, or an error of a task, raises WorkerError.
    """
    task_iterator = iter(tasks)
    finished_futures: SimpleQueue[Future[_Made]] = SimpleQueue()
    try:
        while True:
            for task in islice(task_iterator, max_waiting - len(waiting)):
                future = submit(task)
                waiting.add(future)
                future.add_done_callback(finished_futures.put)
            if not waiting:
                return
            future = finished_futures.get()
            waiting.discard(future)
            yield future.result()
    except BrokenExecutor:
        raise WorkerError("a worker process was killed, for example because memory ran out") from None
    except CancelledError:
        raise WorkerError("the connection to the cluster was lost") from None
    except Exception as error:
        raise WorkerError("a worker was lost: {error}", error=_first_line(error)) from None


@contextmanager
def _start_processes(work: Callable[[Any], Any], count: int) -> Iterator[Executor]:
    """Yield a pool of processes that have the function ``work``; terminate them at the end.

    The processes are spawned, because a forked process could inherit locked locks. Each gets ``work`` only once, so
    that tasks are small: a pool with a killed process can hang if the pipe of its tasks is full.
    """
    executor = ProcessPoolExecutor(count, get_context("spawn"), _start_worker, (work,))
    # Python before 3.14 has no public method to stop running tasks. shutdown() removes the list of processes.
    children = executor._processes
    try:
        yield executor
    finally:
        for child in list(children.values()):
            child.terminate()
        executor.shutdown(cancel_futures=True)


def _submit(executor: Executor, task: Any) -> Future[Any]:
    """Submit a task to a pool and return its future.

    A process that starts for it ignores Ctrl-C, which only the main process handles.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return executor.submit(_run_task, task)
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return executor.submit(_run_task, task)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


# In a process of the pool: the function to call with a task.
_worker_functions: list[Callable[[Any], Any]] = []


def _start_worker(work: Callable[[Any], Any]) -> None:
    """Prepare a process: it ignores Ctrl-C, and ends when the main process has ended.

    It appends ``work``, the function for the tasks, to the functions of this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _worker_functions.append(work)


def _end_with_parent() -> None:
    """Wait until the main process has ended, then end this process with exit status 1."""
    if parent := parent_process():
        parent.join()
    os._exit(1)


def _run_task(task: Any) -> Any:
    """Return the result of a task in a worker process, by the function that ``_start_worker`` received."""
    return _worker_functions[0](task)


@contextmanager
def cluster_executor(address: str) -> Iterator[Executor]:
    """Yield the executor of a Dask cluster; its workers need printkit and the output folder under the same path.

    If a worker dies, another one gets its task. At the end waiting tasks are dropped, and the cluster continues.

    Args:
        address: the address of the scheduler, such as ``tcp://192.168.1.20:8786``.

    Raises:
        UsageError: Dask is not available, or no scheduler with workers answers at the address.
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
    # This logger prints a traceback for a lost scheduler; printkit reports it in one line.
    logging.getLogger("distributed.client").disabled = True
    try:
        client = Client(address, timeout=_LONGEST, set_as_default=False)
    except (OSError, ImportError) as error:
        raise UsageError(
            "--cluster {address}: no scheduler answers there ({error})", address=address, error=_first_line(error)
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_LONGEST)
        except OSError:
            raise UsageError(
                "--cluster {address}: the scheduler has no workers; start one: dask worker {address}", address=address
            ) from None
        # All seeds differ, so a search for equal tasks is useless.
        yield client.get_executor(pure=False)


def _first_line(error: Exception) -> str:
    """Return the first line of the text of an error, or its class name if the text is empty."""
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__
