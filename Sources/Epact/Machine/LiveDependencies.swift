// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CivilTime
import Glibc
import ICUServices
import Synchronization

extension Machine {
  /// The machine, the environment and the user of this process.
  ///
  /// The environment, the folders and the local time zone are read once; later changes are not
  /// seen.
  public static func live() -> Machine { LiveDependencies.machine() }
}

/// The only access to the real clock, environment, folders and account.
private enum LiveDependencies {
  static func machine() -> Machine {
    let environment = environment()
    return Machine(
      environment: environment, homeFolder: environment["HOME"] ?? account().home,
      executablePath: executablePath(), currentFolder: currentFolder(),
      userName: { account().name }, userID: getuid(),
      policyPaths: ["/etc/epact/policy.toml"],
      zones: ZoneDatabase(
        folders: [environment["TZDIR"] ?? ""] + ZoneDatabase.systemFolders, fallback: ICUZones()),
      calendars: NonGregorianCalendar.shared,
      localZone: localZone(environment),
      makeTransport: { identity, connections in
        try NetworkTransport(
          userAgent: "epact/\(Version.program)", identity: identity, connections: connections)
      },
      pace: .system(),
      timeOfDay: timeOfDay,
      now: now, makeUID: { UID.random() }, makeSecret: secret,
      stopwatch: { seconds(of: CLOCK_MONOTONIC) },
      uptime: { seconds(of: CLOCK_BOOTTIME) },
      watch: { body in try? MachineWatch(body) },
      networkAddresses: { MachineWatch.networkAddresses() },
      note: note, atExit: atExit, folderWatcher: folderWatcher)
  }

  private static func secret() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// The watcher of all machines, because the system limits the number of its queues.
  private static let folderWatcher = FolderWatcher()

  /// The closures to call when the process exits.
  private static let exitActions = Mutex<[@Sendable () -> Void]>([])

  private static func atExit(_ body: @escaping @Sendable () -> Void) {
    let isFirst = exitActions.withLock { actions in
      actions.append(body)
      return actions.count == 1
    }
    guard isFirst else { return }
    Glibc.atexit {
      for action in LiveDependencies.exitActions.withLock({ $0 }) { action() }
    }
  }

  /// Writes a message to standard error, in one call so that lines of threads stay whole.
  private static func note(_ message: String) {
    let line = Array("epact: \(SafeText.escaped(message))\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// The path of the program; that of a replaced one without the kernel's remark.
  private static func executablePath() -> String {
    let (path, remark) = (SymbolicLink.target(of: "/proc/self/exe") ?? "/", " (deleted)")
    return path.hasSuffix(remark) ? String(path.dropLast(remark.count)) : path
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
    let path = name.isEmpty ? SymbolicLink.target(of: "/etc/localtime") ?? "" : String(name)
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

  private static func seconds(of clock: clockid_t) -> Double {
    let now = time(of: clock)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  private static func time(of clock: clockid_t) -> timespec {
    var now = timespec()
    unsafe clock_gettime(clock, &now)
    return now
  }
}
