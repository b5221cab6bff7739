// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import Glibc
import NIOCore
import TestSupport
import Testing

@testable import EpactServe

/// The user of a connection on loopback.
struct PeerUserTests {
  /// The form of proc(5).
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:2092 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1218 1 0 100 0 0 10 0
       1: 0100007F:CC44 0100007F:2092 01 00000000:00000000 03:000010D2 00000000  1001        0 77 3 0 20 4 30 10 -1
       2: 0100007F:2092 0100007F:CC44 01 00000000:00000000 03:000010D2 00000000  1000        0 78 3 0 20 4 30 10 -1
       3: 0100007F:CC45 0100007F:2093 01 00000000:00000000 03:000010D2 00000000  1002        0 79 3 0 20 4 30 10 -1
       4: 0000000000000000FFFF00000100007F:CC46 0000000000000000FFFF00000100007F:2092 01 0:0 0:0 0  1003        0 80

    """

  @Test(
    "The table names the user of the other end",
    arguments: [
      ("0100007F:CC44", "0100007F:2092", 1001), ("0100007F:2092", "0100007F:CC44", 1000),
      ("0100007F:CC45", "0100007F:2092", nil), ("0100007F:CC46", "0100007F:2092", 1003),
      ("0100007F:0001", "0100007F:2092", nil),
    ] as [(String, String, UInt32?)])
  func users(far: String, near: String, user: UInt32?) {
    #expect(ConnectionOwner.user(of: far, to: near, in: Self.table) == user)
  }

  @Test(
    "Addresses on loopback are written as in the table",
    arguments: [
      ("127.0.0.1", 8338, "0100007F:2092"), ("127.0.0.2", 80, "0200007F:0050"),
      ("::1", 1, "00000000000000000000000001000000:0001"), ("192.0.2.7", 80, nil),
      ("2001:db8::1", 80, nil),
    ] as [(String, Int, String?)])
  func entries(address: String, port: Int, entry: String?) throws {
    #expect(PeerUser.entry(try SocketAddress(ipAddress: address, port: port)) == entry)
  }

  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "epact-serve").path

  /// Reads the printed address, becomes a user, and prints the status of a request with the key.
  private static let client = """
    import os, socket, sys, time
    while True:
        line = open(sys.argv[1]).read()
        if line.endswith("\\n"):
            break
        time.sleep(0.05)
    port, path = line.strip().split("127.0.0.1:")[1].split("/", 1)
    if sys.argv[2] != "own":
        os.setuid(int(sys.argv[2]))
    client = socket.socket()
    client.connect(("127.0.0.1", int(port)))
    head = "GET /" + path + " HTTP/1.1\\r\\nHost: 127.0.0.1:" + port + "\\r\\nConnection: close\\r\\n\\r\\n"
    client.sendall(head.encode())
    answer = b""
    while part := client.recv(65536):
        answer += part
    print(answer.split()[1].decode(), b"et-cookie: epact=" in answer.lower())
    """

  @Test("The key of the page signs in its own user")
  func ownUser() throws {
    #expect(try signIn("own") == "303 True\n")
  }

  @Test(
    "The key signs in no other user", .enabled(if: getuid() == 0, "only root becomes another user"))
  func otherUser() throws {
    #expect(try signIn("65534") == "403 False\n")
  }

  private func signIn(_ user: String) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "address")
    let file = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(file) }
    var program = TestProgram([Self.program, "--port", "0"])
    program.environment = ["HOME": folder.path]
    program.output = .file(file)
    let server = try program.start()
    defer { server.kill() }
    let client = TestProgram(["python3", "-c", Self.client, path, user])
    return String(decoding: try client.outputBytes(), as: UTF8.self)
  }
}
