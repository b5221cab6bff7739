// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A folder of its own for what is tried out: home, configuration and state are inside it.
///
/// It is a class, because the folder goes away with it.
final class Sandbox {
  /// What a command printed and how it ended.
  struct Result {
    var output: String
    var errors: String
    var status: Int32
  }

  let folder: URL
  /// The address of a server, which commands see as `$SERVER`.
  var server: String?

  /// The folder of the fixtures of this package.
  static var fixtures: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures")
  }

  /// The folder that holds the built program: beside the test bundle.
  static var programs: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  init() throws {
    let name = "epact-tests-\(UUID().uuidString)"
    folder = FileManager.default.temporaryDirectory.appending(path: name)
      .resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What the commands see of the environment, and nothing else.
  var environment: [String: String] {
    var variables = [
      "HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/config",
      "XDG_STATE_HOME": folder.path + "/state", "TZ": "UTC", "LC_ALL": "C", "TERM": "dumb",
      "PATH": Self.programs.path + ":/usr/bin:/bin", "FIXTURES": Self.fixtures.path,
      "TMPDIR": folder.path, "DIR": folder.path,
    ]
    variables["SERVER"] = server
    // A library that spares the tests the waiting for the disk spares the commands, too.
    variables["LD_PRELOAD"] = ProcessInfo.processInfo.environment["LD_PRELOAD"]
    return variables
  }

  /// Runs a command with `sh` in the folder.
  func run(_ command: String) throws -> Result {
    var program = TestProgram(
      ["/bin/sh", "-c", "cd \"$DIR\" && exec /bin/sh -c \"$0\"", command])
    program.environment = environment
    // Files and not pipes: nothing has to be read while the command runs.
    let output = try file("stdout")
    let errors = try file("stderr")
    program.output = .file(output.fileDescriptor)
    program.errors = .file(errors.fileDescriptor)
    let status = try program.run()
    return Result(
      output: try text(of: "stdout"), errors: try text(of: "stderr"), status: status)
  }

  /// The text with what differs from run to run replaced.
  ///
  /// Times stay if they are not of the run, but of the calendars that the commands read.
  func withPlaceholders(_ text: String, keepsTimes: Bool = false) -> String {
    // A recorded file has one kind of line end; grep shows those of calendars.
    var text = text.replacing("\r\n", with: "\n").replacing(folder.path, with: "$DIR")
      .replacing(Self.fixtures.path, with: "$FIXTURES")
    if let server { text = text.replacing(server, with: "$SERVER") }
    if !keepsTimes {
      text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?/, with: "<time>")
    }
    text.replace(/\d+(\.\d+)? m?s\b/, with: "<duration>")
    text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "<uid>")
    return text.replacing("by \(NSUserName())", with: "by <user>")
  }

  private func file(_ name: String) throws -> FileHandle {
    let url = folder.deletingLastPathComponent().appending(
      path: folder.lastPathComponent + "." + name)
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    return try FileHandle(forWritingTo: url)
  }

  private func text(of name: String) throws -> String {
    let url = folder.deletingLastPathComponent().appending(
      path: folder.lastPathComponent + "." + name)
    defer { try? FileManager.default.removeItem(at: url) }
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }
}
