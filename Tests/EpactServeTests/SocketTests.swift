// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The program at a Unix socket, and behind the socket of a service manager.
struct SocketTests {
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "epact-serve").path

  let folder: TemporaryFolder
  private var path: String { folder.path(of: "page.sock") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func server(_ words: String...) -> TestProgram {
    var program = TestProgram([Self.program, "--socket", path] + words)
    program.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    return program
  }

  /// Waits for the socket, asks it for a page, and prints the status, or the error of the connection.
  private static let client = """
    import http.client, socket, sys, time
    kind, place, host = sys.argv[1:4]
    for attempt in range(600):
        connection = http.client.HTTPConnection("localhost")
        if kind == "unix":
            connection.sock = socket.socket(socket.AF_UNIX)
            address = place
        else:
            connection.sock = socket.socket()
            address = ("127.0.0.1", int(place))
        try:
            connection.sock.connect(address)
            break
        except (FileNotFoundError, ConnectionRefusedError):
            time.sleep(0.05)
    connection.putrequest("GET", "/", skip_host=True)
    connection.putheader("Host", host)
    connection.endheaders()
    print(connection.getresponse().status)
    """

  private func ask(_ kind: String, _ place: String, host: String = "localhost") throws -> String {
    let words = ["python3", "-c", Self.client, kind, place, host]
    return String(decoding: try TestProgram(words).outputBytes(), as: UTF8.self)
  }

  @Test("A socket is for the user only, answers to localhost, and is taken by one server")
  func socket() throws {
    let first = try server().start()
    defer { first.kill() }
    #expect(try ask("unix", path) == "401\n")
    #expect(try ask("unix", path, host: "evil.example") == "421\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // EX_TEMPFAIL, as of a sync that runs already.
    #expect(try server().run() == 75)
    #expect(try ask("unix", path) == "401\n")
  }

  @Test("A file that is no socket is not replaced")
  func otherFile() throws {
    try folder.write("mine".utf8, to: "page.sock")
    // EX_CONFIG
    #expect(try server().run() == 78)
    #expect(try folder.bytes(of: "page.sock") == Array("mine".utf8))
  }

  @Test("The socket of a server that was killed is replaced")
  func leftOver() throws {
    let killed = try server().start()
    #expect(try ask("unix", path) == "401\n")
    killed.kill()
    let next = try server().start()
    #expect(try ask("unix", path) == "401\n")
    #expect(next.terminate() == 0)
  }

  @Test("A taken port ends with a sentence and the status 75")
  func takenPort() throws {
    var holder = TestProgram([
      "python3", "-c",
      """
      import socket, sys, time
      s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
      open(sys.argv[1], "w").write(str(s.getsockname()[1]) + "\\n"); time.sleep(600)
      """, folder.path(of: "port"),
    ])
    holder.environment = ["PATH": "/usr/bin:/bin:/usr/local/bin"]
    let holding = try holder.start()
    defer { holding.kill() }
    var port: String?
    while port == nil {
      port = try? String(contentsOfFile: folder.path(of: "port"), encoding: .utf8)
      if port?.hasSuffix("\n") != true { port = nil }
    }
    var program = TestProgram([Self.program, "--port", String(try #require(port).dropLast())])
    program.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    #expect(try program.run() == 75)
  }

  @Test(
    "Without a password, neither --no-key nor another address starts",
    arguments: [["--no-key"], ["--listen", "0.0.0.0"]])
  func missingPassword(words: [String]) throws {
    var program = TestProgram([Self.program, "--port", "0"] + words)
    program.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    // EX_CONFIG
    #expect(try program.run() == 78)
  }

  /// Starts the server as a service manager does, and prints what it is told (sd_notify(3)).
  private static let manager = """
    import os, socket, subprocess, sys
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind(sys.argv[1].replace("@", "\\0", 1))
    listener.settimeout(600)
    environment = dict(os.environ, NOTIFY_SOCKET=sys.argv[1])
    server = subprocess.Popen(sys.argv[2:], env=environment, stdout=subprocess.DEVNULL)
    print(listener.recv(100).decode())
    server.terminate()
    print(server.wait())
    """

  @Test(
    "A service manager is told that the server listens", arguments: ["notify", "@epact-notify"])
  func notification(name: String) throws {
    let place = name.hasPrefix("@") ? "\(name)\(getpid())" : folder.path(of: name)
    var program = TestProgram(
      ["python3", "-c", Self.manager, place, Self.program, "--socket", path])
    program.environment = [
      "HOME": folder.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
    ]
    #expect(String(decoding: try program.outputBytes(), as: UTF8.self) == "READY=1\n0\n")
  }

  /// systemd-socket-activate(1) listens as systemd does, and starts its proxy with the first connection.
  @Test("Systemd's proxy passes requests on to the socket")
  func activation() throws {
    let page = try server("--host", "127.0.0.1:\(Self.port)").start()
    defer { page.kill() }
    #expect(try ask("unix", path) == "401\n")
    let proxy = ["/usr/lib/systemd/systemd-socket-proxyd", "/lib/systemd/systemd-socket-proxyd"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    let activation = try TestProgram([
      "systemd-socket-activate", "-l", "127.0.0.1:\(Self.port)", try #require(proxy), path,
    ]).start()
    defer { activation.kill() }
    #expect(try ask("tcp", "\(Self.port)", host: "127.0.0.1:\(Self.port)") == "401\n")
    #expect(try ask("tcp", "\(Self.port)", host: "evil.example") == "421\n")
  }

  private static let port = 18_338
}
