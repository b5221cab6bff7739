// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("The canonical order of many components against the plain way to make it")
struct ManyComponentsTests {
  private static let names = [
    "VEVENT", "VEVENT", "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE", "VLOCATION",
  ]
  /// Beginnings of names and UIDs that are the same for more than eight bytes, and end where lines do.
  private static let beginnings = [
    "", "a", "b", "common-beginning-", "common-beginning-of-uids-",
    String(repeating: "x", count: 70), String(repeating: "x", count: 71),
    String(repeating: "x", count: 72), String(repeating: "ü", count: 36),
  ]
  private static let endings = ["", "", "a", "b", "ä", "\t", "\u{1}", "\\,", "\\n", "@x.org"]
  /// Lines that are written in another way than they are read, or that have nothing to sort by.
  private static let oddLines = [
    "uid:a", "UID;X-A=1:a", "UID:a,b", "UID:a\\Nb", "X-A:1", "nonsense", "RELATED-TO:a",
  ]

  private static func line(_ random: inout SeededGenerator, isOdd: Bool) -> String {
    if isOdd, Int.random(in: 0..<30, using: &random) == 0 {
      return oddLines.randomElement(using: &random) ?? ""
    }
    let parts = [beginnings, endings, endings].compactMap { $0.randomElement(using: &random) }
    return "UID:" + parts.joined()
  }

  private static func component(
    _ random: inout SeededGenerator, isOdd: Bool, isOther: Bool
  ) -> String {
    var name = names.randomElement(using: &random) ?? ""
    if isOther, Int.random(in: 0..<30, using: &random) == 0 {
      name = ["X-COMPONENT", "VEVENTS", "vevent"].randomElement(using: &random) ?? name
    }
    var lines = ["SUMMARY:\(Int.random(in: 0...3, using: &random))"]
    if Int.random(in: 0..<8, using: &random) > 0 { lines.append(line(&random, isOdd: isOdd)) }
    if isOdd, Int.random(in: 0..<30, using: &random) == 0 {
      lines.append(line(&random, isOdd: isOdd))
    }
    // Before and after the UID, in the canonical order.
    if Bool.random(using: &random) {
      lines.append("URL:x:\(Int.random(in: 0...3, using: &random))")
    }
    lines.shuffle(using: &random)
    return (["BEGIN:\(name)"] + lines + ["END:\(name)"]).map(Self.folded).joined()
  }

  /// A line that is folded where it must be, after 75 octets.
  private static func folded(_ line: String) -> String {
    var text = ""
    var count = 0
    for scalar in line.unicodeScalars {
      let size = String(scalar).utf8.count
      if count + size > 75 {
        text += "\r\n "
        count = 1
      }
      text.unicodeScalars.append(scalar)
      count += size
    }
    return text + "\r\n"
  }

  @Test("Read, changed, and with other line ends")
  func generated() {
    forAll(133) { random in
      let (isOdd, isOther) = (
        Int.random(in: 0..<4, using: &random) == 0, Int.random(in: 0..<4, using: &random) == 0
      )
      let count = Int.random(in: 0...40, using: &random)
      let components = (0..<count).map { _ in
        Self.component(&random, isOdd: isOdd, isOther: isOther)
      }
      let text = "BEGIN:VCALENDAR\r\n" + components.joined() + "END:VCALENDAR\r\n"
      let bytes = Array(text.utf8)
      for bytes in [bytes, bytes.filter { $0 != 0x0D }, Array(bytes.dropLast(17))] {
        for calendar in try CalendarStream(parsing: bytes).calendars {
          try CanonicalOracle.check(calendar)
          var changed = calendar
          changed.components.append(Component(.event))
          try CanonicalOracle.check(changed)
        }
      }
    }
  }
}
