// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import EpactConsole
import ICUServices

extension Context {
  /// The parser of dates for a viewer, in the language of the machine's locale.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  func phrases(in zone: ZoneRules) throws(ICUError) -> DatePhrases {
    try DatePhrases(machine: machine, zone: zone)
  }

  /// The date or time that an option names.
  ///
  /// - Parameters:
  ///   - text: The value of the option.
  ///   - option: The option, for messages.
  ///   - zone: The time zone in which a phrase, such as `tomorrow 12:30`, is resolved.
  /// - Returns: The date or time.
  /// - Throws: `Failure` if the value is invalid; `ICUError` if ICU lacks its data.
  func moment(_ text: String, option: String, in zone: ZoneRules) throws -> Moment {
    // The words of the language are read only if they are needed.
    if let moment = try? Moment(parsing: text) { return moment }
    do {
      return try phrases(in: zone).moment(text)
    } catch let error as DatePhraseError {
      throw Failure(.usage, "\(option): \(error.message)", hint: Self.hint(on: error))
    }
  }

  /// The query of an option or an argument.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - option: The option or the argument, for messages.
  ///   - viewer: The time zone in which dates are resolved.
  /// - Returns: The query with what it needs to be applied.
  /// - Throws: `Failure` if the query is invalid; `ICUError` if ICU lacks its data.
  func matcher(
    _ text: String, option: String, viewer: ZoneRules
  ) throws -> QueryMatcher {
    do {
      let query = try ItemQuery(parsing: text, phrases: phrases(in: viewer))
      return QueryMatcher(query, machine: machine, viewer: viewer)
    } catch let error as QueryError {
      throw Failure(.usage, "\(option): \(error.description)")
    }
  }

  private static func hint(on error: DatePhraseError) -> ConsoleText? {
    error.code == .syntax
      ? "Dates and times are written as 2026-11-01, 2026-11-01T09:00, tomorrow 12:30, fri or +3d."
      : nil
  }
}
