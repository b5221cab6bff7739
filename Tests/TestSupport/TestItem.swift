// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Items for tests, each read from the text that a file would hold.
public enum TestItem {
  /// An item of one component.
  ///
  /// - Parameters:
  ///   - uid: Its UID, which needs no escaping.
  ///   - summary: Its summary, which needs no escaping.
  ///   - location: Its location, if it has one.
  ///   - sequence: Its revision (RFC 5545 §3.8.7.4).
  ///   - kind: An event, a reminder or a journal entry.
  /// - Returns: The item.
  public static func make(
    uid: String, summary: String = "Lunch", location: String? = nil, sequence: Int = 0,
    kind: ItemKind = .event
  ) -> CalendarItem {
    let text = text(uid: uid, summary: summary, sequence: sequence, kind: kind)
    let line = location.map { "LOCATION:\($0)\r\n" } ?? ""
    return parse(text.replacing("SEQUENCE:", with: line + "SEQUENCE:"))
  }

  /// The text of an item of one component.
  public static func text(
    uid: String, summary: String = "Lunch", sequence: Int = 0, kind: ItemKind = .event
  ) -> String {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:\(kind.rawValue)",
      "UID:\(uid)", "DTSTAMP:20260102T030405Z", "DTSTART:20260301T120000Z", "SUMMARY:\(summary)",
      "SEQUENCE:\(sequence)", "END:\(kind.rawValue)", "END:VCALENDAR",
    ]
    return lines.map { $0 + "\r\n" }.joined()
  }

  /// Reads an item from a text that must hold one.
  public static func parse(_ text: String) -> CalendarItem {
    do {
      return try CalendarItem(parsing: Array(text.utf8))
    } catch {
      preconditionFailure("a test wrote a calendar that is none: \(error)\n\(text)")
    }
  }
}
