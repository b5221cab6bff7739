// SPDX-License-Identifier: Apache-2.0

public import CalendarLanguage
import CalendarModel
public import CivilTime
import ICalSyntax

/// Another time for an event, which an attendee proposes (RFC 5546 §3.2.7).
public struct ProposedTime: Hashable, Sendable {
  /// The start.
  public let start: Moment
  /// The end, of which a date is the last day; nil for the duration of the invitation.
  public let end: Moment?

  /// Creates a proposal.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - end: The end; nil for the duration of the invitation. A date is the last day.
  public init(from start: Moment, to end: Moment? = nil) {
    self.start = start
    self.end = end
  }

  /// Parses a start, or a start and an end separated by white space or a slash.
  ///
  /// Dates and times may be separated by white space, too: `2026-11-01 09:00 2026-11-01 10:00`.
  ///
  /// - Throws: `BasicFormatError` if no division of the text consists of dates and times.
  public init(parsing text: String) throws(BasicFormatError) {
    let words = text.split { $0.isWhitespace || $0 == "/" }.map(String.init)
    // A start and an end are at most four words.
    if words.count <= 4 {
      for count in 1..<max(words.count, 1) {
        let parts = [words[..<count], words[count...]].map { $0.joined(separator: " ") }
        if let start = try? Moment(parsing: parts[0]), let end = try? Moment(parsing: parts[1]) {
          self.init(from: start, to: end)
          return
        }
      }
    }
    self.init(from: try Moment(parsing: words.joined(separator: " ")))
  }

  /// The times for the message.
  struct Times: Hashable {
    let start: EventTime
    /// The exclusive end.
    let end: EventTime
  }

  /// Determines the times: dates for dates, and times in UTC.
  ///
  /// - Parameters:
  ///   - occurrence: The occurrence of the invitation.
  ///   - viewer: The time zone of local times.
  /// - Returns: The times.
  /// - Throws: `EpactError` if the end is not after the start, or a date is mixed with a time.
  func times(
    insteadOf occurrence: Occurrence, viewer: ZoneRules
  ) throws(EpactError) -> Times {
    if case .date(let first) = start { return try days(from: first, occurrence) }
    let from = start.instant(in: viewer)
    let until: Instant?
    switch end {
    case .date?: throw Self.error("expected a time as the end, found a date")
    case let end?: until = end.instant(in: viewer)
    case nil where occurrence.isAllDay:
      throw Self.error("expected a start and an end, because the event lasts whole days")
    case nil:
      let interval = occurrence.interval
      until = from.adding(
        seconds: interval.upperBound.secondsSinceEpoch - interval.lowerBound.secondsSinceEpoch)
    }
    guard let until, let startTime = from.civil(), let endTime = until.civil() else {
      throw Self.error("expected a time in the years 1 to 9999")
    }
    guard until >= from, end == nil || until > from else {
      throw Self.error("expected the end after the start")
    }
    return Times(start: .utc(startTime), end: .utc(endTime))
  }

  private func days(from first: CivilDate, _ occurrence: Occurrence) throws(EpactError) -> Times {
    let next: CivilDate?
    switch end {
    case .date(let last)?:
      guard last >= first else { throw Self.error("expected the end after the start") }
      next = last.adding(days: 1)
    case nil where occurrence.isAllDay:
      let length = occurrence.end.time.date.dayNumber - occurrence.start.time.date.dayNumber
      next = first.adding(days: max(1, length))
    case nil: throw Self.error("expected a time, because the event does not last whole days")
    default: throw Self.error("expected a date as the end, found a time")
    }
    guard let next else { throw Self.error("expected a time in the years 1 to 9999") }
    return Times(start: .date(first), end: .date(next))
  }

  private static func error(_ message: String) -> EpactError {
    EpactError(.argument, "the proposed time: \(message)")
  }
}
