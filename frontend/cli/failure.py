"""Defines how commands fail: with one sentence for the user, and with an exit code for scripts. The exit codes are:

0    The command succeeded. If it waited for a judging, the answer was accepted.
1    The answer was not accepted, its judging was cancelled, or a pushed challenge did not pass the gate.
2    The user made a mistake, such as a wrong option or a missing file.
3    The service refused the request or did not respond.
130  The user stopped the command with Ctrl+C.
"""

NOT_ACCEPTED, USAGE, REFUSED, INTERRUPTED = 1, 2, 3, 130


class Failure(Exception):
    """Ends a command. `message` tells the user what happened and what to do; `exit_code` is the exit code of the program.

    `code` is the error code in the service's response, or empty if the error did not come from the service.
    """

    def __init__(self, message: str, *, exit_code: int = REFUSED, code: str = "") -> None:
        super().__init__(message)
        self.message, self.exit_code, self.code = message, exit_code, code


def misused(message: str) -> Failure:
    """Returns the failure for a user's mistake, such as a missing file or a wrong name."""
    return Failure(message, exit_code=USAGE)
