# SPDX-License-Identifier: Apache-2.0
"""Starts CalDAV servers on loopback over storage that is seeded directly, without a request."""

import base64
import json
import pathlib
import socket
import subprocess
import time
import urllib.request

from events import event, name_of

USER, PASSWORD = "alice", "secret"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One server with one calendar."""

    def __init__(self, kind, programs, folder, items):
        self.kind = kind
        self.programs = pathlib.Path(programs)
        self.folder = pathlib.Path(folder)
        self.port = free_port()
        self.folder.mkdir(parents=True)
        command = self._radicale(items) if kind == "radicale" else self._xandikos(items)
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        self._wait()

    def warm(self):
        """Lets the server fill its caches, which it does while it answers for the first time."""
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{self.path}", method="PROPFIND",
            data=b'<propfind xmlns="DAV:"><prop><getetag/><sync-token/></prop></propfind>',
            headers={
                "Authorization": f"Basic {token}", "Depth": "1", "Content-Type": "application/xml"})
        with urllib.request.urlopen(request, timeout=1800) as answer:
            answer.read()

    def remote(self, address, folder):
        """The lines of a configuration that name the calendar; the password is put into a folder."""
        password = pathlib.Path(folder) / "password"
        password.write_text(PASSWORD + "\n")
        password.chmod(0o600)
        return "\n".join([
            'kind = "caldav"', f'url = "{address}"', f'username = "{USER}"',
            f'password-file = "{password}"'])

    def edit(self, number, revision):
        """Replaces an event, as another client does."""
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{self.path}{name_of(number)}", method="PUT",
            data=event(number, revision),
            headers={"Authorization": f"Basic {token}", "Content-Type": "text/calendar"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()

    def note(self, run):
        """Says of a run how many writes were not rejected because of another one."""
        written = sum(method in ("PUT", "DELETE", "MOVE", "COPY") for method in run.methods)
        run.writes, run.counted = written - run.locked, len(run.methods)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def _radicale(self, items):
        self.path = f"/{USER}/cal/"
        self.collection = self.folder / "data/collection-root" / USER / "cal"
        self.collection.mkdir(parents=True)
        properties = {
            "tag": "VCALENDAR", "D:displayname": "cal",
            "C:supported-calendar-component-set": "VEVENT,VTODO,VJOURNAL"}
        (self.collection / ".Radicale.props").write_text(json.dumps(properties))
        (self.folder / "users").write_text(f"{USER}:{PASSWORD}\n")
        for name, text in items.items():
            (self.collection / name).write_bytes(text)
        (self.folder / "config").write_text(f"""[server]
hosts = 127.0.0.1:{self.port}
[auth]
type = htpasswd
htpasswd_filename = {self.folder}/users
htpasswd_encryption = plain
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = {self.folder}/data
[web]
type = none
[logging]
level = warning
""")
        return [self.programs / "radicale", "--config", self.folder / "config"]

    def _xandikos(self, items):
        name = f"{USER}/calendars/cal"
        self.path = f"/{name}/"
        self.collection = self.folder / "data" / name
        self.collection.parent.mkdir(parents=True)
        (self.folder / "state").mkdir()
        subprocess.run(
            [self.programs / "xandikos", "create-collection", "-d", self.folder / "data",
             "--type", "calendar", "--name", name],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for file, text in items.items():
            (self.collection / file).write_bytes(text)
        # With the Python of the server, which has a git of its own.
        subprocess.run(
            [self.programs / "python", "-c", """
import sys
from dulwich import porcelain
from dulwich.repo import Repo
repository = Repo(sys.argv[1])
names = [name for name in sys.stdin.read().split("\\n") if name]
if names:
    repository.get_worktree().stage(names)
    who = b"seed <seed@example.org>"
    porcelain.commit(repository, message=b"seed", author=who, committer=who)
""", self.collection], input="\n".join(items), text=True, check=True)
        return [
            self.programs / "xandikos", "serve", "-d", self.folder / "data", "--state-dir",
            self.folder / "state", "--current-user-principal", f"/{USER}/", "--defaults", "-l",
            "127.0.0.1", "-p", str(self.port), "--no-detect-systemd"]

    def _wait(self):
        for _ in range(1200):
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f"{self.kind} does not start:\n{(self.folder / 'log').read_text()}")

    def items(self):
        """What the server holds, as bytes by name, read from its storage."""
        return {path.name: path.read_bytes() for path in self.collection.glob("*.ics")}
