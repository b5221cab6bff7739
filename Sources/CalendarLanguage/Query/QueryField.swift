// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A field of an item that a query compares.
public enum QueryField: String, Hashable, Sendable, CaseIterable {
  /// The name or the title of the calendar.
  case calendar
  /// The title (SUMMARY); `summary` is another name.
  case title
  /// The description.
  case description
  /// The location.
  case location
  /// The address or the name of an attendee.
  case attendee
  /// The address or the name of the organizer.
  case organizer
  /// A category.
  case category
  /// The status, such as `confirmed` or `open`; of a reminder, also one that it does not state.
  case status
  /// The access classification, such as `private`.
  case `class`
  /// The UID.
  case uid
  /// A URL with more information.
  case url
  /// The priority from 1 through 9, or `high`, `medium`, `low` or `none`.
  case priority
  /// The due time of a reminder.
  case due
  /// The start.
  case start
  /// The exclusive end.
  case end
  /// The time of creation.
  case created
  /// The time of the last change.
  case modified
  /// The time of completion.
  case completed
  /// The kind: `event`, `reminder` or `journal`.
  case kind
  /// Whether the item recurs: `yes` or `no`.
  case recurring
  /// Whether the item has an alarm: `yes` or `no`.
  case alarm

  /// The type of the values of a field.
  enum ValueType: Hashable, Sendable {
    case text, date, priority, kind, flag
  }

  /// Creates a field from a name in any case, or returns nil for an unknown name.
  init?(named name: String) {
    let name = name.lowercased()
    switch name {
    case "summary": self = .title
    case "categories", "tag": self = .category
    default: self.init(rawValue: name)
    }
  }

  /// The names that queries accept.
  static let names = allCases.map(\.rawValue) + ["summary", "categories", "has"]

  var valueType: ValueType {
    switch self {
    case .due, .start, .end, .created, .modified, .completed: .date
    case .priority: .priority
    case .kind: .kind
    case .recurring, .alarm: .flag
    default: .text
    }
  }

  /// The property with the values of the field; nil if it has no single one.
  var property: PropertyName? {
    switch self {
    case .title: .summary
    case .description: .descriptionText
    case .location: .location
    case .attendee: .attendee
    case .organizer: .organizer
    case .category: .categories
    case .status: .status
    case .class: .classification
    case .uid: .uid
    case .url: .url
    case .priority: .priority
    case .due: .due
    case .start: .dtStart
    case .created: .created
    case .modified: .lastModified
    case .completed: .completed
    case .calendar, .end, .kind, .recurring, .alarm: nil
    }
  }
}

/// An operator of a query.
public enum QueryOperator: String, Hashable, Sendable, CaseIterable {
  /// Equal, without regard to case; written `:` or `=`.
  case equal = ":"
  /// Not equal.
  case unequal = "!="
  /// Contains the text, without regard to case.
  case contains = "~"
  /// Less or earlier.
  case less = "<"
  /// Less or earlier, or equal.
  case lessOrEqual = "<="
  /// Greater or later.
  case greater = ">"
  /// Greater or later, or equal.
  case greaterOrEqual = ">="

  /// Whether fields of a type support the operator.
  func isSupported(by type: QueryField.ValueType) -> Bool {
    switch type {
    case .text: self == .equal || self == .unequal || self == .contains
    case .kind, .flag: self == .equal || self == .unequal
    case .date, .priority: self != .contains
    }
  }
}
