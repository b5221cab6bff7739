// SPDX-License-Identifier: Apache-2.0

import CFiles
import CalendarFiles
import Glibc

/// Runs another program without a shell, and waits for it.
///
/// It stays in this process group, so that it can ask for a passphrase on the terminal.
package struct Subprocess: Sendable {
  /// The reason why a program returned no output.
  package enum Failure: Error, Hashable, Sendable {
    /// The program could not be started.
    case notStarted(SystemError)
    /// The program did not end within the time limit.
    case timedOut
    /// The program exceeded the output limit.
    case tooMuchOutput
    /// The exit status; 128 plus the number of a signal.
    case exited(Int32)
  }

  /// The program, searched in `PATH` unless it is a path, and its arguments.
  package let words: [String]
  /// The environment of the program.
  package let environment: [String: String]
  /// The time limit, in seconds.
  package let timeLimit: Double
  /// The maximum size of the output, in bytes.
  package let outputLimit: Int
  /// Monotonic seconds.
  package let stopwatch: @Sendable () -> Double
  /// The standard input of ``run()`` and ``output()``.
  package var input: [UInt8] = []
  /// Whether the program shares standard error with this one; if not, its messages are dropped.
  package var showsErrors = true
  /// Whether the program shares no stream and no open file with this one.
  ///
  /// A browser may run longer than this process, and would keep its sockets open.
  package var isSeparate = false

  /// The open descriptors beyond the standard streams, which a separate program does not inherit.
  private static var descriptors: [Int32] {
    guard let folder = unsafe opendir("/proc/self/fd") else { return [] }
    defer { unsafe closedir(folder) }
    var numbers: [Int32] = []
    while let entry = unsafe readdir(folder) {
      // Accessed by address: an entry is shorter than its type, so a copy would read past its end.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
      let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
      if let number = Int32(name), number > STDERR_FILENO { numbers.append(number) }
    }
    return numbers
  }

  /// Creates a call of a program.
  package init(
    words: [String], environment: [String: String], timeLimit: Double, outputLimit: Int,
    stopwatch: @escaping @Sendable () -> Double
  ) {
    self.words = words
    self.environment = environment
    self.timeLimit = timeLimit
    self.outputLimit = outputLimit
    self.stopwatch = stopwatch
  }

  /// Runs the program with the standard output and standard error of this one.
  ///
  /// - Returns: The exit status; 128 plus the number of a signal.
  /// - Throws: `Failure`, or `CancellationError` if the run was interrupted.
  package func run() throws -> Int32 { try run(withInput: false) }

  /// Runs the program interactively, with the standard streams of this one.
  ///
  /// - Returns: The exit status; 128 plus the number of a signal.
  /// - Throws: `Failure`, or `CancellationError` if the run was interrupted.
  package func interact() throws -> Int32 { try run(withInput: true) }

  /// Starts the program, and does not wait for its end.
  ///
  /// The process remains in the system's table until this one ends.
  ///
  /// - Throws: `Failure` if it cannot be started.
  package func launch() throws(Failure) {
    _ = try start(output: nil, withInput: false)
  }

  private func run(withInput: Bool) throws -> Int32 {
    let process = try withInputFile {
      try start(output: nil, input: $0, withInput: withInput)
    }
    do {
      return try wait(for: process, until: stopwatch() + timeLimit)
    } catch {
      kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
      throw error
    }
  }

  /// Runs the program and returns its output, with the caller's standard error.
  ///
  /// - Parameter isInteractive: Whether the program has the standard input of this one, instead of
  ///   an empty one.
  /// - Returns: The output.
  /// - Throws: `Failure`, or `CancellationError` if the run was interrupted.
  package func output(withInput isInteractive: Bool = false) throws -> [UInt8] {
    let deadline = stopwatch() + timeLimit
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failure.notStarted(SystemError()) }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { _ = close(readEnd) }
    let process: pid_t
    do {
      defer { _ = close(writeEnd) }
      process = try withInputFile {
        try start(output: writeEnd, input: $0, withInput: isInteractive)
      }
    }
    do {
      let bytes = try read(from: readEnd, until: deadline)
      let status = try wait(for: process, until: deadline)
      guard status == 0 else { throw Failure.exited(status) }
      return bytes
    } catch let error as Failure where error.isEnding {
      throw error
    } catch {
      kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
      throw error
    }
  }

  /// Calls `body` with a file that contains the input; nil if there is none.
  private func withInputFile<Result>(_ body: (Int32?) throws -> Result) throws -> Result {
    guard !input.isEmpty else { return try body(nil) }
    let descriptor: Int32
    do {
      descriptor = try MemoryFile.make(input)
    } catch {
      throw Failure.notStarted(error)
    }
    defer { _ = close(descriptor) }
    return try body(descriptor)
  }

  private func start(
    output: Int32?, input: Int32? = nil, withInput: Bool
  ) throws(Failure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else if !withInput {
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    if !showsErrors || isSeparate {
      unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    if isSeparate {
      unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      // The C library ignores numbers that are not open any more.
      for number in Self.descriptors {
        unsafe posix_spawn_file_actions_addclose(&actions, number)
      }
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // Signals that this program ignores or handles get their default action in the child.
    var usual = sigset_t()
    unsafe sigemptyset(&usual)
    for number in [SIGPIPE, SIGINT, SIGTERM] { unsafe sigaddset(&usual, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var process: pid_t = 0
    let code = unsafe Self.withCStrings(words) { arguments in
      let settings = environment.map { "\($0.key)=\($0.value)" }
      return unsafe Self.withCStrings(settings) { settings in
        unsafe posix_spawnp(&process, words[0], &actions, &attributes, arguments, settings)
      }
    }
    guard code == 0 else { throw .notStarted(SystemError(code)) }
    return process
  }

  private func read(from descriptor: Int32, until deadline: Double) throws -> [UInt8] {
    var stream = InputStream(descriptor: descriptor) { stopwatch() >= deadline }
    do {
      guard let bytes = try stream.readAll(limit: outputLimit) else { throw Failure.tooMuchOutput }
      return bytes
    } catch let error as SystemError where error.code == ETIMEDOUT {
      throw Failure.timedOut
    }
  }

  private func wait(for process: pid_t, until deadline: Double) throws -> Int32 {
    var status: Int32 = 0
    while true {
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { break }
      guard ended == 0 || errno == EINTR else { throw SystemError() }
      guard stopwatch() < deadline else { throw Failure.timedOut }
      try Task.checkCancellation()
      usleep(10_000)
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Calls `body` with an array of C strings that ends with a null pointer.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("it has a last element") }
      return unsafe body(base)
    }
  }
}

/// A file in memory, for the standard input of a program.
///
/// A file, unlike a pipe, needs no reader before the program runs. It is in memory, because the input
/// may contain a password.
package enum MemoryFile {
  /// Makes a file with contents, at whose begin reading starts.
  ///
  /// - Returns: The descriptor, which the caller closes; a program inherits it only as a stream.
  /// - Throws: `SystemError`.
  package static func make(_ bytes: [UInt8]) throws(SystemError) -> Int32 {
    let descriptor = cfiles_make_memory_file()
    guard descriptor >= 0 else { throw SystemError() }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || count < 0 && errno == EINTR else {
        let error = SystemError()
        close(descriptor)
        throw error
      }
      rest = rest.dropFirst(max(0, count))
    }
    _ = lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }
}

extension Subprocess.Failure: CustomStringConvertible {
  /// The error without the name of the program.
  package var description: String { "the program \(reason)" }

  /// The error as a phrase that follows the name of the program.
  package var reason: String {
    switch self {
    case .notStarted(let error): "cannot be started: \(error)"
    case .timedOut: "did not end in time"
    case .tooMuchOutput: "printed too much"
    case .exited(let status): "ended with status \(status)"
    }
  }

  /// Whether the program has ended, so that it need not be killed.
  fileprivate var isEnding: Bool {
    if case .exited = self { true } else { false }
  }
}
