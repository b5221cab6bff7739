// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Another process, which runs commands of a shell one after another.
package final class OtherProcess {
  private let shell: TestProgram.Started
  private let socket: Int32

  /// Starts the process in a folder.
  package init(in folder: String) throws {
    let (own, other) = try TestProgram.makeSocketPair()
    socket = own
    defer { close(other) }
    var program = TestProgram(["/bin/sh"])
    (program.input, program.output, program.errors) = (.file(other), .file(other), .null)
    shell = try program.start()
    try run("cd '\(folder)'")
  }

  deinit {
    close(socket)
    shell.wait()
  }

  /// Runs a command, whose failure is no error, and returns after its end.
  package func run(_ command: String) throws {
    let text = Array("{ \(command)\n}; echo\n".utf8)
    guard unsafe write(socket, text, text.count) == text.count else {
      throw TestProgram.Failure(description: "the shell has ended")
    }
    var end: [UInt8] = [0]
    repeat {
      guard unsafe read(socket, &end, 1) == 1 else {
        throw TestProgram.Failure(description: "the shell has ended in: \(command)")
      }
    } while end != [0x0A]
  }
}
