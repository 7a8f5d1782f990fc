# SPDX-License-Identifier: Apache-2.0
"""A command of gdb: `task-backtrace` lists the tasks of the call that this thread drives, the innermost first.

A task that waits is not on the stack. The command begins with the running task, or with the one whose request is being
carried out, and follows the tasks that await each other.

usage: gdb -x scripts/gdb-tasks.py PROGRAM    (compiled with -g)
"""

import re

import gdb


class TaskBacktrace(gdb.Command):
    """Lists the tasks of the call that this thread drives, the innermost first."""

    def __init__(self):
        super().__init__("task-backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        task = self.innermost()
        if not task:
            raise gdb.GdbError("this thread drives no task; go up to a frame of tablemap, or compile it with -g")
        number = 0
        while task:
            print(f"#{number}  {self.name(task)}")
            task = self.awaiter(task)
            number += 1

    @staticmethod
    def innermost():
        """The address of a coroutine's frame; 0 if there is none."""
        frame = gdb.newest_frame()
        while frame:
            name = frame.name() or ""
            if name.endswith(("task_runner::send", "async_tasks::send")):
                owner = frame.read_var("e")["owner"]
                question = owner.cast(owner.dynamic_type).dereference()
                return int(question["turn_"]["handle"]["_M_fr_ptr"])
            if name.endswith("task_engine::run"):
                return int(frame.read_var("this")["running_"]["_M_fr_ptr"])
            frame = frame.older()
        return 0

    @staticmethod
    def name(task):
        """The function that a coroutine's frame is of: its first word points to the code."""
        code = int(gdb.Value(task).cast(gdb.lookup_type("unsigned long").pointer()).dereference())
        symbol = gdb.execute(f"info symbol {code}", to_string=True)
        place = gdb.find_pc_line(code)
        function = re.sub(r"\(anonymous namespace\)::|\btablemap::(v\d+_\d+::)?(detail::)?", "", symbol).split("(")[0]
        return f"{function} at {place.symtab.filename}:{place.line}" if place.symtab else function

    @staticmethod
    def awaiter(task):
        """The promise follows the two pointers to code."""
        promise = gdb.lookup_type("tablemap::v0_1::detail::task_promise_base").pointer()
        base = gdb.Value(task + 2 * gdb.lookup_type("unsigned long").sizeof).cast(promise)
        return int(base["awaiter"]["_M_fr_ptr"])


TaskBacktrace()
