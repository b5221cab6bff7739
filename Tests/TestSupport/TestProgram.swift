// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that a test runs beside itself.
///
/// Tests do not use `Process` of Foundation. Before each start it lists the open files of this
/// process and copies 256 bytes of each entry, although entries are shorter, so that it crashes
/// when some thousand files are open.
package struct TestProgram: Sendable {
  /// What a standard stream of the program is connected to.
  package enum Stream: Sendable {
    case inherited
    case null
    /// An open file, which stays open in this process.
    case file(Int32)
  }

  /// The reason why a program could not be started, or an unexpected end.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// A program that was started.
  package struct Started: Sendable {
    private let id: Int32

    fileprivate init(id: Int32) {
      self.id = id
    }

    /// Waits for the end and returns the exit status, or 128 plus the number of a signal.
    @discardableResult
    package func wait() -> Int32 {
      var status: Int32 = 0
      while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
      let signal = status & 0x7F
      return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Asks the program to end, and returns its exit status, or 128 plus the number of a signal.
    package func terminate() -> Int32 {
      Glibc.kill(id, SIGTERM)
      return wait()
    }

    /// Kills the program and waits for its end.
    package func kill() {
      Glibc.kill(id, SIGKILL)
      wait()
    }
  }

  /// The program, which is searched in `PATH` unless it is a path, and its arguments.
  package var words: [String]
  /// The environment; nil for that of this process.
  package var environment: [String: String]?
  package var input = Stream.null
  package var output = Stream.inherited
  package var errors = Stream.inherited

  /// Creates a program that has not started.
  package init(_ words: [String]) {
    self.words = words
  }

  /// Runs the program and returns its exit status, or 128 plus the number of a signal.
  package func run() throws -> Int32 { try start().wait() }

  /// Runs the program and returns its standard output; an exit status other than 0 is an error.
  package func outputBytes() throws -> [UInt8] {
    // A file, unlike a pipe, needs no reader while the program runs, and no other program gets it.
    guard let file = unsafe tmpfile() else { throw failure(errno) }
    defer { unsafe fclose(file) }
    let descriptor = unsafe fileno(file)
    var program = self
    program.output = .file(descriptor)
    let status = try program.run()
    guard status == 0 else {
      throw Failure(description: "\(words[0]) ended with status \(status)")
    }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    guard unsafe pread(descriptor, &bytes, bytes.count, 0) == bytes.count else {
      throw failure(errno)
    }
    return bytes
  }

  /// Starts the program, which inherits what this process opened without `O_CLOEXEC`.
  package func start() throws -> Started {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [input, output, errors].enumerated() {
      let number = Int32(number)
      switch stream {
      case .inherited: break
      case .null:
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .file(let descriptor):
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }

    // A thread of a task may block all signals, and a child that inherits that cannot be ended.
    var attributes = posix_spawnattr_t()
    var signals = sigset_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    let settings = environment.map { $0.map { "\($0.key)=\($0.value)" } } ?? []
    var variables: [UnsafeMutablePointer<CChar>?] =
      unsafe settings.map { unsafe strdup($0) } + [nil]
    defer { unsafe variables.forEach { unsafe free($0) } }
    var id = pid_t()
    let code =
      if environment == nil {
        unsafe posix_spawnp(&id, words[0], &actions, &attributes, &arguments, environ)
      } else {
        unsafe posix_spawnp(&id, words[0], &actions, &attributes, &arguments, &variables)
      }
    guard code == 0 else { throw failure(code) }
    return Started(id: id)
  }

  private func failure(_ code: Int32) -> Failure {
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return Failure(description: "cannot run \(words[0]): \(reason)")
  }

  /// Two connected sockets, which no program inherits from its first moment, unlike the ends of a
  /// pipe.
  package static func makeSocketPair() throws -> (own: Int32, other: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw Failure(description: "cannot make sockets: error \(errno)")
    }
    return (ends[0], ends[1])
  }
}
