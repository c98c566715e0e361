"""Adds the command `fibers` to gdb: backtraces of the suspended fibers of the selected thread.

    gdb -p PID -x tools/gdb_fibers.py -ex 'thread 7' -ex fibers

A suspended fiber has no thread, so `thread apply all bt` does not show it. Needs a live process, because gdb cannot set the
registers of a core file, and full debug information (preset debug). For x86-64 only: the registers lie where
Boost.Context 1.81 saves them.
"""

import gdb

# Offsets from the saved stack pointer; the return address is the last of them.
SAVED = {"r12": 0x10, "r13": 0x18, "r14": 0x20, "r15": 0x28, "rbx": 0x30, "rbp": 0x38, "rip": 0x40}
SAVED_SIZE = 0x48
FRAMES = 25


def find_worker():
    """Returns the Worker whose loop the selected thread runs, or None."""
    frame = gdb.newest_frame()
    while frame is not None:
        if (frame.name() or "").endswith("WorkerPool::Worker::Work"):
            frame.select()
            return gdb.parse_and_eval("this").dereference()
        frame = frame.older()
    return None


def pointer_in(unique, type_name):
    """Returns the pointer that a std::unique_ptr holds: its only member."""
    return unique.address.cast(gdb.lookup_type(type_name).pointer().pointer()).dereference()


class Fibers(gdb.Command):
    def __init__(self):
        super().__init__("fibers", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        worker = find_worker()
        if worker is None:
            raise gdb.GdbError("this thread is no thread of a WorkerPool; choose another: info threads")
        fibers = worker["fibers_"]["_M_impl"]
        for place in range(int(fibers["_M_finish"] - fibers["_M_start"])):
            fiber = pointer_in((fibers["_M_start"] + place).dereference(), "plimsoll::Fiber").dereference()
            self.show(place, fiber)

    @staticmethod
    def show(place, fiber):
        stack = pointer_in(fiber["stack_"], "plimsoll::Fiber::Stack").dereference()
        saved_at = int(stack["inside_"]["fctx_"])
        if saved_at == 0:
            print(f"fiber {place}: runs now")
            return
        gdb.newest_frame().select()
        before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in (*SAVED, "rsp")}
        words = gdb.Value(saved_at).cast(gdb.lookup_type("unsigned long").pointer())
        try:
            for name, offset in SAVED.items():
                gdb.execute(f"set ${name} = {int(words[offset // 8])}")
            gdb.execute(f"set $rsp = {saved_at + SAVED_SIZE}")
            print(f"fiber {place}:")
            gdb.execute(f"backtrace {FRAMES}")
        finally:
            for name, value in before.items():
                gdb.newest_frame().select()
                gdb.execute(f"set ${name} = {value}")


Fibers()
