// SPDX-License-Identifier: Apache-2.0

import Epact

/// A part of a text line, in which interpolated values are escaped.
///
/// Only literals in the source are trusted: `"added \(title)"` cannot send an escape sequence in
/// the title to the terminal. Styles are separate from the text, so that the use of colour is
/// decided only when the line is written.
package struct ConsoleText: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The style of a text in colour output.
  package enum Style: String, Sendable, Hashable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  private struct Segment: Sendable, Hashable {
    var text = ""
    var style: Style?
    /// A command instead of the text.
    var command: SuggestedCommand?
  }

  private var segments: [Segment] = []

  /// Creates the empty text.
  package init() {}

  /// Creates text from a literal in the source.
  package init(stringLiteral value: String) {
    segments = [Segment(text: value, style: nil)]
  }

  /// Creates text from an interpolated literal.
  package init(stringInterpolation: StringInterpolation) {
    segments = stringInterpolation.text.segments
  }

  /// Creates escaped text from external text, with a style.
  package init(_ text: String, _ style: Style? = nil) {
    segments = [Segment(text: SafeText.escaped(text), style: style)]
  }

  /// Creates text of several lines from external text; each line is escaped, line breaks are kept.
  package init(lines text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let escaped = lines.map { SafeText.escaped(String($0)) }.joined(separator: "\n")
    segments = [Segment(text: escaped, style: nil)]
  }

  /// The characters, with or without escape sequences for colour.
  ///
  /// - Parameters:
  ///   - inColor: Whether styles are applied.
  ///   - options: The options that commands in the text repeat.
  /// - Returns: The characters.
  package func rendered(
    inColor: Bool, repeating options: [SuggestedCommand.Option] = []
  ) -> String {
    segments
      .map { segment in
        if let command = segment.command { return command.line(repeating: options) }
        guard inColor, let style = segment.style else { return segment.text }
        return "\u{1B}[\(style.rawValue)m\(segment.text)\u{1B}[0m"
      }
      .joined()
  }

  /// The characters without styles.
  package var plain: String { rendered(inColor: false) }

  /// Concatenates two texts.
  package static func + (left: ConsoleText, right: ConsoleText) -> ConsoleText {
    var result = left
    result.segments += right.segments
    return result
  }

  /// Collects the parts of an interpolated literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ConsoleText()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      text.segments.append(Segment(text: literal, style: nil))
    }

    /// Appends external text, escaped.
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text = text + ConsoleText(value.description)
    }

    /// Appends external text, escaped and with a style.
    package mutating func appendInterpolation(
      _ value: some CustomStringConvertible, _ style: Style?
    ) {
      text = text + ConsoleText(value.description, style)
    }

    /// Appends a command to copy, with words quoted for a shell.
    package mutating func appendInterpolation(_ command: SuggestedCommand) {
      text.segments.append(Segment(command: command))
    }

    /// Appends text that is already escaped.
    package mutating func appendInterpolation(_ value: ConsoleText) {
      text = text + value
    }
  }
}
