// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The state of a feed between runs, stored as the text of a cursor.
///
/// ```
/// feed 1
/// etag "5f1-abc"
/// modified Sat, 21 Nov 2026 08:00:00 GMT
/// moved https://cal.example.org/new.ics
/// digest 9f86d081884c7d65…
/// checked 1795251600
/// rest 43200
/// property name Holidays
/// item 4mZ0Qy1lT2k= 20261121-1@example.org
/// ```
///
/// Each line is a keyword and a value. Any other text is ignored; the feed is then read as if for
/// the first time, which deletes nothing.
struct FeedMemory: Hashable, Sendable {
  /// The validators that make the next request conditional (RFC 9110 §8.8).
  struct Validators: Hashable, Sendable {
    var etag: String?
    var lastModified: String?
    /// The new address of a feed that has moved permanently (RFC 9110 §15.4.2).
    var movedTo: RemoteURL?

    /// Whether the next request is conditional.
    var isConditional: Bool { etag != nil || lastModified != nil }
  }

  var validators = Validators()
  /// The digest of the bytes, for servers that send no validators.
  var digest: String
  /// The time of the last request.
  var checked: Instant
  /// The number of seconds for which the feed declared itself unchanged.
  var rest: Int64
  /// The UIDs of the items, for feeds that generate new UIDs.
  var uids: [FeedKey: UID]
  /// The properties of the feed.
  var properties: CollectionProperties

  private static let header = "feed 1"
  /// The maximum size of a cursor, in bytes.
  private static let sizeLimit = 16 << 20

  init(
    validators: Validators, digest: String, checked: Instant, rest: Int64, uids: [FeedKey: UID],
    properties: CollectionProperties
  ) {
    self.validators = validators
    self.digest = digest
    self.checked = checked
    self.rest = rest
    self.uids = uids
    self.properties = properties
  }

  /// Whether the feed is unchanged by its own declaration; false if the clock was set back.
  func isResting(at now: Instant) -> Bool {
    let age = now.secondsSinceEpoch.subtractingReportingOverflow(checked.secondsSinceEpoch)
    return !age.overflow && age.partialValue >= 0 && age.partialValue < rest
  }

  /// The state as a cursor.
  var cursor: RemoteCursor {
    var lines = [Self.header]
    if let etag = validators.etag { lines.append("etag \(etag)") }
    if let modified = validators.lastModified { lines.append("modified \(modified)") }
    if let moved = validators.movedTo { lines.append("moved \(moved)") }
    lines += ["digest \(digest)", "checked \(checked.secondsSinceEpoch)", "rest \(rest)"]
    for property in CollectionProperty.allCases {
      guard let value = properties[property] else { continue }
      lines.append("property \(property.rawValue) \(Self.escaped(value))")
    }
    let items = uids.map { "item \($0.rawValue) \(Self.escaped($1.rawValue))" }
    return RemoteCursor((lines + items.sorted()).joined(separator: "\n"))
  }

  /// Escapes characters that could end the line or look like an escape.
  private static func escaped(_ text: String) -> String {
    PercentEncoding.escapingForbidden(text.replacing("%", with: "%25"))
  }

  /// Parses a cursor, or returns nil if it is not that of a feed.
  init?(_ cursor: RemoteCursor) {
    guard cursor.rawValue.utf8.count <= Self.sizeLimit else { return nil }
    let lines = cursor.rawValue.split(separator: "\n")
    guard lines.first.map(String.init) == Self.header else { return nil }
    var validators = Validators()
    var digest: String?
    var checked: Int64?
    var rest: Int64 = 0
    var uids: [FeedKey: UID] = [:]
    var properties = CollectionProperties()
    for line in lines.dropFirst() {
      guard let space = line.firstIndex(of: " ") else { return nil }
      let value = String(line[line.index(after: space)...])
      switch line[..<space] {
      case "etag": validators.etag = value
      case "modified": validators.lastModified = value
      case "moved": validators.movedTo = try? RemoteURL(parsingFeed: value)
      case "digest": digest = value
      case "checked": checked = Int64(value)
      case "rest": rest = Int64(value) ?? 0
      case "item":
        guard let (key, uid) = Self.pair(value) else { return nil }
        uids[FeedKey(rawValue: key)] = UID(uid)
      case "property":
        guard let (name, text) = Self.pair(value) else { return nil }
        if let property = CollectionProperty(rawValue: name) { properties[property] = text }
      default: return nil
      }
    }
    guard let digest, let checked else { return nil }
    self.init(
      validators: validators, digest: digest, checked: Instant(secondsSinceEpoch: checked),
      rest: rest, uids: uids, properties: properties)
  }

  /// Splits a value into a keyword and an escaped text.
  private static func pair(_ value: String) -> (String, String)? {
    guard let space = value.firstIndex(of: " "),
      let text = PercentEncoding.decoded(String(value[value.index(after: space)...]))
    else { return nil }
    return (String(value[..<space]), text)
  }
}

/// The identity of a feed item whose UID is unreliable.
///
/// It consists of the kind, the start, the title, and a number among equal items. These are the
/// properties that feeds do not generate anew.
struct FeedKey: Hashable, Sendable {
  /// The key: sixteen hexadecimal digits.
  let rawValue: String

  init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates the key of an item with a number, from 0, among items with equal content.
  init(_ content: String, number: Int) {
    rawValue = String(SHA256.digest(of: Array("\(number) \(content)".utf8)).description.prefix(16))
  }

  /// The properties that identify a component, as a text that is never parsed.
  static func content(of component: Component) -> String {
    let parts = [PropertyName.dtStart, .recurrenceID].map { name in
      guard let property = component[name] else { return "" }
      let zone = property.parameters.first { $0.name == .tzID }?.values.first ?? ""
      return "\(zone):\(property.rawValue)"
    }
    let title = component[.summary]?.text ?? ""
    return ([component.name.canonicalName] + parts + [title]).joined(separator: "\n")
  }

  /// A UID for a component without one, which is the same for each reading of the feed.
  static func uid(for content: String, number: Int, in feed: String) -> UID {
    let digest = SHA256.digest(of: Array("\(feed)\n\(number)\n\(content)".utf8))
    return UID("epact-feed-" + digest.description.prefix(40))
  }
}

/// Numbers items with equal content, in order.
struct FeedNumbering {
  private var counts: [String: Int] = [:]

  /// Returns the number of earlier items with equal content.
  mutating func number(of content: String) -> Int {
    let number = counts[content, default: 0]
    counts[content] = number + 1
    return number
  }
}
