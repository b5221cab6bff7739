// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Calls to the kernel and the C library.
///
/// This is the only file with unsafe code. Each pointer refers to an array or a local value, is
/// valid for the duration of the call, and is passed with the length of its target.
enum System {
  /// User and system time, in seconds.
  struct ProcessorTime {
    var user: Double
    var system: Double
    var total: Double { user + system }

    fileprivate init(user: Double, system: Double) {
      self.user = user
      self.system = system
    }

    fileprivate init(_ usage: rusage) {
      user = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) * 1e-6
      system = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) * 1e-6
    }
  }

  /// The result of a process.
  struct Exit {
    let output: String
    let succeeded: Bool
    let time: ProcessorTime
  }

  /// The clock of a measurement.
  enum Clock {
    /// The user and system time of all cores.
    case processor
    /// The elapsed time, for work on several cores; it is reported as user time.
    case wall

    func now() -> ProcessorTime {
      switch self {
      case .processor: System.processorTime()
      case .wall: System.wallTime()
      }
    }
  }

  private static func wallTime() -> ProcessorTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return ProcessorTime(user: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9, system: 0)
  }

  /// The processor time of this process so far.
  static func processorTime() -> ProcessorTime {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return ProcessorTime(usage)
  }

  /// The peak memory of this process in bytes, as the kernel reports it (`VmHWM`).
  ///
  /// `ru_maxrss` is not used, because Linux includes the memory of the parent at process start.
  static func peakMemory() -> Int {
    let name = "VmHWM:"
    guard let bytes = try? contents(ofSystemFile: "/proc/self/status"),
      let line = bytes.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let number = line.dropFirst(name.count).split(whereSeparator: { !$0.isNumber }).first,
      let kilobytes = Int(number)
    else { return 0 }
    return kilobytes * 1024
  }

  /// All bytes of a file.
  static func contents(of path: String) throws -> [UInt8] {
    try InputFile(path).contents()
  }

  /// The text of a file without a size, such as those under `/proc`.
  static func contents(ofSystemFile path: String) throws -> String {
    let file = try InputFile(path)
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    var bytes: [UInt8] = []
    while case let count = try file.read(into: &buffer), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Creates a folder and its parents.
  static func makeFolder(_ path: String) throws {
    var folder = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      folder += "\(part)/"
      guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST else {
        throw Failure("\(folder): cannot be made")
      }
    }
  }

  /// Runs a program from `PATH` and waits for it; its standard error is inherited.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - keepsMemory: Whether its C library never returns freed memory to the kernel.
  /// - Returns: The result of the process.
  /// - Throws: `Failure` if the program cannot be started.
  static func run(_ words: [String], keepsMemory: Bool = false) throws -> Exit {
    let size = 1 << 30
    let tunables = "glibc.malloc.trim_threshold=\(size):glibc.malloc.mmap_threshold=\(size)"
    if keepsMemory { unsafe setenv("GLIBC_TUNABLES", tunables, 1) }
    defer { unsafe unsetenv("GLIBC_TUNABLES") }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var arguments = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, words[0], &actions, nil, arguments, environ)
    close(ends[1])
    let output = InputFile(descriptor: ends[0])
    guard code == 0 else { throw Failure("\(words[0]): cannot be started") }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    var bytes: [UInt8] = []
    while case let count = try output.read(into: &buffer), count > 0 { bytes += buffer[..<count] }
    var status: Int32 = 0
    var usage = rusage()
    guard unsafe wait4(process, &status, 0, &usage) == process else {
      throw Failure("\(words[0]): was lost")
    }
    return Exit(
      output: String(decoding: bytes, as: UTF8.self), succeeded: status == 0,
      time: ProcessorTime(usage))
  }

  /// The target of a symbolic link.
  static func path(ofLink path: String) throws -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { throw Failure("\(path): cannot be followed") }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Counts a byte with the C library's `memchr`, which reads at least 16 bytes at a time.
  static func count(_ byte: UInt8, in bytes: [UInt8]) -> Int {
    unsafe bytes.withUnsafeBytes { buffer in
      guard var next = buffer.baseAddress else { return 0 }
      let end = unsafe next + buffer.count
      var count = 0
      while let found = unsafe memchr(next, Int32(byte), end - next) {
        count += 1
        unsafe next = unsafe UnsafeRawPointer(found) + 1
      }
      return count
    }
  }

  /// Copies bytes with the C library's `memcpy` into an array of equal length.
  static func copy(_ bytes: [UInt8], to other: inout [UInt8]) {
    precondition(other.count == bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      unsafe other.withUnsafeMutableBytes { unsafe $0.copyMemory(from: source) }
    }
  }

  /// Writes a line to standard output or another descriptor, unbuffered.
  static func show(_ text: String, on descriptor: Int32 = STDOUT_FILENO) {
    let line = Array("\(text)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Ends the program.
  static func exit(_ status: Int32) -> Never {
    Glibc.exit(status)
  }

  /// The current time, such as `2026-11-21T12:00:00Z`.
  static func date() -> String {
    var now = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The name of the processor and the number of available cores, for the report.
  static func processor() -> String {
    let line = (try? contents(ofSystemFile: "/proc/cpuinfo"))?.split(separator: "\n")
      .first { $0.hasPrefix("model name") }
    let name = line?.split(separator: ":").last.map(String.init) ?? " unknown processor"
    return "\(name.dropFirst()), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores"
  }
}

/// A file that is read sequentially.
struct InputFile: ~Copyable {
  fileprivate let descriptor: Int32

  fileprivate init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Opens a file.
  init(_ path: String) throws {
    guard let file = InputFile(ifPresent: path) else { throw Failure("\(path): cannot be opened") }
    self = file
  }

  /// Opens a file, or returns nil if it cannot be opened.
  init?(ifPresent path: String) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads the whole file into uninitialized memory.
  func contents() throws -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Failure("a file has no size") }
    let size = Int(status.st_size)
    return unsafe try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let rest = unsafe UnsafeMutableRawBufferPointer(buffer)[count...]
        let got = unsafe Glibc.read(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard got > 0 else { throw Failure("a file cannot be read to its end") }
        count += got
      }
    }
  }

  /// Reads available bytes up to the size of the buffer, and returns their number.
  func read(into buffer: inout [UInt8]) throws -> Int {
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { throw Failure("a file cannot be read") }
    return count
  }
}

/// A file that is created or overwritten.
struct OutputFile: ~Copyable {
  private let descriptor: Int32

  /// Creates or truncates a file.
  init(_ path: String) throws {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure("\(path): cannot be written") }
  }

  deinit {
    close(descriptor)
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw Failure("a file cannot be written; is the disk full?") }
      done += count
    }
  }
}
