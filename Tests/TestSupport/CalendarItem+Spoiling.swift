// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Foundation

/// What servers make of items that they do not keep as they are.
extension CalendarItem {
  /// The item with each value cut before the first comma that no backslash precedes, as vobject reads it.
  var cut: CalendarItem {
    changingValues { name, value in
      guard !["CATEGORIES", "RESOURCES", "EXDATE", "RDATE", "RRULE", "FREEBUSY"].contains(name)
      else {
        return value
      }
      return Self.parts(of: value).first ?? value
    }
  }

  /// The item with a backslash before each comma and semicolon of a text, as the icalendar library writes
  /// it.
  var escaped: CalendarItem {
    changingValues { name, value in
      guard ["SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT"].contains(name) else { return value }
      return Self.parts(of: value).joined(separator: "\\,")
    }
  }

  /// The parts of a value between commas that no backslash precedes.
  private static func parts(of value: String) -> [String] {
    var parts = [""]
    var isEscaped = false
    for character in value {
      if character == ",", !isEscaped {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return parts
  }

  private func changingValues(_ change: (String, String) -> String) -> CalendarItem {
    let text = String(decoding: serialized(), as: UTF8.self).replacing("\r\n ", with: "")
    let lines = text.components(separatedBy: "\r\n").map { line -> String in
      guard let colon = line.firstIndex(of: ":") else { return line }
      let name = line[..<colon].prefix { $0 != ";" }
      return line[...colon] + change(String(name), String(line[line.index(after: colon)...]))
    }
    return TestItem.parse(lines.joined(separator: "\r\n"))
  }
}
