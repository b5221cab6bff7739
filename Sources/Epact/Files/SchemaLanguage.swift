// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles

/// A language in which other programs take the schema of lean rows.
public enum SchemaLanguage: String, Hashable, Sendable, CaseIterable {
  /// SQL of DuckDB: a table, comments on its columns, and a macro that reads rows.
  case duckDB = "duckdb"
  /// The DDL of a Spark schema, which `spark.read.schema` and `StructType.fromDDL` take.
  case spark
  /// An Arrow schema as JSON, in the form of Arrow's integration tests.
  case arrow
  /// JSON Schema 2020-12 of one row.
  case jsonSchema = "json-schema"
}

extension RowSchema {
  /// The schema in another language, with a line break at its end.
  ///
  /// ```swift
  /// print(OccurrenceRow.schema.standard.text(in: .duckDB))
  /// ```
  public func text(in language: SchemaLanguage) -> String {
    switch language {
    case .duckDB: duckDB
    case .spark: spark
    case .arrow: arrow.serialized() + "\n"
    case .jsonSchema: jsonSchema.serialized() + "\n"
    }
  }

  private var duckDB: String {
    let types = columns.map { (name: "\"\($0.name)\"", type: $0.type.duckDB, column: $0) }
    let table = types.map { "  \($0.name) \($0.type)\($0.column.isNullable ? "" : " NOT NULL")" }
    let comments = types.map { name, _, column in
      let remark = column.remark.replacing("'", with: "''")
      return "COMMENT ON COLUMN \(self.name).\(name) IS '\(remark)';"
    }
    let members = types.map { "    \($0.name): '\($0.type)'" }
    return """
      -- \(title)
      CREATE TABLE \(name) (
      \(table.joined(separator: ",\n"))
      );
      \(comments.joined(separator: "\n"))
      CREATE MACRO read_\(name)(path) AS TABLE
        SELECT * FROM read_json(path, format = 'newline_delimited', columns = {
      \(members.joined(separator: ",\n"))
        });

      """
  }

  private var spark: String {
    columns.map { column in
      let remark = column.remark.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      return "`\(column.name)` \(column.type.spark)\(column.isNullable ? "" : " NOT NULL") "
        + "COMMENT '\(remark)'"
    }.joined(separator: ",\n") + "\n"
  }

  private var arrow: JSONValue {
    let fields = columns.map { column in
      JSONValue.arrowField(column.name, column.type, isNullable: column.isNullable)
    }
    let metadata: JSONValue = [
      ["key": "epact.table", "value": .string(name)],
      ["key": "epact.version", "value": .string(String(version))],
    ]
    return ["schema": ["fields": .array(fields), "metadata": metadata]]
  }

  private var jsonSchema: JSONValue {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title),
      "type": "object",
      "properties": .object(columns.map { JSONValue.Member($0.name, $0.jsonSchema) }),
      "required": JSONValue(columns.map(\.name)), "additionalProperties": false,
    ]
  }

  private var title: String { "epact \(name), version \(version)" }
}

extension RowColumn {
  /// The meaning with the section of the RFC.
  fileprivate var remark: String { reference.map { "\(meaning) (\($0))" } ?? meaning }

  /// The property of a JSON Schema.
  fileprivate var jsonSchema: JSONValue {
    let name: JSONValue =
      switch type {
      case .text, .localTime, .instant: "string"
      case .integer: "integer"
      case .boolean: "boolean"
      case .texts: "array"
      }
    var members: [JSONValue.Member] = [
      .init("type", isNullable ? .array([name, "null"]) : name)
    ]
    switch type {
    case .localTime:
      members.append(.init("pattern", #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$"#))
    case .instant:
      members.append(.init("format", "date-time"))
      members.append(.init("pattern", #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"#))
    case .texts: members.append(.init("items", ["type": "string"]))
    case .text, .integer, .boolean: break
    }
    return .object(members + [.init("description", .string(remark))])
  }
}

extension RowType {
  fileprivate var duckDB: String {
    switch self {
    case .text: "VARCHAR"
    case .integer: "BIGINT"
    case .boolean: "BOOLEAN"
    case .localTime: "TIMESTAMP"
    case .instant: "TIMESTAMPTZ"
    case .texts: "VARCHAR[]"
    }
  }

  fileprivate var spark: String {
    switch self {
    case .text: "STRING"
    case .integer: "BIGINT"
    case .boolean: "BOOLEAN"
    case .localTime: "TIMESTAMP_NTZ"
    case .instant: "TIMESTAMP"
    case .texts: "ARRAY<STRING>"
    }
  }

  fileprivate var arrow: JSONValue {
    switch self {
    case .text: ["name": "utf8"]
    case .integer: ["name": "int", "bitWidth": 64, "isSigned": true]
    case .boolean: ["name": "bool"]
    case .localTime: ["name": "timestamp", "unit": "SECOND"]
    case .instant: ["name": "timestamp", "unit": "SECOND", "timezone": "UTC"]
    case .texts: ["name": "list"]
    }
  }
}

extension JSONValue {
  /// A field of an Arrow schema.
  fileprivate static func arrowField(
    _ name: String, _ type: RowType, isNullable: Bool
  ) -> JSONValue {
    let children = type == .texts ? [arrowField("item", .text, isNullable: false)] : []
    return [
      "name": .string(name), "nullable": .bool(isNullable), "type": type.arrow,
      "children": .array(children),
    ]
  }
}
