// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import CivilTime
import Glibc

// The defaults for the clock, random numbers and the network. All other code of the library
// receives them from its caller.

extension CalDAVRemote {
  /// Creates a remote that is reached over the network, without sending a request.
  ///
  /// ```swift
  /// let remote = try CalDAVRemote(
  ///   "https://dav.example.org/calendars/alice/", user: "alice", password: password)
  /// let calendar = try await remote.openCalendar()
  /// for entry in try await calendar.list() { print(entry.href) }
  /// ```
  ///
  /// - Parameters:
  ///   - url: The URL of the calendar, or any URL on its server from which discovery finds it.
  ///   - user: The user name.
  ///   - password: The password.
  ///   - calendar: The name of the calendar, if discovery finds several.
  /// - Throws: `RemoteError` if requests to the URL are forbidden, or libcurl is not installed.
  public init(
    _ url: String, user: String, password: String, calendar: String? = nil
  ) throws(RemoteError) {
    try self.init(
      url, credentials: Credentials(user: user, password: password), calendar: calendar)
  }

  /// Creates a remote that is reached over the network, without sending a request.
  ///
  /// - Parameters:
  ///   - url: The URL of the calendar, or any URL on its server from which discovery finds it.
  ///   - credentials: The credentials; nil for a server without authentication.
  ///   - calendar: The name of the calendar, if discovery finds several.
  /// - Throws: `RemoteError` if requests to the URL are forbidden, or libcurl is not installed.
  public init(
    _ url: String, credentials: Credentials?, calendar: String? = nil
  ) throws(RemoteError) {
    self.init(
      address: try RemoteURL(parsing: url), calendar: calendar, credentials: credentials,
      transport: try PatientTransport.overNetwork())
  }
}

extension WebcalRemote {
  /// Creates a feed that is reached over the network, without sending a request.
  ///
  /// ```swift
  /// let holidays = try WebcalRemote("webcals://example.org/holidays.ics")
  /// let calendar = try await holidays.openCalendar()
  /// ```
  ///
  /// - Parameters:
  ///   - url: The URL of the feed, with the scheme `https`, `http`, `webcals` or `webcal`.
  ///   - credentials: The credentials, or nil for a public feed.
  /// - Throws: `RemoteError` if requests to the URL are forbidden, or libcurl is not installed.
  public init(_ url: String, credentials: Credentials? = nil) throws(RemoteError) {
    self.init(
      address: try RemoteURL(parsingFeed: url), credentials: credentials,
      transport: try PatientTransport.overNetwork(), now: { LiveDependencies.now() })
  }
}

extension FolderRemote {
  /// Creates a remote from a folder, with the clock of the system.
  ///
  /// - Parameters:
  ///   - calendar: The folder, with one item per file.
  ///   - appender: The appender for the folder, which cannot read.
  public init(calendar: any LocalCalendar, appender: any LocalAppender) {
    self.init(calendar: calendar, appender: appender, now: { LiveDependencies.now() })
  }

  /// Creates a remote from a single file with all items, with the clock of the system.
  ///
  /// - Parameter file: The calendar of the file.
  public init(file: any LocalCalendar) {
    self.init(file: file, now: { LiveDependencies.now() })
  }
}

extension PatientTransport {
  /// Creates a transport over the network that waits and retries.
  ///
  /// Remotes on one server should share a transport, and with it the connections and the waiting
  /// time that the server demands.
  ///
  /// - Parameters:
  ///   - userAgent: The name of the program in requests, such as `epact/0.1`.
  ///   - identity: The trusted servers and the client certificate.
  /// - Returns: The transport.
  /// - Throws: `RemoteError` if libcurl is not installed, or memory or a thread is not available.
  public static func overNetwork(
    userAgent: String = "CalendarRemotes", identity: NetworkIdentity = NetworkIdentity()
  ) throws(RemoteError) -> PatientTransport {
    PatientTransport(
      try NetworkTransport(userAgent: userAgent, identity: identity), pace: .system())
  }
}

extension PatientTransport.Pace {
  /// Creates a pace with the clocks of the system and its random numbers.
  public static func system() -> PatientTransport.Pace {
    PatientTransport.Pace(
      now: { LiveDependencies.now() },
      stopwatch: {
        let now = LiveDependencies.time(of: CLOCK_MONOTONIC)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
      },
      sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0...1) })
  }
}

/// The only access of the library to the clock.
private enum LiveDependencies {
  static func now() -> Instant {
    Instant(secondsSinceEpoch: Int64(time(of: CLOCK_REALTIME).tv_sec))
  }

  static func time(of clock: clockid_t) -> timespec {
    var now = timespec()
    unsafe clock_gettime(clock, &now)
    return now
  }
}
