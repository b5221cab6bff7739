# SPDX-License-Identifier: Apache-2.0
"""Passes HTTP/1.1 on to a server on loopback, and counts requests and bytes. It changes nothing."""

import asyncio
import threading


class Count:
    """What went through since the last reset."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.methods = []
        self.sent = 0
        self.received = 0


class RequestScanner:
    """Finds the requests in what a client sends: heads, and bodies by length or in chunks."""

    def __init__(self, count):
        self.count = count
        self.buffer = b""
        self.rest = 0
        self.chunked = False

    def feed(self, data):
        self.buffer += data
        while self.buffer:
            if self.rest:
                taken = min(self.rest, len(self.buffer))
                self.buffer = self.buffer[taken:]
                self.rest -= taken
            elif self.chunked:
                line, found, rest = self.buffer.partition(b"\r\n")
                if not found:
                    return
                size = int(line.split(b";")[0] or b"0", 16)
                self.buffer = rest
                self.rest = size + 2
                self.chunked = size > 0
            else:
                head, found, rest = self.buffer.partition(b"\r\n\r\n")
                if not found:
                    return
                lines = head.split(b"\r\n")
                self.count.methods.append(lines[0].split(b" ")[0].decode("ascii", "replace"))
                fields = {}
                for line in lines[1:]:
                    name, _, value = line.partition(b":")
                    fields[name.strip().lower()] = value.strip()
                self.rest = int(fields.get(b"content-length", b"0"))
                self.chunked = fields.get(b"transfer-encoding", b"").lower() == b"chunked"
                self.buffer = rest


class CountingProxy:
    """A proxy in a thread of its own."""

    def __init__(self, target_port):
        self.count = Count()
        self.target_port = target_port
        self.port = None
        started = threading.Event()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        started.wait()

    def _run(self, started):
        asyncio.run(self._serve(started))

    async def _serve(self, started):
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await server.serve_forever()

    async def _accept(self, reader, writer):
        try:
            there = await asyncio.open_connection("127.0.0.1", self.target_port)
        except OSError:
            writer.close()
            return
        scanner = RequestScanner(self.count)

        async def pass_on(source, sink, is_request):
            try:
                while data := await source.read(1 << 16):
                    if is_request:
                        self.count.sent += len(data)
                        scanner.feed(data)
                    else:
                        self.count.received += len(data)
                    sink.write(data)
                    await sink.drain()
            except OSError:
                pass
            finally:
                sink.close()

        await asyncio.gather(
            pass_on(reader, there[1], True), pass_on(there[0], writer, False),
            return_exceptions=True)


