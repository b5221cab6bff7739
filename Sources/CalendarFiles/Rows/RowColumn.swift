// SPDX-License-Identifier: Apache-2.0

/// The type of a column of lean rows.
///
/// The form in JSON is one that DuckDB, Spark and Arrow read as the type without a format.
public enum RowType: String, Hashable, Sendable, CaseIterable {
  /// A string.
  case text
  /// An integer of 64 bits.
  case integer
  /// True or false.
  case boolean
  /// A date and time on a clock, without an offset: `2026-01-02T09:00:00`.
  case localTime = "local time"
  /// A point in time in UTC: `2026-01-02T08:00:00Z`.
  case instant
  /// A list of strings.
  case texts = "list of texts"
}

/// A column of lean rows.
public struct RowColumn: Hashable, Sendable {
  /// Whether a column is written if no columns are chosen.
  enum Use: Sendable {
    case standard, optional
  }

  /// The name, which is the name of the member in JSON.
  public let name: String
  /// The type.
  public let type: RowType
  /// Whether the value can be null.
  public let isNullable: Bool
  /// Whether the column is written if no columns are chosen.
  public let isStandard: Bool
  /// The meaning in lower case, without a full stop.
  public let meaning: String
  /// The section of the RFC that defines the value; nil if it is not from an RFC.
  public let reference: String?

  init(
    _ name: String, _ type: RowType, _ use: Use, isNullable: Bool,
    _ text: (meaning: String, reference: String?)
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    isStandard = use == .standard
    (meaning, reference) = text
  }
}

/// An error in a choice of columns.
public struct RowColumnError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the column.
  public let name: String
  /// The reason in lower case, without a full stop.
  public let description: String

  init(_ name: String, _ reason: String) {
    self.name = name
    description = reason
  }
}
