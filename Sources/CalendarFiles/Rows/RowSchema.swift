// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The columns of lean rows, from which the rows, their schemas for other programs and the table of
/// the documentation are made.
///
/// The library Epact writes the schema in the languages of other programs.
///
/// ```swift
/// let schema = try ComponentRow.schema.selecting(["uid", "start", "zone"])
/// var rows: [UInt8] = []
/// schema.write(ComponentRow(of: component, in: "team.ics"), to: &rows)
/// // {"uid":"a@example.org","start":"2026-01-02T09:00:00","zone":"Europe/Berlin"}
/// ```
///
/// ## Topics
///
/// ### Columns
/// - ``columns``
/// - ``standard``
/// - ``selecting(_:)``
///
/// ### Rows
/// - ``write(_:to:)``
public struct RowSchema<Row>: Sendable {
  /// The name of the table, such as `components`.
  public let name: String
  /// The version, which changes if a column is removed or gets another name, type or meaning.
  public let version: Int
  private let fields: [RowField<Row>]

  init(name: String, version: Int, fields: [RowField<Row>]) {
    self.name = name
    self.version = version
    self.fields = fields
  }

  /// The columns in the order of the members.
  public var columns: [RowColumn] { fields.map(\.column) }

  /// The schema with the standard columns only.
  public var standard: RowSchema {
    RowSchema(name: name, version: version, fields: fields.filter(\.column.isStandard))
  }

  /// The schema with some of the columns, in the order of their names.
  ///
  /// - Parameter names: The names of the columns.
  /// - Returns: The schema.
  /// - Throws: `RowColumnError` if there is no such column, if one is named twice, or for no names.
  public func selecting(_ names: [String]) throws(RowColumnError) -> RowSchema {
    guard !names.isEmpty else { throw RowColumnError("", "expected a column, found none") }
    var selected: [RowField<Row>] = []
    for name in names {
      guard let field = fields.first(where: { $0.column.name == name }) else {
        throw RowColumnError(name, "there is no column \"\(name)\"")
      }
      guard !selected.contains(where: { $0.column.name == name }) else {
        throw RowColumnError(name, "expected different columns, found \"\(name)\" twice")
      }
      selected.append(field)
    }
    return RowSchema(name: self.name, version: version, fields: selected)
  }

  /// Appends a row as one line of JSON.
  public func write(_ row: Row, to bytes: inout [UInt8]) {
    // The bytes move to the builder and back, so that they are not copied.
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    var json = JSONBuilder(appendingTo: consume taken)
    json.beginObject()
    for field in fields {
      json.name(field.column.name)
      field.write(row, &json)
    }
    json.endObject()
    json.separator("\n")
    bytes = json.takeBytes()
  }
}

extension RowSchema: Hashable {
  /// Whether the rows have the same members.
  public static func == (left: RowSchema, right: RowSchema) -> Bool {
    left.name == right.name && left.version == right.version && left.columns == right.columns
  }

  /// Hashes the name, the version and the columns.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(version)
    hasher.combine(columns)
  }
}
