// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CivilTime
import Recurrence

/// What the program gets from the machine it runs on, handed in so that nothing below reaches for it.
struct Dependencies: Sendable {
  /// What the program was called with, without its own name.
  var arguments: [String]
  /// The environment.
  var environment: [String: String]
  /// The home folder of the person.
  var homeFolder: String
  /// The folder the program was started in.
  var currentFolder: String
  /// The name of the person's account, which is looked up when it is asked for.
  var userName: @Sendable () -> String
  /// The number of the person's account.
  var userID: UInt32
  /// Where an administrator may have decided how far remotes may be used.
  var policyPaths: [String]
  /// The program's own file.
  var executablePath: String
  /// The name of the processor, which is looked up when it is asked for.
  var processor: @Sendable () -> String
  /// How many cores it has.
  var coreCount: Int
  /// The most memory that the program has used so far, in bytes, or nil if the system does not tell.
  var peakMemory: @Sendable () -> Int?
  /// The time zones of the system.
  var zones: ZoneDatabase
  /// The calendars beside the Gregorian one, for rules with RSCALE (RFC 7529).
  var calendars: [any CalendarSystem]
  /// The name of the zone that the machine, or the person at it, is in; nil if nothing tells.
  var localZone: String?
  /// Makes what sends requests, given whom to trust and how many connections to a server to open.
  var makeTransport: @Sendable (NetworkIdentity, _ connections: Int) throws -> any HTTPTransport
  /// The clock and the chance by which requests are sent once more.
  var pace: PatientTransport.Pace
  /// The time on the clock on the wall, as a person reads it: `02:30`.
  var timeOfDay: @Sendable () -> String
  /// Makes a folder the one that relative paths start from, for programs that are run.
  var enterFolder: @Sendable (String) throws(SystemError) -> Void
  /// The clock on the wall.
  var now: @Sendable () -> Instant
  /// Seconds since some fixed moment, which never go back.
  var stopwatch: @Sendable () -> Double
}
