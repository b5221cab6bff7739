// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// What an item of a feed is known by where its UID is of no use: its kind, when it starts, its title, and
/// which of those that are alike it is.
///
/// Of all that a feed tells of an event, these are what its maker does not invent anew.
struct FeedKey: Hashable, Sendable {
  /// Sixteen hexadecimal digits.
  let rawValue: String

  init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The key of the item among those that are alike which has this number, from 0.
  init(_ content: String, number: Int) {
    rawValue = String(SHA256.digest(of: Array("\(number) \(content)".utf8)).description.prefix(16))
  }

  /// What is alike for components that may be the same, as a text that is never parsed.
  static func content(of component: Component) -> String {
    let parts = [PropertyName.dtStart, .recurrenceID].map { name in
      guard let property = component[name] else { return "" }
      let zone = property.parameters.first { $0.name == .tzID }?.values.first ?? ""
      return "\(zone):\(property.rawValue)"
    }
    let title = component[.summary]?.text ?? ""
    return ([component.name.canonicalName] + parts + [title]).joined(separator: "\n")
  }

  /// A UID for a component that has none: the same one each time that the feed is read.
  static func uid(for content: String, number: Int, in feed: String) -> UID {
    let digest = SHA256.digest(of: Array("\(feed)\n\(number)\n\(content)".utf8))
    return UID("epact-feed-" + digest.description.prefix(40))
  }
}

/// Numbers what is alike, in the order in which it comes.
struct FeedNumbering {
  private var counts: [String: Int] = [:]

  /// How many that are alike came before.
  mutating func number(of content: String) -> Int {
    let number = counts[content, default: 0]
    counts[content] = number + 1
    return number
  }
}
