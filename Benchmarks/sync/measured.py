# SPDX-License-Identifier: Apache-2.0
"""Runs a program and writes what it cost to a file: its status, processor time and peak memory.

It is a process of its own because Linux counts into the peak of a program what whoever started it held,
and the one that holds ten thousand events to compare is larger than the programs that are measured.

  measured.py REPORT PROGRAM ARGUMENT...
"""

import os
import sys

process = os.fork()
if process == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(process, 0)
with open(sys.argv[1], "w") as report:
    print(
        os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss,
        file=report)
