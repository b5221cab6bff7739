// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import Epact
import EpactConsole

/// The option `--files-from`.
struct FileListOption: ParsableArguments {
  @Option(
    name: .customLong("files-from"),
    help: ArgumentHelp(
      "Read the paths of files from this list, one a line or each with a NUL after it; - is "
        + "standard input.", valueName: "list"),
    completion: .file())
  var path: String?

  /// Whether the paths come from a list.
  var isUsed: Bool { path != nil }

  /// Rejects other files beside a list.
  func validate(without files: [String]) throws {
    if isUsed, !files.isEmpty {
      throw ValidationError("--files-from and other files exclude each other")
    }
  }

  /// Opens the list.
  ///
  /// - Throws: `FileError` if it cannot be read; `CancellationError`.
  func open() throws -> FileList { try FileList(FileSource(path: path ?? "-")) }
}

/// The option `--errors`.
struct ErrorsOption: ParsableArguments {
  /// A form of messages.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Option(
    name: .customLong("errors"),
    help: ArgumentHelp(
      "Write problems as text, or as JSON, one object a line.", valueName: "form"),
    completion: .list(Form.allCases.map(\.rawValue)), transform: word("text or json"))
  var form: Form = .text

  /// Chooses the form of the messages of a console.
  func apply(to console: Console) {
    if form == .json { console.reportAsJSON() }
  }
}

/// The options for lean rows and their schema.
struct RowArguments: ParsableArguments {
  @Flag(
    help: "Write lean rows: flat objects with members of fixed types, for tables of other programs."
  )
  var lean = false

  @Option(
    help: ArgumentHelp(
      "Write these members of lean rows, with commas between them.", valueName: "names"))
  var fields: String?

  @Option(
    help: ArgumentHelp(
      "Print the schema of the lean rows in this language, and read no file: duckdb, spark, arrow "
        + "or json-schema.", valueName: "language"),
    completion: .list(SchemaLanguage.allCases.map(\.rawValue)),
    transform: word("duckdb, spark, arrow or json-schema"))
  var schema: SchemaLanguage?

  func validate() throws {
    if fields != nil, !lean, schema == nil {
      throw ValidationError("--fields requires --lean or --schema")
    }
  }

  /// The chosen columns of a schema; the standard ones if none are chosen.
  ///
  /// - Throws: `Failure` for an unknown column.
  func columns<Row>(of schema: RowSchema<Row>) throws -> RowSchema<Row> {
    guard let fields else { return schema.standard }
    let names = fields.split { $0 == "," || $0 == " " }
    do {
      return try schema.selecting(names.map(String.init))
    } catch {
      let all = schema.columns.map(\.name).joined(separator: ", ")
      throw Failure(.usage, "--fields: \(error.description)", hint: "The members are: \(all).")
    }
  }
}

/// The exit status of a command that works on the files of a list.
struct ListStatus {
  private var statuses: [ExitStatus: Int] = [:]

  /// Adds the status of a file.
  mutating func add(_ status: ExitStatus) { statuses[status, default: 0] += 1 }

  /// The status: 2 if every file failed, 1 if some did, and otherwise the gravest one.
  var status: ExitStatus {
    guard statuses[.nothingDone] != nil else { return ExitStatus.worst(of: statuses.keys) }
    return statuses.count == 1 ? .nothingDone : .someFailed
  }
}
