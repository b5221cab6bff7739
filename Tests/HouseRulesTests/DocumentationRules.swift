// SPDX-License-Identifier: Apache-2.0

/// What holds for the documentation of the libraries: every public symbol has some.
///
/// The linter sees neither the cases of an enumeration nor the requirements of a protocol, and the
/// symbol graph takes a build; so the declarations are found by their lines, word by word, which is
/// much quicker than expressions.
enum DocumentationRules {
  /// The public declarations of a file.
  struct Report {
    var count = 0
    /// Those that have no documentation.
    var violations: [Violation] = []
  }

  /// What a brace opens: the members of some types are public without saying so.
  private enum Body {
    case publicEnum, publicProtocol, publicExtension, other
  }

  private static let declarations: Set<Substring> = [
    "func", "var", "let", "init", "subscript", "associatedtype", "typealias", "struct", "enum",
    "class", "actor", "protocol", "extension",
  ]
  private static let modifiers: Set<Substring> = [
    "static", "mutating", "nonisolated", "consuming", "borrowing", "indirect", "public", "final",
  ]

  static func report(on file: SourceFile) -> Report {
    var report = Report()
    guard ["public ", "open "].contains(where: { file.text.utf8.firstRange(of: $0.utf8) != nil })
    else { return report }
    let lines = file.lines
    var bodies: [Body] = []
    /// The body that a declaration opens whose brace is still to come.
    var pending = Body.other
    for (index, code) in SwiftCode.of(file.text).lines.enumerated() {
      let words = words(of: code)
      if declaresPublicly(words, in: bodies.last) {
        report.count += 1
        if !isDocumented(index, in: lines) {
          report.violations.append(
            Violation(
              file.path, line: index + 1, "no documentation: \(words.joined(separator: " "))"))
        }
      }
      if let body = body(openedBy: words) { pending = body }
      for byte in code.utf8 {
        if byte == UInt8(ascii: "{") {
          bodies.append(pending)
          pending = .other
        } else if byte == UInt8(ascii: "}") {
          _ = bodies.popLast()
        }
      }
    }
    return report
  }

  /// The words of a line up to what is no keyword any more, without attributes in front.
  private static func words(of code: String) -> ArraySlice<Substring> {
    code.split(separator: " ", maxSplits: 8).map { $0.prefix { $0 != "(" && $0 != ":" } }
      .drop { $0.hasPrefix("@") }
  }

  private static func declaresPublicly(_ words: ArraySlice<Substring>, in body: Body?) -> Bool {
    guard let first = words.first else { return false }
    if words.contains("override") { return false }
    let isOpen = first == "open" && words.dropFirst().first.map(declarations.contains) ?? false
    if first == "public" || isOpen {
      return !words.dropFirst().prefix(2).contains { $0 == "import" || $0 == "extension" }
    }
    let keyword = words.first { !modifiers.contains($0) } ?? first
    return switch body {
    case .publicEnum: keyword == "case" && words.count > 1
    case .publicProtocol, .publicExtension: declarations.contains(keyword)
    case .other, nil: false
    }
  }

  private static func body(openedBy words: ArraySlice<Substring>) -> Body? {
    let keyword = words.first { !modifiers.contains($0) }
    guard words.first == "public" || words.first == "open" else {
      return keyword.map { declarations.contains($0) } ?? false ? .other : nil
    }
    return switch keyword {
    case "enum": .publicEnum
    case "protocol": .publicProtocol
    case "extension": .publicExtension
    default: .other
    }
  }

  /// Whether a comment stands directly above a declaration and its attributes.
  private static func isDocumented(_ index: Int, in lines: [Substring]) -> Bool {
    for line in lines[..<index].reversed() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("@") { continue }
      return text.hasPrefix("///")
    }
    return false
  }
}
