# SPDX-License-Identifier: Apache-2.0
"""Passes HTTP/1.1 on to a server on loopback, and counts requests, connections and bytes.

It changes nothing but the time: it can add the round trip and the bandwidth of a network. It also measures for
how long the server has a request in its hands, which no client can be faster than.
"""

import asyncio
import threading


class Count:
    """What went through since the last reset."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.methods = []
        self.connections = 0
        self.locked = 0
        self.sent = 0
        self.received = 0
        self.exchanges = []

    def busy(self):
        """The seconds in which the server worked on at least one request."""
        total, end = 0.0, 0.0
        for exchange in sorted(self.exchanges, key=lambda exchange: exchange.arrived):
            start = max(exchange.arrived, end)
            if exchange.answered > start:
                total += exchange.answered - start
                end = exchange.answered
        return total

    def most(self):
        """The most requests that the server had in its hands at once."""
        changes = [(x.arrived, 1) for x in self.exchanges] + [(x.answered, -1) for x in self.exchanges]
        current = most = 0
        for _, change in sorted(changes):
            current += change
            most = max(most, current)
        return most


class Exchange:
    """A request and its answer, as the server sees them: when the one arrived and the other was complete."""

    def __init__(self, arrived, connection):
        self.arrived = self.answered = arrived
        self.connection = connection
        self.method = ""
        self.status = ""


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


class Line:
    """One direction of a connection: a delay, a bandwidth that all connections share, and backpressure."""

    ROOM = 4 << 20

    def __init__(self, network, extra_delay=0.0, delivered=None):
        self.network = network
        self.extra_delay = extra_delay
        self.delivered = delivered
        self.queue = asyncio.Queue()
        self.held = 0
        self.room = asyncio.Event()
        self.room.set()

    async def carry(self, source, sink, note):
        """Passes everything on until the source ends, in order, and closes the sink."""
        sending = asyncio.create_task(self._send(sink))
        try:
            while data := await source.read(1 << 16):
                note(data)
                self.queue.put_nowait((self.network.arrival(len(data)) + self.extra_delay, data))
                self.extra_delay = 0.0
                self.held += len(data)
                if self.held > self.ROOM:
                    self.room.clear()
                await self.room.wait()
        except OSError:
            pass
        finally:
            self.queue.put_nowait((self.network.arrival(0), b""))
            await sending

    async def _send(self, sink):
        loop = asyncio.get_running_loop()
        try:
            while True:
                due, data = await self.queue.get()
                if (rest := due - loop.time()) > 0:
                    await asyncio.sleep(rest)
                if not data:
                    return
                sink.write(data)
                if self.delivered:
                    self.delivered(data)
                await sink.drain()
                self.held -= len(data)
                self.room.set()
        except OSError:
            pass
        finally:
            self.room.set()
            sink.close()


class Network:
    """What every direction has in common: half of the round trip, and bytes a second (0: unlimited)."""

    def __init__(self, round_trip=0.0, bandwidth=0):
        self.round_trip = round_trip
        self.bandwidth = bandwidth
        self.free_at = 0.0

    def arrival(self, size):
        now = asyncio.get_running_loop().time()
        if self.bandwidth:
            self.free_at = max(now, self.free_at) + size / self.bandwidth
            now = self.free_at
        return now + self.round_trip / 2


class CountingProxy:
    """A proxy in a thread of its own, with the round trip time and the bandwidth of a network.

    A client can send one round trip after it connects, as over a real line. The proxy accepts a connection
    at once, so it holds back the first request for that time.
    """

    def __init__(self, target_port, round_trip=0.0, bandwidth=0):
        self.count = Count()
        self.target_port = target_port
        self.round_trip = round_trip
        self.bandwidth = bandwidth
        self.port = None
        started = threading.Event()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        started.wait()

    def _run(self, started):
        asyncio.run(self._serve(started))

    async def _serve(self, started):
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.up = Network(self.round_trip, self.bandwidth)
        self.down = Network(self.round_trip, self.bandwidth)
        started.set()
        await server.serve_forever()

    async def _accept(self, reader, writer):
        try:
            there = await asyncio.open_connection("127.0.0.1", self.target_port)
        except OSError:
            writer.close()
            return
        scanner = RequestScanner(self.count)
        self.count.connections += 1

        number = self.count.connections
        loop = asyncio.get_running_loop()
        current = None

        def note_request(data):
            self.count.sent += len(data)
            scanner.feed(data)

        def note_arrival(data):
            # The server works on a request once all of it has arrived.
            nonlocal current
            if current is None or current.status:
                current = Exchange(loop.time(), number)
                current.method = data.split(b" ", 1)[0].decode("ascii", "replace")
                self.count.exchanges.append(current)
            current.arrived = current.answered = loop.time()

        def note_answer(data):
            self.count.received += len(data)
            if current is not None:
                current.answered = loop.time()
                current.status = current.status or data[9:12].decode("ascii", "replace")
            # The server rejected a write because of another one; it is sent again.
            self.count.locked += data.startswith(b"HTTP/1.1 423 ")

        await asyncio.gather(
            Line(self.up, self.round_trip, note_arrival).carry(reader, there[1], note_request),
            Line(self.down).carry(there[0], writer, note_answer), return_exceptions=True)
