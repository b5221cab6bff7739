# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server in a temporary folder, for measurements and histories."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time


class Server:
    """A server with a role `epact`, which owns the databases and is held to row-level security."""

    def __init__(self):
        versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("[0-9]*"), key=lambda path: int(path.name))
        if not versions:
            raise SystemExit("PostgreSQL is missing: run .ci/setup")
        self.programs = versions[-1] / "bin"
        # A socket has a short path, and the server refuses to run as root.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="epact-fleet-", dir="/tmp"))
        self.prefix = []
        if os.getuid() == 0:
            self.prefix = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
            shutil.chown(self.folder, "nobody", "nogroup")
        self.folder.chmod(0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = None
        subprocess.run(
            [*self.prefix, self.programs / "initdb", "--pgdata", self.folder / "data", "--username", "owner",
             "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL)
        self.start()
        self.sql("CREATE ROLE epact LOGIN")

    def start(self):
        """Starts the server, and waits until it answers."""
        settings = [f"unix_socket_directories={self.folder}", f"port={self.port}", "listen_addresses=127.0.0.1",
                    "max_connections=300", "log_statement=none"]
        words = [word for setting in settings for word in ("-c", setting)]
        self.process = subprocess.Popen(
            [*self.prefix, self.programs / "postgres", "-D", self.folder / "data", *words],
            stdout=subprocess.DEVNULL, stderr=(self.folder / "log").open("ab"))
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.try_sql("SELECT 1").returncode == 0:
                return
            time.sleep(0.05)
        raise SystemExit("PostgreSQL does not start: " + (self.folder / "log").read_text()[-2000:])

    def crash(self):
        """Ends the server at once, as a loss of power does; what was committed stays."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def stop(self):
        """Ends the server, and removes its folder."""
        if self.process.poll() is None:
            self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

    def try_sql(self, text, database="postgres"):
        return subprocess.run(
            ["psql", "-h", self.folder, "-p", str(self.port), "-U", "owner", "-XAtqc", text, database],
            capture_output=True, text=True)

    def sql(self, text, database="postgres"):
        """The rows of a statement, as lines."""
        run = self.try_sql(text, database)
        if run.returncode:
            raise RuntimeError(run.stderr)
        return run.stdout.splitlines()

    def copy(self, source, target):
        """Makes a database as a copy of another one, without its connections."""
        for name in (source, target):
            self.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        self.sql(f"DROP DATABASE IF EXISTS {target}")
        for _ in range(50):
            run = self.try_sql(f"CREATE DATABASE {target} TEMPLATE {source} OWNER epact")
            if run.returncode == 0:
                # A copied sequence gives some numbers without a record of them, which a crash would give again.
                self.sql("CHECKPOINT")
                return
            if not re.search("being accessed", run.stderr):
                break
            time.sleep(0.1)
        raise RuntimeError(run.stderr)

    def address(self, database):
        return f"postgresql://epact@/{database}?host={self.folder}&port={self.port}"
