"""The zygote, which is the first process of a cell or a judge. It imports torch, warms up and freezes its heap, then forks one
confined child per job.

    python -m grader.inside.zygote.main --role cell|judge --socket PATH [--uid UID] [--own PATH:MB:INODES] [--hide PATH] [--gpu]

Once warm, the zygote connects to the node's socket at PATH, and exits when that connection closes. The node removes the socket
after it has accepted the connection. No bytes of a job pass through the zygote: each child gets the descriptor of a socket of
its own.

Each child gets namespaces of its own (namespaces.py), with an empty file system at each path of `--own` and nothing at the
paths of `--hide`. If this machine does not allow that, children are forked without them, and the command `isolation` tells the
node why. A zygote that is root becomes `--uid` before it forks. With `--gpu`, a child sends READY once it has a context on the
GPU.
"""

import argparse
import os
import socket
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

# This must run before torch or numpy is imported: their thread pools are created at import and would not survive a fork.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")

from grader.contract.wire import Kind, send  # noqa: E402
from grader.inside.confine import namespaces  # noqa: E402
from grader.inside.confine.confine import Confinement, confine, prepare_zygote, reseed  # noqa: E402
from grader.inside.confine.forkserver import ForkServer  # noqa: E402
from grader.inside.confine.namespaces import Surroundings, Tmpfs  # noqa: E402
from grader.inside.zygote import cuda  # noqa: E402
from grader.inside.zygote.warm import warm  # noqa: E402

# A child gets a new environment, into which CUDA_VISIBLE_DEVICES is copied if it is set. Otherwise CUDA would show the child
# every GPU of the machine.
GPU = {name: os.environ[name] for name in ("CUDA_VISIBLE_DEVICES",) if name in os.environ}


def main(arguments: list[str] | None = None) -> None:
    """Warm up, then serve one node until it closes the connection."""
    options = _options(arguments)
    warm(judge=options.role == "judge", gpu=options.gpu)
    # Whether no privilege can be left to the children. An ordinary account cannot leave its groups, for example.
    strict = os.getpid() == 1 or os.getuid() == 0
    prepare_zygote(options.uid)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(options.socket)
    Zygote(options, connection, strict=strict).serve()


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="zygote")
    parser.add_argument("--role", choices=("cell", "judge"), required=True)
    parser.add_argument("--socket", required=True)
    parser.add_argument("--uid", type=int, default=os.getuid())
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--own", action="append", type=Tmpfs.parse, default=[])
    parser.add_argument("--hide", action="append", default=[])
    return parser.parse_args(arguments)


class Zygote:
    """Forks candidates (role cell) or package parents (role judge)."""

    def __init__(self, options: argparse.Namespace, connection: socket.socket, *, strict: bool) -> None:
        self._strict = strict
        self._gpu: bool = options.gpu
        self._judge: bool = options.role == "judge"
        self._surroundings = Surroundings(tuple(options.own), tuple(options.hide))
        self._problem = namespaces.problem(self._surroundings)
        self._server = ForkServer(connection, self._spawn, {"isolation": lambda _: {"problem": self._problem}})

    def serve(self) -> None:
        """Serve until the node closes the connection."""
        self._server.serve()

    def _spawn(self, command: dict[str, Any], fds: list[int]) -> int:
        """Fork the child for a command. `fds` holds the child's socket and the pipe for its output."""
        enter = partial(self._confine, command, fds)
        run = partial(self._package if self._judge else self._candidate, fds[0])
        return namespaces.spawn(None if self._problem else self._surroundings, enter, run)

    def _confine(self, command: dict[str, Any], fds: list[int], keep: Sequence[int]) -> None:
        sock, output = fds
        os.dup2(output, 1)
        os.dup2(output, 2)
        limits = Confinement(
            uid=os.getuid(),
            gid=os.getgid(),
            workdir=command["workdir"],
            processes=64 if self._judge else 256,
            file_bytes=(64 if self._judge else 256) << 20,
            data_bytes=4 << 30 if self._judge else command["data_bytes"],
            keep_fds=(sock, *keep),
            environment=GPU,
        )
        confine(limits, strict=self._strict)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]

    def _candidate(self, sock: int) -> None:
        from grader.inside.cell.candidate import Server
        from grader.inside.judge.rehearsal import cell_steps, rehearse

        connection = socket.socket(fileno=sock)
        if self._gpu:
            cuda.make_context()
            send(connection, Kind.READY)
        rehearse(cell_steps(), connection)
        reseed()
        Server(connection).serve()

    def _package(self, sock: int) -> None:
        from grader.inside.judge.main import serve_package

        reseed()
        serve_package(socket.socket(fileno=sock))


if __name__ == "__main__":
    main()
