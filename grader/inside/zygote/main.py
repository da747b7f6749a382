"""The zygote, which is the first process of a cell or a judge. It imports torch, warms up and freezes its heap, then forks one
confined child per job.

    python -m grader.inside.zygote.main --role cell|judge --socket PATH [--ordinary] [--gpu]

Once warm, the zygote connects to the node's socket at PATH, and exits when that connection closes. The node removes the socket
after it has accepted the connection. No bytes of a job pass through the zygote: each child gets the descriptor of a socket of
its own. `--ordinary` is for a zygote that is a plain process without root. With `--gpu`, a child sends READY once it has a
context on the GPU.
"""

import argparse
import os
import socket
import sys
from typing import Any

# This must run before torch or numpy is imported: their thread pools are created at import and would not survive a fork.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")

from grader.contract.wire import Kind, send  # noqa: E402
from grader.inside.confine.confine import Confinement, confine, prepare_zygote, reseed  # noqa: E402
from grader.inside.confine.forkserver import ForkServer  # noqa: E402
from grader.inside.zygote import audit, cuda, wipe  # noqa: E402
from grader.inside.zygote.warm import warm  # noqa: E402

WRITABLE = ("/tmp", "/dev/shm")
# A child gets a new environment, into which CUDA_VISIBLE_DEVICES is copied if it is set. Otherwise CUDA would show the child
# every GPU of the machine.
GPU = {name: os.environ[name] for name in ("CUDA_VISIBLE_DEVICES",) if name in os.environ}


def main(arguments: list[str] | None = None) -> None:
    """Warm up, then serve one node until it closes the connection."""
    options = _options(arguments)
    warm(judge=options.role == "judge", gpu=options.gpu)
    prepare_zygote()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(options.socket)
    Zygote(options, connection).serve()


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="zygote")
    parser.add_argument("--role", choices=("cell", "judge"), required=True)
    parser.add_argument("--socket", required=True)
    parser.add_argument("--ordinary", action="store_true")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--writable", action="append", default=[])
    return parser.parse_args(arguments)


class Zygote:
    """Forks candidates (role cell) or package parents (role judge), and cleans up after them."""

    def __init__(self, options: argparse.Namespace, connection: socket.socket) -> None:
        self._ordinary: bool = options.ordinary
        self._gpu: bool = options.gpu
        self._writable: list[str] = options.writable
        wipe.empty_directories(os.getuid(), self._writable)
        self._baseline = audit.take_baseline(self._writable)
        child = self._candidate if options.role == "cell" else self._package
        self._server = ForkServer(connection, child, {"wipe": self._wipe})

    def serve(self) -> None:
        """Serve until the node closes the connection."""
        self._server.serve()

    def _candidate(self, command: dict[str, Any], fds: list[int]) -> None:
        from grader.inside.cell.candidate import Server
        from grader.inside.judge.rehearsal import cell_steps, rehearse

        sock = self._confined(command, fds, processes=256, file_bytes=256 << 20, data_bytes=command.get("data_bytes"))
        if self._gpu:
            cuda.make_context()
            send(sock, Kind.READY)
        rehearse(cell_steps(), sock)
        reseed()
        Server(sock, own_uid=not self._ordinary).serve()

    def _package(self, command: dict[str, Any], fds: list[int]) -> None:
        from grader.inside.judge.main import serve_package

        sock = self._confined(command, fds, processes=64, file_bytes=64 << 20, data_bytes=4 << 30)
        serve_package(sock)

    def _confined(
        self, command: dict[str, Any], fds: list[int], *, processes: int, file_bytes: int, data_bytes: int | None
    ) -> socket.socket:
        """Confine the child and return its socket. `fds` holds that socket and the pipe for the child's output."""
        sock, output = fds
        os.dup2(output, 1)
        os.dup2(output, 2)
        limits = Confinement(
            uid=command["uid"],
            gid=command["uid"] if not self._ordinary else os.getgid(),
            workdir=command["workdir"],
            processes=processes,
            file_bytes=file_bytes,
            data_bytes=data_bytes,
            keep_fds=(sock,),
            environment=GPU,
        )
        confine(limits, strict=not self._ordinary)
        reseed()
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        return socket.socket(fileno=sock)

    def _wipe(self, command: dict[str, Any]) -> dict[str, Any]:
        """Kill a child and every process of its uid, empty the directories that it could write to, and audit the cell."""
        self._server.end(command["pid"])
        left = wipe.kill_uid(command["uid"])
        rest = wipe.empty_directories(command["uid"], self._writable)
        findings = [f"{left} processes left"] if left else []
        findings += [f"{len(rest)} paths left"] if rest else []
        return {"findings": findings + audit.audit(self._baseline)}


if __name__ == "__main__":
    main()
