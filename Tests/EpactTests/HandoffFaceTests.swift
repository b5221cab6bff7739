// SPDX-License-Identifier: Apache-2.0

import Epact
import Glibc
import TestSupport
import Testing

/// Where the forms of other programs are shown, and how the browser is opened.
struct HandoffFaceTests {
  private let folder: TemporaryFolder
  private var machine: Machine

  init() throws {
    folder = try TemporaryFolder()
    machine = Machine.live()
    machine.executablePath = folder.path(of: "bin/epact")
    machine.environment = ["PATH": folder.path(of: "path")]
    for name in ["bin", "path"] { try folder.makeFolder(name) }
  }

  @discardableResult
  private func program(_ path: String, _ text: String = "") throws -> String {
    let path = try folder.write("#!/bin/sh\n\(text)\n".utf8, to: path)
    #expect(unsafe chmod(path, 0o700) == 0)
    return path
  }

  private func face(_ environment: [String: String], hasTerminal: Bool = false) throws
    -> HandoffFace
  {
    var machine = machine
    machine.environment.merge(environment) { $1 }
    return try HandoffFace(hasTerminal: hasTerminal, machine: machine)
  }

  @Test("A terminal needs neither a browser nor a server")
  func terminal() throws {
    #expect(try face([:], hasTerminal: true) == .terminal)
  }

  @Test("A browser is that of BROWSER, or xdg-open on a display")
  func browser() throws {
    let server = try program("bin/epact-serve")
    for environment in [[:], ["BROWSER": ""], ["BROWSER": ":"], ["DISPLAY": ":0"]] {
      #expect(throws: HandoffFace.Failure.noBrowser) { try face(environment) }
    }
    #expect(try face(["BROWSER": "firefox"]) == .page(server: server))
    try program("path/xdg-open")
    #expect(throws: HandoffFace.Failure.noBrowser) { try face(["DISPLAY": ""]) }
    #expect(try face(["DISPLAY": ":0"]) == .page(server: server))
    #expect(try face(["WAYLAND_DISPLAY": "wayland-0"]) == .page(server: server))
  }

  @Test("The server is beside the program that starts it, or in PATH")
  func server() throws {
    let browser = ["BROWSER": "firefox"]
    #expect(throws: HandoffFace.Failure.noServer) { try face(browser) }
    let other = try program("path/epact-serve")
    #expect(try face(browser) == .page(server: other))
    let own = try program("bin/epact-serve")
    #expect(try face(browser) == .page(server: own))
    // A link to the program does not move the program.
    try program("bin/epact")
    try folder.makeFolder("links")
    let link = folder.path(of: "links/epact")
    #expect(unsafe symlink(folder.path(of: "bin/epact"), link) == 0)
    var machine = machine
    machine.executablePath = "/usr/bin/other"
    machine.environment.merge(browser) { $1 }
    let linked = try HandoffFace(hasTerminal: false, machine: machine, startedBy: link)
    #expect(linked == .page(server: own))
  }

  @Test(
    "The address is the last word of the command, or takes the place of %s",
    arguments: [("", "http://x/"), (" -new", "-new http://x/"), (" a=%s b", "a=http://x/ b")])
  func words(_ options: String, expected: String) throws {
    let script = try program("browser", "echo \"$*\" >'\(folder.path(of: "words"))'")
    var machine = machine
    machine.environment = ["BROWSER": "\(script)\(options):other", "PATH": "/usr/bin:/bin"]
    try #require(Browser(machine: machine)).open("http://x/")
    let words = String(decoding: try folder.bytes(of: "words"), as: UTF8.self)
    #expect(words == "\(expected)\n")
  }

  @Test("A browser that cannot be started or fails is an error")
  func failures() throws {
    var machine = machine
    machine.environment["BROWSER"] = try program("browser", "exit 3")
    #expect(throws: EpactError.self) { try Browser(machine: machine)?.open("http://x/") }
    machine.environment["BROWSER"] = folder.path(of: "nothing")
    #expect(throws: EpactError.self) { try Browser(machine: machine)?.open("http://x/") }
  }

  @Test("A browser keeps no file of the program open, and writes to none of its streams")
  func separation() throws {
    let path = folder.path(of: "held")
    let first = unsafe open(path, O_CREAT | O_RDWR, 0o600)
    // A number beyond those that a small program has.
    let file = fcntl(first, F_DUPFD, 900)
    defer {
      close(first)
      close(file)
    }
    #expect(file >= 900)
    let list = folder.path(of: "list")
    let script = try program(
      "browser", "readlink /proc/$$/fd/* >'\(list)' 2>/dev/null; echo word; echo word >&2")
    var machine = machine
    machine.environment = ["BROWSER": script, "PATH": "/usr/bin:/bin"]
    try #require(Browser(machine: machine)).open("http://x/")
    let open = String(decoding: try folder.bytes(of: "list"), as: UTF8.self)
    #expect(open.contains("/dev/null") && !open.contains(path), "\(open)")
  }
}
