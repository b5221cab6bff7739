// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The part of calendars that others may see: a selection of the items, and how much of each.
///
/// ```swift
/// var settings = ProjectionSettings()
/// settings.detail = .busy
/// settings.title = try ProjectionTitle("Busy ({calendar})")
/// ```
///
/// All else is hidden: no byte of it is in the result, neither in identifiers nor in the sizes or the order
/// of the shown values. Identifiers are always replaced; see
/// ``ItemProjector``.
public struct ProjectionSettings: Hashable, Sendable, Codable {
  /// How much of an item is shown.
  public enum Detail: String, Hashable, Sendable, CaseIterable, Codable {
    /// Everything but people, their answers, and alarms.
    case all
    /// The title, the times and the status.
    case titles
    /// The times at which events make the user busy (RFC 5545 §3.2.9); nothing of other items.
    case busy
  }

  /// How an item is shown that is not public (CLASS, RFC 5545 §3.8.1.3).
  public enum PrivateItems: String, Hashable, Sendable, CaseIterable, Codable {
    /// As busy time.
    case busy
    /// Not at all.
    case hide
    /// Like all others.
    case show
  }

  /// How much of each item is shown.
  public var detail = Detail.busy
  /// The title of each item; nil for its own, or `Busy` where it is hidden.
  public var title: ProjectionTitle?
  /// The names of properties and components that are shown in addition, in upper case.
  ///
  /// They do not apply to private items that are shown as busy time.
  public var kept: Set<String> = []
  /// How items are shown that are not public.
  public var privateItems = PrivateItems.busy
  /// The query that selects the items; nil for all.
  ///
  /// Its dates are read at each use: `start>=today` moves with the time.
  public var query: String?

  /// The names that cannot be kept, because the projection writes them itself.
  static let written: Set<String> = [
    "UID", "DTSTAMP", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE",
    "RECURRENCE-ID", "SUMMARY", "STATUS", "TRANSP", "VTIMEZONE", "VEVENT", "VTODO", "VJOURNAL",
  ]

  /// Creates the settings that show busy time.
  public init() {}

  /// Checks that the title shows nothing that the detail hides.
  ///
  /// - Throws: `EpactError` if busy time would have the titles of the items.
  func checkTitle() throws(EpactError) {
    guard detail == .busy, title?.showsTitle == true else { return }
    throw EpactError(.argument, "{title} would show the titles, which busy time hides; show titles")
  }

  /// Shows properties and components in addition.
  ///
  /// - Parameter names: Their names, in any case.
  /// - Throws: `EpactError` if a name is unknown, or of a property that the projection writes.
  public mutating func keep(_ names: [String]) throws(EpactError) {
    for name in names {
      let upper = name.uppercased()
      guard !Self.written.contains(upper) else {
        throw EpactError(.argument, "\"\(name)\" cannot be kept: each copy gets its own")
      }
      let isKnown =
        PropertyName(upper).index != nil || ComponentName(upper).index != nil
        || upper.hasPrefix("X-")
      guard isKnown else {
        throw EpactError(
          .argument, "there is no property \"\(name)\"; expected one such as LOCATION")
      }
      kept.insert(upper)
    }
  }
}

/// A template for the titles of projected items, such as `Busy ({calendar})`.
///
/// `{calendar}` is the title of the calendar, and `{title}` that of the item.
public struct ProjectionTitle: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The template as written.
  public let description: String

  private enum Part: Hashable, Sendable {
    case text(String), calendar, title
  }

  private let parts: [Part]

  /// Parses a template.
  ///
  /// - Throws: `EpactError` if a word in braces is unknown, or a brace is not closed.
  public init(_ template: String) throws(EpactError) {
    var parts: [Part] = []
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      parts.append(.text(String(rest[..<open])))
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw EpactError(.argument, "expected \"}\" after \"\(rest[open...])\" in a title")
      }
      switch rest[rest.index(after: open)..<close] {
      case "calendar": parts.append(.calendar)
      case "title": parts.append(.title)
      case let word:
        throw EpactError(
          .argument, "expected {calendar} or {title} in a title, found \"{\(word)}\"")
      }
      rest = rest[rest.index(after: close)...]
    }
    parts.append(.text(String(rest)))
    self.parts = parts.filter { $0 != .text("") }
    description = template
  }

  /// Reads the template from its text.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the template as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Whether the template shows the title of the item.
  public var showsTitle: Bool { parts.contains(.title) }

  /// The title of an item.
  func text(of title: String, in calendar: String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .calendar: calendar
      case .title: title
      }
    }.joined()
  }
}
