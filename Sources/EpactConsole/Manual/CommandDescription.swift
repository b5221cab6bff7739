// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// A command with its arguments, as the parser of the command line describes it.
///
/// The manual pages and the help have the same source, so that they cannot differ.
package struct CommandDescription: Sendable {
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

  /// Reads the description that the parser writes as JSON.
  ///
  /// - Throws: `JSONError` if the parser writes another format.
  package init(parsing help: String) throws(JSONError) {
    let node = try JSONScanner.parse(Array(help.utf8))
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

  /// The command that arguments call: this one, or one below it.
  package func command(of arguments: [String]) -> CommandDescription {
    guard let word = arguments.first(where: { !$0.hasPrefix("-") }),
      let next = subcommands.first(where: { $0.words.last == word })
    else { return self }
    return next.command(of: Array(arguments.drop { $0 != word }.dropFirst()))
  }

  /// The names of the options that take one value.
  package var singleOptions: Set<String> {
    Set(arguments.filter { $0.value != nil && !$0.isRepeating }.flatMap(\.names))
  }

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
