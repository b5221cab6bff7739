// SPDX-License-Identifier: Apache-2.0

import Epact
import CMemory
import CalendarRemotes
import CivilTime
import Dispatch
import Glibc
import ICUServices

/// The only access to the real clock, environment, folders, account and signals.
enum LiveDependencies {
  /// Creates the dependencies for this machine and user.
  static func make() -> Dependencies {
    let environment = environment()
    return Dependencies(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: environment,
      homeFolder: environment["HOME"] ?? account().home,
      currentFolder: currentFolder(), userName: { account().name }, userID: getuid(),
      policyPaths: ["/etc/epact/policy.toml"],
      executablePath: target(ofLink: "/proc/self/exe") ?? "epact",
      processor: { field("model name", of: "/proc/cpuinfo") ?? "unknown processor" },
      coreCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      peakMemory: {
        field("VmHWM", of: "/proc/self/status")
          .flatMap { Int($0.prefix { $0 != " " }) }.map { $0 * 1024 }
      },
      zones: ZoneDatabase(
        folders: [environment["TZDIR"] ?? ""] + ZoneDatabase.systemFolders, fallback: ICUZones()),
      calendars: NonGregorianCalendar.all(),
      localZone: localZone(environment),
      makeTransport: { identity, connections in
        try NetworkTransport(
          userAgent: "epact/\(Version.program)", identity: identity, connections: connections)
      },
      pace: PatientTransport.Pace(
        now: now,
        stopwatch: {
          let now = time(of: CLOCK_MONOTONIC)
          return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
        },
        sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0...1) }),
      timeOfDay: timeOfDay,
      enterFolder: { (path) throws(SystemError) in
        guard unsafe chdir(path) == 0 else { throw SystemError() }
      },
      now: now,
      stopwatch: {
        let now = time(of: CLOCK_MONOTONIC)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
      })
  }

  /// Makes all threads share one heap.
  ///
  /// A task continues on another thread after each suspension, and separate heaps would all grow to
  /// the size of the largest batch.
  static func shareHeap() {
    cmemory_share_heap()
  }

  /// Makes a broken pipe an ordinary failure of `write(2)`, without a signal.
  ///
  /// A sync must end cleanly even if its output is no longer read.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// The requested maximum number of open files.
  private static let openFiles: rlim_t = 4096

  /// Raises the limit of open files from the usual 1,024, as far as the system allows.
  ///
  /// Downloads are written in batches, and several syncs run concurrently.
  static func allowManyFiles() {
    let numberOfFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(numberOfFiles, &limit) == 0 else { return }
    let wanted = min(openFiles, limit.rlim_max)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    _ = unsafe setrlimit(numberOfFiles, &limit)
  }

  /// Waits until another thread ends the program, and keeps the signal sources alive.
  static func waitForTheEnd(keeping signals: [any DispatchSourceSignal]) -> Never {
    while true {
      pause()
      extendLifetime(signals)
    }
  }

  /// Ends the program by SIGPIPE, without a message.
  static func dieOfBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }

  /// Calls `body` on SIGINT and SIGTERM, until the returned sources are released.
  ///
  /// A second signal kills the program; this is safe, because killing it is safe at any time.
  static func onInterrupt(_ body: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
    let queue = DispatchQueue(label: "epact.signals")
    return [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        body()
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
  }

  private static func now() -> Instant {
    Instant(secondsSinceEpoch: Int64(time(of: CLOCK_REALTIME).tv_sec))
  }

  private static func timeOfDay() -> String {
    var now = Glibc.time(nil)
    var parts = unsafe tm()
    guard unsafe localtime_r(&now, &parts) != nil else { return "?" }
    let digits = unsafe [parts.tm_hour, parts.tm_min].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return digits.joined(separator: ":")
  }

  /// The name of the local time zone: `$TZ`, or the target of `/etc/localtime`.
  private static func localZone(_ environment: [String: String]) -> String? {
    let name = (environment["TZ"] ?? "").drop { $0 == ":" }
    let path = name.isEmpty ? target(ofLink: "/etc/localtime") ?? "" : String(name)
    let folder = "zoneinfo/"
    guard path.hasPrefix("/") || path.hasPrefix("."), let match = path.firstRange(of: folder) else {
      return path.isEmpty ? nil : path
    }
    return String(path[match.upperBound...])
  }

  private static func environment() -> [String: String] {
    var result: [String: String] = [:]
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      unsafe next += 1
    }
    return result
  }

  private static func account() -> (name: String, home: String) {
    guard let entry = unsafe getpwuid(getuid()) else { return ("uid \(getuid())", "/") }
    return unsafe (String(cString: entry.pointee.pw_name), String(cString: entry.pointee.pw_dir))
  }

  private static func currentFolder() -> String {
    guard let path = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  private static func target(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe readlink(path, base, buffer.count)
    }
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
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

  private static func time(of clock: clockid_t) -> timespec {
    var now = timespec()
    unsafe clock_gettime(clock, &now)
    return now
  }
}
