"""Runs the Spark recipe on a master and three workers, and kills two of them while it runs."""

import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.request

import duckdb
import pyspark

HOME = pathlib.Path(pyspark.__file__).parent
COPIES = 40


def daemon(*words):
    """Starts a process of Spark in a session of its own, so that all of it can be killed."""
    return subprocess.Popen(
        [str(HOME / "bin/spark-class"), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": os.getcwd()})


def state(port):
    """What the page of the master says."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/", timeout=5) as answer:
        return json.load(answer)


def wait_for(what, condition, seconds=90):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return
        except (OSError, ValueError):
            pass
        time.sleep(0.2)
    raise AssertionError(f"{what} did not come")


def kill(process):
    if process and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def works(worker):
    """Whether a process of epact runs for a worker."""
    found = subprocess.run(["pgrep", "-s", str(worker.pid), "-f", "epact occurrences"], stdout=subprocess.DEVNULL)
    return found.returncode == 0


def check(recipe, epact):
    """Runs the recipe, and compares its rows with those of one process."""
    names = [os.path.abspath(name) for name in pathlib.Path("list").read_text().split("\0") if name and "\n" not in name]
    pathlib.Path("list.txt").write_text("".join(f"{name}\n" for name in names) * COPIES)
    page, port = 18080, 17077
    master = daemon("org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port),
                    "--webui-port", str(page))
    workers, driver = [], None
    try:
        wait_for("the master", lambda: state(page))
        workers = [
            daemon("org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "1g", "--webui-port", "0",
                   "--host", "127.0.0.1", f"spark://127.0.0.1:{port}")
            for _ in range(3)
        ]
        wait_for("three workers", lambda: state(page)["aliveworkers"] == 3)
        pathlib.Path("recipe.py").write_text(recipe)
        driver = subprocess.Popen(
            [sys.executable, "recipe.py"], stdout=subprocess.DEVNULL, stderr=pathlib.Path("driver.log").open("w"),
            start_new_session=True,
            env={**os.environ, "PYSPARK_SUBMIT_ARGS": f"--master spark://127.0.0.1:{port} "
                 "--conf spark.ui.enabled=false --executor-memory 700m pyspark-shell",
                 "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable})
        begin = time.monotonic()
        killed = 0
        for worker in workers[:2]:
            wait_for("work of a worker", lambda: works(worker), 300)
            assert driver.poll() is None, "the job ended before a worker was killed"
            kill(worker)
            killed += 1
        assert driver.wait(timeout=600) == 0, pathlib.Path("driver.log").read_text()[-3000:]
        seconds = time.monotonic() - begin
    finally:
        for process in [driver, *workers, master]:
            kill(process)
    compare(epact, names, killed, seconds)


def compare(epact, names, killed, seconds):
    """Compares the rows that the job wrote with those of one process."""
    pathlib.Path("once.txt").write_text("".join(f"{name}\n" for name in names))
    text = epact("occurrences", "--files-from", "once.txt", "--from", "2026-01-01", "--to", "2027-01-01",
                 "--zone", "UTC", "--lean", statuses=(1,))
    db = duckdb.connect()
    db.execute(epact("occurrences", "--schema", "duckdb"))
    pathlib.Path("once.ndjson").write_text(text, encoding="utf-8")
    columns = [name for name, *_ in db.sql("DESCRIBE occurrences").fetchall()]
    chosen = ", ".join(f'"{name}"' for name in columns)
    once = collections.Counter(db.sql(f"SELECT {chosen} FROM read_occurrences('once.ndjson')").fetchall())
    many = collections.Counter(db.sql(f"SELECT {chosen} FROM 'occurrences/*.parquet'").fetchall())
    types = db.sql("SELECT column_name, column_type FROM (DESCRIBE occurrences)").fetchall()
    found = db.sql("SELECT column_name, column_type FROM (DESCRIBE FROM 'occurrences/*.parquet')").fetchall()
    assert types == found, f"the columns are {found}, and not {types}"
    expected = collections.Counter({row: count * COPIES for row, count in once.items()})
    missing, excess = expected - many, many - expected
    assert once and not missing and not excess, (
        f"of {expected.total()} rows, {missing.total()} are missing, such as {missing.most_common(1)}; "
        f"{excess.total()} are too many, such as {excess.most_common(1)}")
    print(f"tables: {many.total()} rows by Spark {pyspark.__version__} in {seconds:.0f} s, {killed} of 3 workers killed")
