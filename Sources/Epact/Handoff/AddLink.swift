// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The URL of a web calendar that opens its editor with an event filled in.
///
/// The user decides whether the event is saved; the program receives no result.
package struct AddLink: Sendable {
  /// A web calendar.
  package enum Service: String, CaseIterable, Sendable {
    case google
    case outlook
    case office365

    /// The display name.
    package var title: String {
      switch self {
      case .google: "Google Calendar"
      case .outlook: "Outlook.com"
      case .office365: "Microsoft 365"
      }
    }
  }

  /// The maximum length of a URL, in bytes; mail programs and servers truncate longer ones.
  private static let longest = 2000
  /// The end of a truncated text.
  private static let ellipsis = "…"

  package let service: Service
  /// The URL.
  package let address: String
  /// The omissions of the URL.
  package let notes: [String]

  /// Creates the URL of an event.
  package init(_ event: HandoffEvent, for service: Service) {
    self.service = service
    var notes = event.notes
    let fixed: [(String, String)]
    let base: String
    let names: (title: String, location: String, details: String)
    switch service {
    case .google:
      base = "https://calendar.google.com/calendar/render?action=TEMPLATE"
      fixed = Self.googleTimes(event)
      names = ("text", "location", "details")
    case .outlook, .office365:
      let host = service == .outlook ? "outlook.live.com" : "outlook.office.com"
      base =
        "https://\(host)/calendar/0/deeplink/compose?path=/calendar/action/compose&rru=addevent"
      fixed = Self.outlookTimes(event)
      names = ("subject", "location", "body")
      if event.rule != nil { notes.append("it recurs, and only the first occurrence is in it") }
    }
    var result = base
    for (name, value) in fixed { result += "&\(name)=\(Self.escaped(value))" }
    // The texts are in order of importance: later ones are truncated first.
    let texts = [
      (names.title, event.title, "title"), (names.location, event.location, "place"),
      (names.details, event.details, "description"),
    ]
    for (name, text, word) in texts where !text.isEmpty {
      let room = Self.longest - result.utf8.count - name.utf8.count - 2
      let (value, isWhole) = Self.fitting(text, in: room)
      if !isWhole { notes.append("the \(word) is too long for an address, and was cut") }
      if !value.isEmpty { result += "&\(name)=\(value)" }
    }
    address = result
    self.notes = notes
  }

  // MARK: Times

  private static func googleTimes(_ event: HandoffEvent) -> [(String, String)] {
    var zone: String?
    func text(_ time: HandoffEvent.Time) -> String {
      switch time {
      case .date(let date): return "\(date)"
      case .utc(let time): return "\(time)Z"
      case .floating(let time): return "\(time)"
      case .zoned(let local, let name, let utc):
        guard zone == nil || zone == name else { return "\(utc)Z" }
        zone = name
        return "\(local)"
      }
    }
    var result = [("dates", text(event.start) + "/" + text(event.end))]
    if let zone { result.append(("ctz", zone)) }
    if let rule = event.rule { result.append(("recur", "RRULE:\(rule)")) }
    return result
  }

  private static func outlookTimes(_ event: HandoffEvent) -> [(String, String)] {
    var isAllDay = false
    func text(_ time: HandoffEvent.Time) -> String {
      switch time {
      case .date(let date):
        isAllDay = true
        return day(date)
      case .utc(let time), .zoned(_, _, let time): return clock(time) + "Z"
      case .floating(let time): return clock(time)
      }
    }
    let times = [("startdt", text(event.start)), ("enddt", text(event.end))]
    return isAllDay ? times + [("allday", "true")] : times
  }

  /// A date with hyphens (ISO 8601), such as `2026-03-18`.
  private static func day(_ date: CivilDate) -> String {
    let digits = "\(date)"
    return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6))"
  }

  private static func clock(_ time: CivilDateTime) -> String {
    let digits = "\(time.time)"
    let parts = "\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2)):\(digits.dropFirst(4))"
    return day(time.date) + "T" + parts
  }

  // MARK: Texts

  /// The escaped text, truncated between characters to the available space.
  private static func fitting(_ text: String, in room: Int) -> (String, isWhole: Bool) {
    let whole = escaped(text)
    guard whole.utf8.count > room else { return (whole, true) }
    let end = escaped(ellipsis)
    var result = ""
    var size = end.utf8.count
    for character in text {
      let next = escaped(String(character))
      size += next.utf8.count
      guard size <= room else { break }
      result += next
    }
    return (result.isEmpty ? "" : result + end, false)
  }

  /// The percent-encoded text.
  ///
  /// Unreserved characters (RFC 3986 §2.3) are kept, and slashes and colons, which a query allows
  /// (§3.4).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where "-._~/:".utf8.contains(byte):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
