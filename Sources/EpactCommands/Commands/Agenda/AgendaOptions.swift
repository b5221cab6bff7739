// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CivilTime
import Epact

/// The options for the range and the time zone, in commands that show calendars.
struct AgendaOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The first day, or the start; today if it is not given.", valueName: "date"))
  var from: MomentArgument?

  @Option(
    help: ArgumentHelp("The end, which is not part of it.", valueName: "date"))
  var to: MomentArgument?

  @Option(
    help: ArgumentHelp("How many days, instead of --to; 7 if neither is given.", valueName: "N"))
  var days: Int?

  @Option(
    help: ArgumentHelp("The time zone, instead of that of the machine.", valueName: "zone"),
    completion: .zoneNames)
  var zone: String?

  @OptionGroup var calendarZone: CalendarZoneOption

  /// The maximum number of days.
  private static let dayLimit = 36_525

  func validate() throws {
    if days != nil, to != nil { throw ValidationError("--days and --to exclude each other") }
    if let days, !(1...Self.dayLimit ~= days) {
      throw ValidationError("--days is a number from 1 through \(Self.dayLimit)")
    }
  }

  /// The range of time.
  ///
  /// - Throws: `Failure` if the range ends before it starts, or is too long.
  func range(in zone: ZoneRules, now: Instant, days defaultDays: Int = 7) throws -> Range<Instant> {
    let today = zone.civil(at: now)?.date ?? .first
    let from = from ?? .date(today)
    let start = from.instant(in: zone)
    let end: Instant
    if let to {
      end = to.instant(in: zone)
    } else {
      let first = zone.civil(at: start) ?? CivilDateTime(today, .midnight)
      let last = first.adding(days: days ?? defaultDays) ?? CivilDateTime(.last, first.time)
      end = zone.instant(of: last)
    }
    guard start <= end else { throw Failure(.usage, "expected --from before --to, found it after") }
    let length = end.secondsSinceEpoch - start.secondsSinceEpoch
    guard length <= Int64(Self.dayLimit) * 86_400 else {
      throw Failure(.usage, "expected at most \(Self.dayLimit) days, found more")
    }
    return start..<end
  }
}
