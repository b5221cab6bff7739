// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

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
