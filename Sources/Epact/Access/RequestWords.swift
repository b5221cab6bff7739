// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// The classes of requests in words, for people who read the log.
extension AccessRequest {
  /// The effect of the requests as a phrase in the past tense: `added an item`.
  ///
  /// A class without words is described by its method and target.
  public var words: String {
    let parts = action.split(separator: " ", maxSplits: 1)
    let rest = parts.count > 1 ? String(parts[1]) : ""
    guard let words = Self.words(parts.first.map(String.init) ?? "", rest, target) else {
      return description
    }
    return isProtocol ? "\(words) (\(action))" : words
  }

  /// Whether the action is a method of a protocol, and not a word for people.
  private var isProtocol: Bool { action.first?.isUppercase ?? false }

  private static func words(_ method: String, _ rest: String, _ target: String) -> String? {
    let isItem = target == "item"
    return switch (method, target) {
    case (_, "well-known address"): "looked for the calendars of the server"
    case ("list", _): "listed the folder"
    case ("read", _): "read items"
    case ("add", _): "added an item"
    case ("replace", _): "replaced an item"
    case ("delete", _): "deleted an item"
    case ("OPTIONS", _): "asked what the server supports"
    case ("PROPFIND", _) where rest.hasPrefix("Depth: 1"): "listed the calendar"
    case ("PROPFIND", _): "read the properties of \(isItem ? "an item" : "the calendar")"
    case ("REPORT", _): report(rest)
    case ("GET", _), ("HEAD", _): isItem ? "read an item" : "read the calendar"
    case ("PUT", _): rest == "If-None-Match: *" ? "added an item" : "replaced an item"
    case ("DELETE", _): "deleted \(isItem ? "an item" : "the calendar")"
    case ("MOVE", _): "moved an item"
    case ("MKCALENDAR", _), ("MKCOL", _): "created a calendar"
    case ("PROPPATCH", _): "changed the properties of the calendar"
    default: nil
    }
  }

  /// The words for a report (RFC 4791 §7, RFC 6578 §3.2).
  private static func report(_ rest: String) -> String? {
    switch rest.prefix(while: { $0 != " " }) {
    case "sync-collection": "asked for changes of the calendar"
    case "calendar-multiget": "read items"
    case "calendar-query": "searched the calendar"
    case "free-busy-query": "read the busy times"
    default: nil
    }
  }
}
