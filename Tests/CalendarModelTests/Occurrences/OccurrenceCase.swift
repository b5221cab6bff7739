// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// A calendar, a range of time, and what takes place in it.
struct OccurrenceCase: CustomTestStringConvertible {
  /// What the case shows.
  let name: String
  /// Components without their BEGIN and END lines; the first line is the name of the component.
  let components: [[String]]
  var from = "20260101T000000Z"
  var to = "20270101T000000Z"
  var viewer = "Europe/Berlin"
  var change: @Sendable (inout OccurrenceOptions) -> Void = { _ in }
  /// `start/end` of each occurrence, with ` = ` and its recurrence identifier if it has one, and ` ` and
  /// its summary if it has one.
  let expected: [String]

  var testDescription: String { name }

  static let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
  static let resolver = ZoneResolver(database: database)

  /// The bytes of the calendar.
  func bytes(reversed isReversed: Bool = false) -> [UInt8] {
    let parts = components.map { lines in
      let name = lines.first ?? ""
      return ["BEGIN:\(name)"] + lines.dropFirst() + ["END:\(name)"]
    }
    return calendar(Array((isReversed ? parts.reversed() : parts).joined()))
  }

  /// A query in the range of the case, to which its calendar was added.
  func query(reversed: Bool = false) throws -> OccurrenceQuery {
    func instant(_ text: String) throws -> Instant {
      Instant(utc: try CivilDateTime(parsing: String(text.dropLast())))
    }
    var options = OccurrenceOptions()
    change(&options)
    var query = OccurrenceQuery(
      in: try instant(from)..<instant(to),
      viewer: try Self.database.rules(named: viewer), zones: Self.resolver, options: options)
    var reading = OccurrenceReading()
    for calendar in try CalendarStream(parsing: bytes(reversed: reversed)).calendars {
      for component in calendar.components { reading.take(component) }
    }
    reading.finish(into: &query, source: 0)
    return query
  }

  static func text(_ occurrence: Occurrence) -> String {
    var text = "\(occurrence.start.rfc3339)/\(occurrence.end.rfc3339)"
    if let id = occurrence.recurrenceID { text += " = \(id.rfc3339)" }
    if let summary = occurrence.component[.summary]?.text { text += " \(summary)" }
    return text
  }
}
