// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Reads the dates and times that users write, in the language of the machine's user.
///
/// It is the only place of everyday edits where a text becomes a date.
public struct DateReading: Sendable {
  private let phrases: DatePhrases

  /// Creates a reading.
  ///
  /// - Parameters:
  ///   - machine: The clock and the language.
  ///   - viewer: The time zone of days and times.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(machine: Machine, viewer: ZoneRules) throws {
    phrases = try DatePhrases(machine: machine, zone: viewer)
  }

  /// The date or time of a text.
  ///
  /// - Throws: `EpactError` if the text is not one, or has several readings.
  public func moment(_ text: String) throws(EpactError) -> Moment {
    try Self.describing { () throws(DatePhraseError) in try phrases.moment(text) }
  }

  /// The time span of a text: days, a time, or a range of times.
  ///
  /// - Throws: `EpactError` if the text is not one, or has several readings.
  public func span(_ text: String) throws(EpactError) -> DateSpan {
    try Self.describing { () throws(DatePhraseError) in try phrases.span(text) }
  }

  /// The words of a command line, split into the title and the date phrase among them.
  ///
  /// - Throws: `EpactError` if the phrase has several readings.
  public func split(_ words: [String]) throws(EpactError) -> PhraseSplit {
    try Self.describing { () throws(DatePhraseError) in try phrases.split(words) }
  }

  func timePhrase(_ text: String) throws(EpactError) -> TimePhrase {
    try Self.describing { () throws(DatePhraseError) in try phrases.timePhrase(text) }
  }

  /// The result of a function, whose error becomes one of an argument.
  static func describing<Result>(
    _ body: () throws(DatePhraseError) -> Result
  ) throws(EpactError) -> Result {
    do throws(DatePhraseError) {
      return try body()
    } catch {
      throw EpactError(.argument, error.message)
    }
  }
}
