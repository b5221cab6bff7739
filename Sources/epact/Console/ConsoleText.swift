// SPDX-License-Identifier: Apache-2.0

/// A piece of a line for people, in which everything interpolated is escaped.
///
/// Only what stands literally in the source is trusted; `"added \(title)"` cannot carry an escape
/// sequence of the title to the terminal. Styles are kept apart from the words, so that colour is
/// decided once, where the line is written.
package struct ConsoleText: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// How a piece of text looks where colour is wanted.
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
    /// A command in place of the text.
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

  /// Creates text from outside text, escaped, in a style.
  package init(_ text: String, _ style: Style? = nil) {
    segments = [Segment(text: SafeText.escaped(text), style: style)]
  }

  /// Creates text of several lines from outside text: each line is escaped, the line ends stay.
  package init(lines text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let escaped = lines.map { SafeText.escaped(String($0)) }.joined(separator: "\n")
    segments = [Segment(text: escaped, style: nil)]
  }

  /// The characters, with or without the sequences that colour them.
  ///
  /// - Parameters:
  ///   - inColor: Whether styles show.
  ///   - configuration: The path that was given as `--config`, for the commands in the text.
  /// - Returns: The characters.
  package func rendered(inColor: Bool, configuration: String? = nil) -> String {
    segments
      .map { segment in
        if let command = segment.command { return command.line(configuration: configuration) }
        guard inColor, let style = segment.style else { return segment.text }
        return "\u{1B}[\(style.rawValue)m\(segment.text)\u{1B}[0m"
      }
      .joined()
  }

  /// The characters alone.
  package var plain: String { rendered(inColor: false) }

  /// Two texts, one after the other.
  package static func + (left: ConsoleText, right: ConsoleText) -> ConsoleText {
    var result = left
    result.segments += right.segments
    return result
  }

  /// Collects the pieces of an interpolated literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ConsoleText()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      text.segments.append(Segment(text: literal, style: nil))
    }

    /// Appends outside text, escaped.
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text = text + ConsoleText(value.description)
    }

    /// Appends outside text, escaped, in a style.
    package mutating func appendInterpolation(
      _ value: some CustomStringConvertible, _ style: Style?
    ) {
      text = text + ConsoleText(value.description, style)
    }

    /// Appends a command to be copied, whose words are quoted for a shell.
    package mutating func appendInterpolation(_ command: SuggestedCommand) {
      text.segments.append(Segment(command: command))
    }

    /// Appends text that was made safe before.
    package mutating func appendInterpolation(_ value: ConsoleText) {
      text = text + value
    }
  }
}
