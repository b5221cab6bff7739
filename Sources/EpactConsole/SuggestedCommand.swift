// SPDX-License-Identifier: Apache-2.0

import Epact

/// A suggested command in a message, to be copied into a shell.
package struct SuggestedCommand: Hashable, Sendable {
  /// An option of a command.
  package struct Option: Hashable, Sendable {
    fileprivate let name: String
    fileprivate let value: String?

    /// Creates an option with a value, or a flag.
    package init(_ name: String, _ value: String?) {
      self.name = name
      self.value = value
    }
  }

  private let words: [String]
  private let operands: [String]
  private let options: [Option]

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - words: The program and its subcommands.
  ///   - operands: The operands, which may begin with a hyphen.
  ///   - options: The options with their values; nil for a flag.
  package init(
    _ words: String..., operands: [String] = [], options: KeyValuePairs<String, String?> = [:]
  ) {
    self.words = words
    self.operands = operands
    self.options = options.map { Option($0.key, $0.value) }
  }

  /// The command line.
  ///
  /// - Parameter repeated: Further options, those of the current call that the suggested one needs,
  ///   too.
  /// - Returns: The command line, with words quoted for a shell.
  package func line(repeating repeated: [Option] = []) -> String {
    let choices = (options + repeated).flatMap { option in
      guard let value = option.value else { return [option.name] }
      // The parser would interpret a separate value with a leading hyphen as an option.
      return value.hasPrefix("-") ? ["\(option.name)=\(value)"] : [option.name, value]
    }
    let isHyphenated = operands.contains { $0.hasPrefix("-") && $0 != "-" }
    let rest = isHyphenated ? choices + ["--"] + operands : operands + choices
    return (words + rest.map { ShellWord($0).description }).joined(separator: " ")
  }
}
