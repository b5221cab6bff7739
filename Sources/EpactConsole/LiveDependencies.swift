// SPDX-License-Identifier: Apache-2.0

import CMemory
import CalendarFiles
package import Dispatch
import Epact
import Glibc
import Synchronization

/// The facts about the process that runs the program.
package struct HostProcess: Sendable {
  /// The arguments, without the program name.
  package var arguments: [String]
  /// The path of the executable.
  package var executablePath: String
  /// The number of processor cores.
  package var coreCount: Int
  /// Looks up the name of the processor.
  package var processor: @Sendable () -> String
  /// Looks up the peak memory usage so far, in bytes; nil if unknown.
  package var peakMemory: @Sendable () -> Int?
  /// Changes the current folder, for programs that are run; throws `SystemError`.
  package var enterFolder: @Sendable (String) throws -> Void
}

/// The only access of a program to its process and to signals.
package enum LiveDependencies {
  /// The facts about this process.
  package static func process() -> HostProcess {
    HostProcess(
      arguments: Array(CommandLine.arguments.dropFirst()),
      executablePath: SymbolicLink.target(of: "/proc/self/exe") ?? "epact",
      coreCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      processor: { field("model name", of: "/proc/cpuinfo") ?? "unknown processor" },
      peakMemory: {
        field("VmHWM", of: "/proc/self/status")
          .flatMap { Int($0.prefix { $0 != " " }) }.map { $0 * 1024 }
      },
      enterFolder: { path in
        guard unsafe chdir(path) == 0 else { throw SystemError() }
      })
  }

  /// Makes all threads share one heap.
  ///
  /// A task continues on another thread after each suspension, and separate heaps would all grow to
  /// the size of the largest batch.
  package static func shareHeap() {
    cmemory_share_heap()
  }

  /// Makes a broken pipe an ordinary failure of `write(2)`, without a signal.
  ///
  /// A sync must end cleanly even if its output is no longer read.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// The requested maximum number of open files.
  private static let openFiles: rlim_t = 4096

  /// Raises the limit of open files from the usual 1,024, as far as the system allows.
  ///
  /// Downloads are written in batches, and several syncs run concurrently.
  package static func allowManyFiles() {
    let numberOfFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(numberOfFiles, &limit) == 0 else { return }
    let wanted = min(openFiles, limit.rlim_max)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    _ = unsafe setrlimit(numberOfFiles, &limit)
  }

  /// Waits until another thread ends the program, and keeps the signal sources alive.
  package static func waitForTheEnd(keeping signals: [any DispatchSourceSignal]) -> Never {
    while true {
      pause()
      extendLifetime(signals)
    }
  }

  /// Replaces the program by another one, which gets its terminal and its process.
  ///
  /// - Parameters:
  ///   - words: The path of the program, and its arguments.
  ///   - input: The contents of its standard input; nil for that of this program.
  /// - Throws: `SystemError` if the program cannot be run.
  package static func become(_ words: [String], input: [UInt8]? = nil) throws -> Never {
    if let input {
      let file = try MemoryFile.make(input)
      guard dup2(file, STDIN_FILENO) == STDIN_FILENO else { throw SystemError() }
    }
    // The signals that this program handles or ignores have their usual effects again.
    for number in [SIGINT, SIGTERM, SIGPIPE] { signal(number, SIG_DFL) }
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    unsafe execv(words[0], &arguments)
    throw SystemError()
  }

  /// Ends the program by SIGPIPE, without a message.
  package static func dieOfBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }

  /// The time in which a run ends after a signal, in milliseconds.
  private static let patience = 1500

  /// Calls `body` on SIGINT and SIGTERM, until the returned sources are released.
  ///
  /// `body` asks the run to end, and most runs end at once. The program ends in any case after
  /// ``patience``: a run may be inside of a long computation or of a system call, such as a write to
  /// a pipe that is not read. A second signal kills the program immediately. Both are safe, because
  /// killing the program is safe at any time.
  ///
  /// - Parameters:
  ///   - status: The exit status of a run that did not end in time.
  ///   - body: Asks the run to end.
  /// - Returns: The sources of the signals.
  package static func onInterrupt(
    status: Int32, _ body: @escaping @Sendable () -> Void
  ) -> [any DispatchSourceSignal] {
    let queue = DispatchQueue(label: "epact.signals")
    return [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        guard !isPaging.withLock({ $0 && number == SIGINT }) else { return }
        body()
        signal(number, SIG_DFL)
        queue.asyncAfter(deadline: .now() + .milliseconds(patience)) { endNow(status: status) }
      }
      source.resume()
      return source
    }
  }

  /// Whether a pager runs, which handles SIGINT.
  private static let isPaging = Mutex(false)

  /// Calls `body`, which runs a pager; a SIGINT in between does not end the program.
  package static func whilePaging<Result>(_ body: () -> Result) -> Result {
    isPaging.withLock { $0 = true }
    defer { isPaging.withLock { $0 = false } }
    return body()
  }

  /// Ends the program without waiting for other threads, which may hold the console.
  private static func endNow(status: Int32) -> Never {
    var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if unsafe poll(&errors, 1, 0) == 1 {
      let message = Array("error: interrupted\n".utf8)
      _ = unsafe write(STDERR_FILENO, message, message.count)
    }
    _exit(status)
  }

  /// The value of a field in a file of lines with a name, a colon and a value.
  private static func field(_ name: String, of path: String) -> String? {
    guard var file = try? InputStream(path: path), let bytes = try? file.readAll(limit: 1 << 20)
    else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard line.hasPrefix(name), let colon = line.firstIndex(of: ":") else { continue }
      return String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
    }
    return nil
  }
}
