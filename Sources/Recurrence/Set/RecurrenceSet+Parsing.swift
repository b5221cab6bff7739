// SPDX-License-Identifier: Apache-2.0

public import CivilTime

extension RecurrenceSet {
  /// Reads a set from content lines: one DTSTART, and any of RRULE, RDATE, EXDATE and EXRULE.
  ///
  /// ```swift
  /// import Recurrence
  ///
  /// let lines = "DTSTART;TZID=Europe/Berlin:20261130T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"
  /// for instance in try RecurrenceSet(parsing: lines).instances() { print(instance.local) }
  /// // 20261130T090000
  /// // 20261207T090000
  /// // 20261214T090000
  /// ```
  ///
  /// Lines end with CRLF or LF. Periods in RDATE are not accepted.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - zones: The time zones that TZID names.
  ///   - options: The choices where the RFC is ambiguous.
  /// - Throws: `RecurrenceTextError` for a line that is none of these, or has an invalid value.
  public init(
    parsing text: String, zones: ZoneDatabase = .system,
    options: RecurrenceOptions = RecurrenceOptions()
  ) throws(RecurrenceTextError) {
    var lines: [RecurrenceLine] = []
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      lines.append(try RecurrenceLine(line, number: index + 1, zones))
    }
    let starts = lines.filter { $0.name == "DTSTART" }
    guard let start = starts.first, starts.count == 1 else {
      throw RecurrenceTextError(
        line: 1, "expected one DTSTART line, found \(starts.isEmpty ? "none" : "several")")
    }
    self = try start.makeStart(options)
    for line in lines {
      switch line.name {
      case "DTSTART": break
      case "RRULE": rules.append(try line.makeRule())
      case "EXRULE": exclusionRules.append(try line.makeRule())
      case "RDATE": dates += try line.makeMoments(for: clock)
      case "EXDATE": excludedDates += try line.makeMoments(for: clock)
      default:
        throw line.error("expected DTSTART, RRULE, RDATE, EXDATE or EXRULE, found \(line.name)")
      }
    }
  }
}

/// The error of a text that is no recurrence set.
public struct RecurrenceTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1, without empty lines.
  public let line: Int
  /// The message, such as `expected X, found Y`.
  public let message: String

  init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  /// The line and the message.
  public var description: String { "line \(line): \(message)" }
}

/// A content line of a recurrence set.
private struct RecurrenceLine {
  let name: String
  private let value: Substring
  private let zone: ZoneRules?
  private let number: Int

  init(_ line: Substring, number: Int, _ zones: ZoneDatabase) throws(RecurrenceTextError) {
    guard let colon = line.firstIndex(of: ":") else {
      throw RecurrenceTextError(
        line: number, "expected a colon after the name, found \"\(line.prefix(40))\"")
    }
    self.number = number
    value = line[line.index(after: colon)...]
    let parts = line[..<colon].split(separator: ";", omittingEmptySubsequences: false)
    name = parts[0].uppercased()
    let tzID = parts.dropFirst().first { $0.uppercased().hasPrefix("TZID=") }
    guard let tzID else {
      zone = nil
      return
    }
    do throws(ZoneError) {
      zone = try zones.rules(named: tzID.dropFirst(5).filter { $0 != "\"" })
    } catch {
      throw RecurrenceTextError(line: number, "\(error)")
    }
  }

  func error(_ message: String) -> RecurrenceTextError {
    RecurrenceTextError(line: number, message)
  }

  func makeRule() throws(RecurrenceTextError) -> RecurrenceRule {
    do throws(RecurrenceRuleIssue) {
      return try RecurrenceRule(parsing: String(value))
    } catch {
      throw self.error("\(error)")
    }
  }

  func makeStart(_ options: RecurrenceOptions) throws(RecurrenceTextError) -> RecurrenceSet {
    do throws(BasicFormatError) {
      if value.utf8.count == 8 {
        return RecurrenceSet(date: try CivilDate(parsing: String(value)), options: options)
      }
      if value.hasSuffix("Z") || value.hasSuffix("z") {
        let start = try CivilDateTime(parsing: String(value.dropLast()))
        return RecurrenceSet(start: start, clock: .utc, options: options)
      }
      return RecurrenceSet(
        start: try CivilDateTime(parsing: String(value)),
        clock: zone.map(RecurrenceClock.zone) ?? .floating, options: options)
    } catch {
      throw self.error("\(error)")
    }
  }

  /// The moments of a list; a time in another zone than that of the start is an instant.
  func makeMoments(
    for clock: RecurrenceClock
  ) throws(RecurrenceTextError) -> [RecurrenceMoment] {
    var moments: [RecurrenceMoment] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      do throws(BasicFormatError) {
        moments.append(try moment(String(part), clock))
      } catch {
        throw self.error("\(error)")
      }
    }
    return moments
  }

  private func moment(
    _ text: String, _ clock: RecurrenceClock
  ) throws(BasicFormatError) -> RecurrenceMoment {
    if text.utf8.count == 8 { return .date(try CivilDate(parsing: text)) }
    if text.hasSuffix("Z") || text.hasSuffix("z") {
      return .instant(Instant(utc: try CivilDateTime(parsing: String(text.dropLast()))))
    }
    let time = try CivilDateTime(parsing: text)
    guard let zone, clock != .zone(zone) else { return .local(time) }
    return .instant(zone.instant(of: time))
  }
}
