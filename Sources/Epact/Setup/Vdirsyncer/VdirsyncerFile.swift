// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The configuration file of vdirsyncer: sections of keys, whose values are JSON.
///
/// ```
/// [storage work_remote]
/// type = "caldav"
/// password.fetch = ["command", "pass", "show", "dav"]
/// ```
struct VdirsyncerFile: Sendable {
  /// A value in JSON.
  enum Value: Hashable, Decodable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Value])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .string(value)
      } else if let value = try? container.decode([Value].self) {
        self = .array(value)
      } else {
        self = .object(try container.decode([String: Value].self))
      }
    }

    /// The text, or nil if the value is no string.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements, or nil if the value is no array.
    var elements: [Value]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members, or nil if the value is no object.
    var members: [String: Value]? { if case .object(let members) = self { members } else { nil } }
  }

  /// A section, such as `[pair work]`.
  struct Section: Sendable {
    let kind: String
    let name: String
    let line: Int
    var values: [String: Value] = [:]

    subscript(key: String) -> Value? { values[key] }
  }

  /// An option whose value may continue on the next lines.
  private struct Option {
    let key: String
    let line: Int
    let column: Int
    var text: String
  }

  /// The sections, in their order.
  private(set) var sections: [Section] = []
  private let path: String

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - text: The contents.
  ///   - path: The path, for errors.
  /// - Throws: `EpactError` with file, line and column.
  init(parsing text: String, path: String) throws(EpactError) {
    self.path = path
    var option: Option?
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let (number, content) = (index + 1, Self.trimmed(line))
      if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { continue }
      if line.first == " " || line.first == "\t", option != nil {
        option?.text += "\n" + content
        continue
      }
      try add(&option)
      if content.hasPrefix("[") {
        try open(content, line: number)
      } else {
        option = try self.option(line, content, line: number)
      }
    }
    try add(&option)
  }

  private mutating func open(_ content: String, line: Int) throws(EpactError) {
    guard content.hasSuffix("]") else {
      throw error("expected ] at the end of the section", line, content.utf8.count)
    }
    let words = content.dropFirst().dropLast().split(separator: " ", maxSplits: 1)
    let kind = words.first.map(String.init) ?? ""
    let name = words.count > 1 ? Self.trimmed(words[1]) : kind
    guard ["general", "pair", "storage"].contains(kind) else {
      throw error("expected general, pair or storage, found \"\(kind)\"", line, 2)
    }
    guard !sections.contains(where: { $0.kind == kind && $0.name == name }) else {
      throw error("there are two sections [\(kind) \(name)]", line, 1)
    }
    sections.append(Section(kind: kind, name: name, line: line))
  }

  private func option(
    _ line: Substring, _ content: String, line number: Int
  ) throws(EpactError) -> Option {
    guard let end = line.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
      throw error("expected a key and a value, found \"\(content)\"", number, 1)
    }
    guard !sections.isEmpty else {
      throw error("expected a section before the first key", number, 1)
    }
    let rest = line[line.index(after: end)...]
    let value = rest.drop { $0 == " " || $0 == "\t" }
    let column = line[..<value.startIndex].utf8.count + 1
    return Option(
      key: Self.trimmed(line[..<end]).lowercased(), line: number, column: column,
      text: Self.trimmed(value))
  }

  /// Adds an option to the last section.
  private mutating func add(_ option: inout Option?) throws(EpactError) {
    guard let found = option else { return }
    option = nil
    guard let value = Self.value(found.text) else {
      throw error(
        "the value of \"\(found.key)\" is not JSON; texts need quotes", found.line, found.column)
    }
    sections[sections.count - 1].values[found.key] = value
  }

  /// The value of a JSON text.
  static func value(_ text: String) -> Value? {
    // The decoder need not accept single values, so that the text is wrapped.
    try? JSONDecoder().decode([Value].self, from: Data("[\(text)\n]".utf8)).first
  }

  /// The error at a position.
  func error(_ message: String, _ line: Int, _ column: Int = 1) -> EpactError {
    EpactError(.configuration, "\(path):\(line):\(column): \(message)", subject: path)
  }

  /// The section of a kind with a name.
  func section(_ kind: String, _ name: String) -> Section? {
    sections.first { $0.kind == kind && $0.name == name }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let blanks: Set<Character> = [" ", "\t", "\r"]
    let start = text.drop { blanks.contains($0) }
    return String(start.reversed().drop { blanks.contains($0) }.reversed())
  }
}
