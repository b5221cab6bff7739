// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The status of an event (RFC 5545 §3.8.1.11).
public enum EventStatus: String, Hashable, Sendable, CaseIterable {
  /// Tentative.
  case tentative = "TENTATIVE"
  /// Confirmed.
  case confirmed = "CONFIRMED"
  /// Cancelled.
  case cancelled = "CANCELLED"
}

/// The status of a reminder (RFC 5545 §3.8.1.11).
public enum ReminderStatus: String, Hashable, Sendable, CaseIterable {
  /// Not started.
  case needsAction = "NEEDS-ACTION"
  /// Completed.
  case completed = "COMPLETED"
  /// In process.
  case inProcess = "IN-PROCESS"
  /// Cancelled.
  case cancelled = "CANCELLED"

  /// Whether nothing is left to do: completed or cancelled.
  package var isClosed: Bool { self == .completed || self == .cancelled }

  /// The status that the properties of a reminder state together; nil if they state none.
  ///
  /// A time of completion makes a reminder completed (COMPLETED, RFC 5545 §3.8.2.1), as in most
  /// programs. Without a STATUS, a percentage of 100 does, too (§3.8.1.8).
  package static func stated(
    _ status: ReminderStatus?, isCompleted: Bool, percent: Int?
  ) -> ReminderStatus? {
    if let status, status.isClosed { return status }
    return isCompleted || status == nil && percent == 100 ? .completed : status
  }
}

extension Component {
  /// The status that the properties of a reminder state together; nil for other components.
  package var statedReminderStatus: ReminderStatus? {
    guard name == .reminder else { return nil }
    return ReminderStatus.stated(
      self[.status].flatMap { ReminderStatus(rawValue: $0.text.asciiUppercased) },
      isCompleted: self[.completed] != nil,
      percent: self[.percentComplete].flatMap { Int($0.rawValue) })
  }
}

/// The status of a journal entry (RFC 5545 §3.8.1.11).
public enum JournalStatus: String, Hashable, Sendable, CaseIterable {
  /// Draft.
  case draft = "DRAFT"
  /// Final.
  case final = "FINAL"
  /// Withdrawn.
  case cancelled = "CANCELLED"
}

/// The transparency of an event to free/busy searches (RFC 5545 §3.8.2.7).
public enum Transparency: String, Hashable, Sendable, CaseIterable {
  /// The event counts as busy time; the default.
  case opaque = "OPAQUE"
  /// The event does not count as busy time.
  case transparent = "TRANSPARENT"
}

/// The access classification of an item (RFC 5545 §3.8.1.3).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct Classification: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Public; the default.
  public static let `public` = Classification(rawValue: "PUBLIC")
  /// Private: visible to the owner only.
  public static let `private` = Classification(rawValue: "PRIVATE")
  /// Confidential: visible to selected users only.
  public static let confidential = Classification(rawValue: "CONFIDENTIAL")
}

/// The categories of an item: an ordered set (RFC 5545 §3.8.1.2).
///
/// Each word occurs once. Two sets are equal if they contain the same words in any order.
public struct Categories: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private var words: [String] = []

  /// Creates an empty set.
  public init() {}

  /// Creates a set from words.
  public init(_ words: some Sequence<String>) {
    for word in words { insert(word) }
  }

  /// Creates a set from words.
  public init(arrayLiteral words: String...) {
    self.init(words)
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of words.
  public var endIndex: Int { words.count }
  /// The word at an index.
  public subscript(index: Int) -> String { words[index] }

  /// Appends a word unless the set contains it.
  public mutating func insert(_ word: String) {
    if !words.contains(word) { words.append(word) }
  }

  /// Removes a word if the set contains it.
  public mutating func remove(_ word: String) {
    words.removeAll { $0 == word }
  }
}

extension Categories: Hashable {
  /// Whether two sets contain the same words, in any order.
  public static func == (left: Categories, right: Categories) -> Bool {
    left.words == right.words || Set(left.words) == Set(right.words)
  }

  /// Hashes the parts that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Set(words))
  }
}

/// A geographic position (RFC 5545 §3.8.1.6).
public struct GeoPoint: Hashable, Sendable {
  /// The latitude in degrees, from -90 through 90; positive in the north.
  public var latitude: Double
  /// The longitude in degrees, from -180 through 180; positive in the east.
  public var longitude: Double

  /// Creates a position, or returns nil if a coordinate is out of range.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// The result of a scheduling request (RFC 5545 §3.8.8.3).
public struct RequestStatus: Hashable, Sendable {
  /// The status code, such as `2.0` or `3.1`.
  public var code: String
  /// The description of the status, for display.
  public var text: String
  /// The exceptional data, such as the property that was not understood; nil if there is none.
  public var data: String?

  /// Creates a status.
  public init(code: String, text: String, data: String? = nil) {
    self.code = code
    self.text = text
    self.data = data
  }
}
