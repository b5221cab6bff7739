// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import CivilTime
public import Epact
import EpactConsole

/// The calendars, and the options for the range and the time zone, in commands that show them.
struct ViewArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Names of the configuration, files, folders, or - for standard input.",
      valueName: "calendar"), completion: .calendars)
  var calendars: [String] = []

  @Option(
    help: ArgumentHelp("Start at this date or time. The default is today.", valueName: "date"))
  var from: Moment?

  @Option(help: ArgumentHelp("End before this date or time.", valueName: "date"))
  var to: Moment?

  @Option(
    help: ArgumentHelp("Show this many days, instead of --to. The default is 7.", valueName: "N"))
  var days: Int?

  @OptionGroup var zone: ZoneOption

  @OptionGroup var calendarZone: CalendarZoneOption

  /// The maximum number of days.
  private static let dayLimit = 36_525

  func validate() throws {
    if days != nil, to != nil { throw ValidationError("--days and --to exclude each other") }
    if let days, !(1...Self.dayLimit ~= days) {
      throw ValidationError("--days is a number from 1 through \(Self.dayLimit)")
    }
  }

  /// The request for calendars in the range.
  ///
  /// - Parameters:
  ///   - context: The environment of the command.
  ///   - start: The default start; nil for the current day.
  /// - Returns: The request.
  /// - Throws: `Failure` if the range ends before it starts, or is too long.
  func request(in context: Context, from start: Instant? = nil) throws -> ViewRequest {
    let viewer = try context.viewerZone(zone.name)
    let range = try range(in: viewer, now: context.machine.now(), from: start)
    var request = ViewRequest(try context.inputs(calendars), in: range, viewer: viewer)
    request.options = calendarZone.options(in: context)
    return request
  }

  private func range(
    in zone: ZoneRules, now: Instant, from defaultStart: Instant?
  ) throws -> Range<Instant> {
    let today = zone.civil(at: now)?.date ?? .first
    let start = (from ?? defaultStart.map { .instant($0) } ?? .date(today)).instant(in: zone)
    let end: Instant
    if let to {
      end = to.instant(in: zone)
    } else {
      let first = zone.civil(at: start) ?? CivilDateTime(today, .midnight)
      let last = first.adding(days: days ?? 7) ?? CivilDateTime(.last, first.time)
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

/// The option `--zone`.
struct ZoneOption: ParsableArguments {
  @Option(
    name: .customLong("zone"),
    help: ArgumentHelp(
      "Use this time zone for days and floating times, instead of that of the machine.",
      valueName: "zone"), completion: .zoneNames)
  var name: String?
}

extension Moment: ExpressibleByArgument {
  /// Parses the argument; nil if it is no date and no time.
  public init?(argument: String) {
    guard let moment = try? Moment(parsing: argument) else { return nil }
    self = moment
  }
}

extension Moment {
  /// Parses the value of an option.
  ///
  /// - Throws: `Failure` if the value is invalid.
  init(_ text: String, option: String) throws(Failure) {
    do throws(BasicFormatError) {
      try self.init(parsing: text)
    } catch {
      throw Failure(
        .usage, "\(option): \(error)",
        hint: "Dates and times are written as 19970902, 19970902T090000 or 1997-09-02T09:00:00.")
    }
  }
}
