// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import CivilTime
import Epact
import EpactConsole
import ICalSyntax

/// `epact man`: writes the pages of the manual.
struct ManualCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "man",
    abstract: "Print the manual pages, or write them to a folder.",
    discussion: """
      Prints the source of a page in the language mdoc, which man, mandoc and groff display. With \
      --output, writes all pages to the folders man1 and man5 below a folder, such as \
      ~/.local/share/man. The pages have the same source as the help. Their date is the current \
      one, or that of $SOURCE_DATE_EPOCH.
      """)

  @Argument(
    help: ArgumentHelp(
      "Print this page, such as epact-sync or epact.toml. The default is epact.",
      valueName: "page"), completion: .manualPages)
  var page: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write all pages below this folder.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if page != nil, output != nil { throw ValidationError("--output writes all pages") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let manual = try Manual(date: Self.date(on: context.machine))
    if let output {
      try write(manual, to: context.paths.absolute(output), in: context)
      return .done
    }
    let name = page ?? "epact"
    guard let page = manual.pages.first(where: { $0.name == name || $0.fileName == name }) else {
      let error = EpactError.unknown(
        name, what: "page", in: "the manual", known: manual.pages.map(\.name))
      throw Failure(.usage, "\(error.message)")
    }
    context.console.write(Array(page.text.utf8))
    return .done
  }

  private func write(_ manual: Manual, to folder: String, in context: Context) throws {
    for page in manual.pages {
      let place = "\(folder)/man\(page.section)"
      try PrivateFolder.make(place, mode: 0o755)
      try AtomicFile.write(
        Array(page.text.utf8), to: "\(place)/\(page.fileName)", permissions: .shared)
    }
    context.console.say("\(Count(manual.pages.count, "page")) written to \(folder).")
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The date of the pages: a fixed one for reproducible packages, or the current one.
  private static func date(on machine: Machine) -> String {
    let fixed = machine.environment["SOURCE_DATE_EPOCH"].flatMap { Int64($0) }
    let instant = fixed.map { Instant(secondsSinceEpoch: $0) } ?? machine.now()
    let date = instant.civil()?.date ?? .first
    return "\(months[date.month - 1]) \(date.day), \(date.year)"
  }
}

extension CompletionKind {
  /// The names of the manual's pages.
  static var manualPages: CompletionKind {
    .custom { _, _, _ in (try? Manual(date: ""))?.pages.map(\.name) ?? [] }
  }
}

/// A command with its arguments, as the parser of the command line describes it.
///
/// The manual pages and the help have the same source, so that they cannot differ.
struct CommandDescription: Sendable {
  /// An argument, an option or a flag.
  struct Argument: Sendable {
    /// The names with their hyphens; empty for an operand.
    let names: [String]
    /// The name of the value; nil for a flag.
    let value: String?
    let isOptional: Bool
    let isRepeating: Bool
    let abstract: String
    let defaultValue: String?
    /// The allowed values, if there are few.
    let values: [String]

    /// The name in the synopsis.
    var preferredName: String? { names.last { $0.hasPrefix("--") } ?? names.first }
  }

  /// The words of the command, such as `epact`, `schedule`, `install`.
  let words: [String]
  let abstract: String
  /// The description; paragraphs and tables of plain text.
  let discussion: String
  let arguments: [Argument]
  let subcommands: [CommandDescription]

  /// The description of a command of the parser.
  ///
  /// - Throws: `JSONError` if the parser writes another format.
  init(of command: EpactCommand.Type) throws {
    let text = command._dumpHelp()
    let node = try JSONScanner.parse(Array(text.utf8))
    self.init(node["command"] ?? node, below: [])
  }

  private init(_ node: JSONNode, below parents: [String]) {
    words = parents + [node["commandName"]?.text ?? ""]
    abstract = node["abstract"]?.text ?? ""
    discussion = node["discussion"]?.text ?? ""
    arguments = (node["arguments"]?.elements ?? []).filter(\.isShown).map(Argument.init)
    let words = words
    subcommands = (node["subcommands"]?.elements ?? [])
      .filter { $0.isShown && $0["commandName"]?.text != "help" }
      .map { CommandDescription($0, below: words) }
  }

  /// The command and all commands below it.
  var all: [CommandDescription] { [self] + subcommands.flatMap(\.all) }

  /// The name of the manual page, such as `epact-schedule-install`.
  var page: String { words.joined(separator: "-") }
}

extension CommandDescription.Argument {
  fileprivate init(_ node: JSONNode) {
    names = (node["names"]?.elements ?? []).compactMap { name in
      name["name"]?.text.map { (name["kind"]?.text == "long" ? "--" : "-") + $0 }
    }
    value = node["kind"]?.text == "flag" ? nil : node["valueName"]?.text
    isOptional = node["isOptional"]?.isTrue ?? true
    isRepeating = node["isRepeating"]?.isTrue ?? false
    abstract = node["abstract"]?.text ?? ""
    defaultValue = node["defaultValue"]?.text
    values = (node["allValues"]?.elements ?? []).compactMap(\.text)
  }
}

extension JSONNode {
  fileprivate subscript(name: String) -> JSONNode? {
    members?.first { $0.name == name }?.value
  }

  fileprivate var isTrue: Bool {
    if case .bool(true) = content { true } else { false }
  }

  fileprivate var isShown: Bool { self["shouldDisplay"]?.isTrue ?? true }
}
