// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A column with the function that writes its values.
///
/// The type of the column is that of the function's result, so that a row cannot contradict its
/// schema.
struct RowField<Row>: Sendable {
  let column: RowColumn
  let write: @Sendable (Row, inout JSONBuilder) -> Void
}

extension RowField {
  /// A text that can be missing.
  static func text(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> String?
  ) -> RowField {
    RowField(column: RowColumn(name, .text, use, isNullable: true, (meaning, reference))) {
      $1.string(value($0))
    }
  }

  /// A text that is always present.
  static func presentText(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> String
  ) -> RowField {
    RowField(column: RowColumn(name, .text, use, isNullable: false, (meaning, reference))) {
      let text: String = value($0)
      $1.string(text)
    }
  }

  /// An integer that can be missing.
  static func integer(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> Int?
  ) -> RowField {
    RowField(column: RowColumn(name, .integer, use, isNullable: true, (meaning, reference))) {
      if let number = value($0) { $1.literal(String(number)) } else { $1.null() }
    }
  }

  /// An integer that is always present.
  static func presentInteger(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> Int64
  ) -> RowField {
    RowField(column: RowColumn(name, .integer, use, isNullable: false, (meaning, reference))) {
      $1.literal(String(value($0)))
    }
  }

  /// True or false.
  static func boolean(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> Bool
  ) -> RowField {
    RowField(column: RowColumn(name, .boolean, use, isNullable: false, (meaning, reference))) {
      $1.boolean(value($0))
    }
  }

  /// A time on a clock that can be missing.
  static func localTime(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> CivilDateTime?
  ) -> RowField {
    RowField(column: RowColumn(name, .localTime, use, isNullable: true, (meaning, reference))) {
      if let time = value($0) { $1.clock(time, isUTC: false) } else { $1.null() }
    }
  }

  /// A time on a clock that is always present.
  static func presentLocalTime(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> CivilDateTime
  ) -> RowField {
    RowField(column: RowColumn(name, .localTime, use, isNullable: false, (meaning, reference))) {
      $1.clock(value($0), isUTC: false)
    }
  }

  /// A point in time that can be missing, as a time in UTC.
  static func instant(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> CivilDateTime?
  ) -> RowField {
    RowField(column: RowColumn(name, .instant, use, isNullable: true, (meaning, reference))) {
      if let time = value($0) { $1.clock(time, isUTC: true) } else { $1.null() }
    }
  }

  /// A point in time that is always present, as a time in UTC.
  static func presentInstant(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> CivilDateTime
  ) -> RowField {
    RowField(column: RowColumn(name, .instant, use, isNullable: false, (meaning, reference))) {
      $1.clock(value($0), isUTC: true)
    }
  }

  /// A list of texts, which is empty if there are none.
  static func texts(
    _ name: String, _ use: RowColumn.Use, _ meaning: String, _ reference: String? = nil,
    value: @escaping @Sendable (Row) -> [String]
  ) -> RowField {
    RowField(column: RowColumn(name, .texts, use, isNullable: false, (meaning, reference))) {
      $1.beginArray()
      for text in value($0) { $1.string(text) }
      $1.endArray()
    }
  }
}

extension JSONBuilder {
  /// Writes a time; a leap second is written as the second before it, which no engine rejects.
  fileprivate mutating func clock(_ time: CivilDateTime, isUTC: Bool) {
    let isLeap = time.time.second == 60
    dateTime(isLeap ? CivilDateTime(wallSeconds: time.wallSeconds) ?? time : time, isUTC: isUTC)
  }
}
