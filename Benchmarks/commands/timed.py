# SPDX-License-Identifier: Apache-2.0
"""Runs a program and writes its status, its elapsed and processor time and its peak memory to a file.

It is a process of its own because Linux counts into the peak of a program what whoever started it held.

  timed.py REPORT PROGRAM ARGUMENT...
"""

import os
import sys
import time

started = time.monotonic()
process = os.fork()
if process == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(process, 0)
elapsed = time.monotonic() - started
with open(sys.argv[1], "w") as report:
    print(
        os.waitstatus_to_exitcode(status), elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss,
        file=report)
