# SPDX-License-Identifier: Apache-2.0
"""Syncs the due accounts of a host on a Spark cluster.

Spark distributes the names, repeats what fails and runs slow parts twice (speculation). All of that is
safe, because a run of `epact` is idempotent and an account has one holder at a time.

usage: spark-submit nightly.py --epact PROGRAM [--jobs N] [--parts N] [--rounds N] [--out FOLDER]

Each worker needs the program and the configuration of the host. The exit status is 0 if each due account
was answered and none is left that another attempt would help; the answers are in FOLDER as JSON.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import time

from pyspark.sql import SparkSession

# Exit statuses that a later attempt may change: out of reach, or in use by another process.
PASSING = 75


def due(program):
    """The names of the accounts that are due, from the ledger of the host."""
    words = program + ["accounts", "list", "--due", "--names"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epact", default="epact", help="the program, with its options")
    parser.add_argument("--jobs", type=int, default=8, help="accounts at a time in one process")
    parser.add_argument("--parts", type=int, default=0, help="parts of the names; 0 for one a core")
    parser.add_argument("--rounds", type=int, default=3, help="attempts for names in use elsewhere")
    parser.add_argument("--pause", type=float, default=60, help="seconds between the rounds")
    parser.add_argument("--out", help="the folder for the answers")
    options = parser.parse_args()
    program = shlex.split(options.epact)

    session = (
        SparkSession.builder.appName("epact nightly")
        .config("spark.speculation", "true")
        .config("spark.task.maxFailures", "10")
        .getOrCreate()
    )
    context = session.sparkContext
    command = shlex.join(program + ["sync", "--accounts", "-", "--jobs", str(options.jobs)])
    parts = options.parts or context.defaultParallelism
    names = due(program)
    answers = {}
    for number in range(options.rounds):
        if not names:
            break
        if number:
            time.sleep(options.pause)
        # A part that fails as a whole is repeated by Spark: its answers are those of the last attempt.
        lines = context.parallelize(names, min(parts, len(names))).pipe(
            command, env=dict(os.environ), checkCode=True)
        for answer in map(json.loads, lines.collect()):
            answers[answer["account"]] = answer
        names = [name for name in names if answers.get(name, {}).get("exit", PASSING) == PASSING]
    if options.out:
        rows = context.parallelize([json.dumps(answer) for answer in answers.values()], parts)
        session.read.json(rows).write.mode("overwrite").json(options.out)
    counts = {}
    for answer in answers.values():
        counts[answer["exit"]] = counts.get(answer["exit"], 0) + 1
    print(json.dumps({"answered": len(answers), "left": len(names), "exits": counts}))
    session.stop()
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
