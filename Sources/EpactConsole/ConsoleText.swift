// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
import Epact

/// A part of a text line, in which interpolated values are escaped.
///
/// Only literals in the source are trusted: `"added \(title)"` cannot send an escape sequence in
/// the title to the terminal. Styles are separate from the text, so that the use of colour is
/// decided only when the line is written.
package struct ConsoleText: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The style of a text in colour output.
  package struct Style: Sendable, Hashable {
    /// The parameters of the escape sequence (ECMA-48 §8.3.117).
    fileprivate let parameters: String

    package static let bold = Style("1")
    package static let dim = Style("2")
    package static let red = Style("31")
    package static let green = Style("32")
    package static let yellow = Style("33")
    package static let cyan = Style("36")

    /// Creates a style from the parameters of its escape sequence.
    init(_ parameters: String) {
      self.parameters = parameters
    }
  }

  private struct Segment: Sendable, Hashable {
    var text = ""
    var style: Style?
    /// A command instead of the text.
    var command: SuggestedCommand?
    /// A time instead of the text.
    var time: Instant?
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
  ///   - time: Writes the times in the text.
  /// - Returns: The characters.
  package func rendered(
    inColor: Bool, repeating options: [SuggestedCommand.Option] = [],
    time: (Instant) -> String = { $0.timestamp }
  ) -> String {
    segments
      .map { segment in
        if let command = segment.command { return command.line(repeating: options) }
        let text = segment.time.map(time) ?? segment.text
        guard inColor, let style = segment.style else { return text }
        return "\u{1B}[\(style.parameters)m\(text)\u{1B}[0m"
      }
      .joined()
  }

  /// The name of an item: its title and its UID.
  package static func item(_ title: some StringProtocol, _ uid: UID) -> ConsoleText {
    "\"\(String(title))\" \("(\(uid))", .dim)"
  }

  /// The text without spaces at its end.
  package var trimmed: ConsoleText {
    var result = self
    while let last = result.segments.last, last.command == nil, last.time == nil {
      let text = last.text.reversed().drop { $0 == " " }
      result.segments[result.segments.count - 1].text = String(text.reversed())
      guard text.isEmpty else { break }
      result.segments.removeLast()
    }
    return result
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

    /// Appends a time, which the console writes in the user's time zone.
    package mutating func appendInterpolation(local time: Instant, _ style: Style? = nil) {
      text.segments.append(Segment(style: style, time: time))
    }

    /// Appends text that is already escaped.
    package mutating func appendInterpolation(_ value: ConsoleText) {
      text = text + value
    }
  }
}

extension Array {
  /// The first elements, and an element for the number of the others if there are more.
  package func limited(to limit: Int, rest: (Int) -> Element) -> [Element] {
    count > limit ? prefix(limit) + [rest(count - limit)] : self
  }
}
