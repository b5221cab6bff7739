// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not a date phrase.
public struct DatePhraseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value { case syntax, ambiguous, invalid, notSingle, tooLong, unread }

    private let value: Value

    /// The text has an unexpected word, number or sign.
    public static let syntax = Code(value: .syntax)
    /// The text has several readings; see ``DatePhraseError/readings``.
    public static let ambiguous = Code(value: .ambiguous)
    /// The text names a date or time that does not exist, or an end before its start.
    public static let invalid = Code(value: .invalid)
    /// The text is a range or has a duration where a single date or time is expected.
    public static let notSingle = Code(value: .notSingle)
    /// A word beside the date may be a word of time, and is not understood.
    public static let unread = Code(value: .unread)
    /// The text exceeds the limit of its length.
    public static let tooLong = Code(value: .tooLong)
  }

  /// The kind of the error.
  public let code: Code
  /// The column of the unexpected part in UTF-8 bytes, from 1.
  public let column: Int
  /// The message in lower case, without a full stop.
  public let message: String
  /// The possible readings of an ambiguous text, or that of the understood words beside a word that
  /// is not understood; each is an unambiguous phrase.
  public let readings: [String]

  init(_ code: Code, column: Int, _ message: String, readings: [String] = []) {
    self.code = code
    self.column = column
    self.message = message
    self.readings = readings
  }

  /// The message, preceded by the column.
  public var description: String { "column \(column): \(message)" }

  /// Whether the text is meant as a date, although it denotes none.
  package var isMeantAsDate: Bool { code == .ambiguous || code == .invalid }

  /// The error at a later column, for a phrase inside a longer text.
  func moved(by columns: Int) -> DatePhraseError {
    DatePhraseError(code, column: column + columns, message, readings: readings)
  }
}
