"""Runs a program on a pseudo-terminal, as a user would see it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

SECONDS_MAX = 120


class Terminal:
    """A program whose standard streams are a terminal of this width."""

    def __init__(self, words, columns=100, environment=None, cwd=None):
        self.controller, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        environment = {"TERM": "xterm-256color", **(os.environ if environment is None else environment)}
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            words, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, cwd=cwd, start_new_session=True)
        os.close(terminal)
        self.text = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.controller)

    def send(self, text):
        os.write(self.controller, text.encode())

    def read_until(self, is_there, seconds=SECONDS_MAX):
        """Reads until the text satisfies `is_there`, the program ends, or time is up. Returns the text so far."""
        deadline = time.monotonic() + seconds
        while not is_there(self.text) and time.monotonic() < deadline:
            if not select.select([self.controller], [], [], max(0, deadline - time.monotonic()))[0]:
                break
            try:
                piece = os.read(self.controller, 65536)
            except OSError:  # the terminal is closed
                break
            if not piece:
                break
            self.text += piece.decode(errors="replace")
        return self.text


def run(words, columns=100, environment=None, cwd=None):
    """Returns the exit code and the output of a program, with line ends as programs write them."""
    with Terminal(words, columns, environment, cwd) as terminal:
        text = terminal.read_until(lambda _: False)
        return terminal.process.wait(timeout=SECONDS_MAX), text.replace("\r\n", "\n")
