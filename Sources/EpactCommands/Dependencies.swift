// SPDX-License-Identifier: Apache-2.0

import Epact
import CalendarRemotes
import CivilTime
import Recurrence

/// The dependencies on the machine, passed in so that no other code accesses it directly.
struct Dependencies: Sendable {
  /// The arguments, without the program name.
  var arguments: [String]
  var environment: [String: String]
  /// The user's home folder.
  var homeFolder: String
  /// The current folder at the start.
  var currentFolder: String
  /// Looks up the name of the user's account.
  var userName: @Sendable () -> String
  /// The user's numeric ID.
  var userID: UInt32
  /// The paths of administrators' access policies.
  var policyPaths: [String]
  /// The path of the executable.
  var executablePath: String
  /// Looks up the name of the processor.
  var processor: @Sendable () -> String
  /// The number of processor cores.
  var coreCount: Int
  /// Looks up the peak memory usage so far, in bytes; nil if unknown.
  var peakMemory: @Sendable () -> Int?
  /// The time zones of the system.
  var zones: ZoneDatabase
  /// The calendar systems other than Gregorian, for rules with RSCALE (RFC 7529).
  var calendars: [any CalendarSystem]
  /// The name of the user's or the machine's time zone; nil if unknown.
  var localZone: String?
  /// Creates a transport with an identity and a maximum number of connections to a server.
  var makeTransport: @Sendable (NetworkIdentity, _ connections: Int) throws -> any HTTPTransport
  /// The clock and the randomness of request retries.
  var pace: PatientTransport.Pace
  /// The current local time of day, such as `02:30`.
  var timeOfDay: @Sendable () -> String
  /// Changes the current folder, for programs that are run.
  var enterFolder: @Sendable (String) throws(SystemError) -> Void
  /// The current time.
  var now: @Sendable () -> Instant
  /// Monotonic seconds since an arbitrary instant.
  var stopwatch: @Sendable () -> Double
}
