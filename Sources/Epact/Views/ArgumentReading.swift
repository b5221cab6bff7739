// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// Finds the calendars, the dates and the queries that the words of a user name.
///
/// Files can be read without a valid configuration, which is then ignored.
package struct ArgumentReading: Sendable {
  private let file: ConfigurationFile
  private let machine: Machine

  /// Reads words with the names of a configuration, and with the clock and the language of a machine.
  package init(_ file: ConfigurationFile, machine: Machine) {
    (self.file, self.machine) = (file, machine)
  }

  // MARK: Calendars

  /// The calendars that words name; all configured calendars if there are none.
  ///
  /// - Throws: `EpactError` or `ConfigurationError`.
  package func locations(_ words: [String]) throws -> [CalendarLocation] {
    guard words.isEmpty else {
      return try words.map { word in
        let isPath = word == "-" || word.contains("/") || word.contains(".")
        let isName =
          !isPath || (try? file.load().calendars[word]) != nil
          || FileMode(machine.paths.absolute(word)) == nil && configured(word) != nil
        guard isName else { return CalendarLocation(path: word) }
        let found = try location(word)
        if found.isInDatabase { throw EpactError.inDatabase(found.name) }
        return found
      }
    }
    let all = try file.load().calendars.values
    let calendars = all.filter { !$0.isInDatabase }
    if let first = all.map(\.name).min(), calendars.isEmpty { throw EpactError.inDatabase(first) }
    guard !calendars.isEmpty else {
      throw EpactError(
        .argument, "expected a calendar or a file, found none, and none in the configuration",
        remedy: .configure)
    }
    return calendars.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { CalendarLocation(path: $0.path, name: $0.name) }
  }

  /// The calendar that a word names: a configured name, a folder or a file.
  ///
  /// - Throws: `EpactError` or `ConfigurationError`.
  package func location(_ word: String, isWritten: Bool = false) throws -> CalendarLocation {
    try CalendarLocation(
      word, configuration: try file.load(), machine: machine, isWritten: isWritten)
  }

  /// The paths that words name: paths, or names of the configuration.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - shadowing: Called for the name of a calendar that takes precedence over a file.
  /// - Returns: The paths.
  package func paths(_ words: [String], shadowing: (String) -> Void) -> [String] {
    func isPath(_ word: String) -> Bool { word == "-" || word.contains("/") }
    guard !words.allSatisfy(isPath), let configuration = try? file.load() else { return words }
    return words.map { word in
      guard !isPath(word) else { return word }
      let path = machine.paths.absolute(word)
      let isThere = FileMode(path) != nil
      guard let calendar = Self.calendar(word, in: configuration, isExact: isThere) else {
        return word
      }
      if isThere, path != machine.paths.absolute(calendar.path) { shadowing(word) }
      return calendar.path
    }
  }

  private func configured(_ word: String) -> CalendarSettings? {
    (try? file.load()).flatMap { Self.calendar(word, in: $0, isExact: false) }
  }

  /// The calendar of a configuration with a name, or with a title unless `isExact`.
  private static func calendar(
    _ word: String, in configuration: Configuration, isExact: Bool
  ) -> CalendarSettings? {
    let names = configuration.calendars.keys
    let name =
      isExact
      ? try? CalendarName.exact(word, among: names)
      : try? CalendarName.find(word, among: names) { configuration.calendarTitles }
    return name.flatMap { configuration.calendars[$0] }
  }

  // MARK: Dates

  private static let dateForms =
    "Dates and times are written as 2026-11-01, 2026-11-01T09:00, tomorrow 12:30, fri or +3d."

  /// The date or the period before the calendars in some words, such as `next week` or `5 dec`.
  ///
  /// - Returns: The span, nil if the words begin with a calendar, and the number of its words.
  /// - Throws: `EpactError` for a date that is ambiguous or does not exist; `ICUError`.
  package func span(
    before words: [String], in zone: ZoneRules
  ) throws -> (DateSpan?, count: Int) {
    let dates = words.prefix(6).prefix { !isPath($0) && configured($0) == nil }
    for count in stride(from: dates.count, through: 1, by: -1) {
      let text = dates.prefix(count).joined(separator: " ")
      if let span = try span(of: text, in: zone) { return (span, count) }
    }
    return (nil, 0)
  }

  /// The calendars after the words of a date; all configured calendars if there are none.
  ///
  /// - Throws: `EpactError` if the first word is neither a date nor a calendar.
  package func locations(_ words: [String], after count: Int) throws -> [CalendarLocation] {
    do {
      return try locations(Array(words.dropFirst(count)))
    } catch let error as EpactError where count == 0 {
      guard case .usePath(let name)? = error.remedy else { throw error }
      throw EpactError(
        error.code, error.message, details: error.details, subject: error.subject,
        remedy: .other("To use a folder, write ./\(name). \(Self.dateForms)"))
    }
  }

  /// The date or the period that a text names; nil if it is none, or a calendar.
  ///
  /// The name of a configured calendar takes precedence over words, such as `may`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - phrase: The text to read instead of it; nil for the text.
  ///   - zone: The viewer's time zone.
  /// - Returns: The span.
  /// - Throws: `EpactError` for a date that is ambiguous or does not exist; `ICUError`.
  package func span(
    of text: String, phrase: String? = nil, in zone: ZoneRules
  ) throws -> DateSpan? {
    // The words of the language are read only if they are needed.
    if (try? Moment(parsing: text)) != nil {
      return try? DatePhrases(now: machine.now(), zone: zone).span(text)
    }
    if isPath(text) || configured(text) != nil { return nil }
    do {
      return try DatePhrases(machine: machine, zone: zone).span(phrase ?? text)
    } catch let error as DatePhraseError {
      guard error.isMeantAsDate else { return nil }
      throw EpactError(.argument, error.message)
    }
  }

  private func isPath(_ text: String) -> Bool {
    let hasSlash = text.contains("/") && !text.allSatisfy { $0.isNumber || $0 == "/" }
    return text == "-" || hasSlash || text.lowercased().hasSuffix(".ics")
  }

  /// The date or time that the value of an option names, such as `tomorrow 12:30`.
  ///
  /// - Throws: `EpactError` if it names none; `ICUError` if ICU lacks its data.
  package func moment(_ text: String, option: String, in zone: ZoneRules) throws -> Moment {
    // The words of the language are read only if they are needed.
    if let moment = try? Moment(parsing: text) { return moment }
    do {
      return try DatePhrases(machine: machine, zone: zone).moment(text)
    } catch let error as DatePhraseError {
      throw EpactError(
        .argument, "\(option): \(error.message)",
        remedy: error.code == .syntax ? .other(Self.dateForms) : nil)
    }
  }

  // MARK: Queries

  /// The query of an option or an argument, with what it needs to be applied.
  ///
  /// - Throws: `EpactError` if it is invalid; `ICUError` if ICU lacks its data.
  package func matcher(
    _ text: String, option: String, viewer: ZoneRules
  ) throws -> QueryMatcher {
    do {
      let titles = (try? file.load().calendarTitles) ?? [:]
      let phrases = try DatePhrases(machine: machine, zone: viewer)
      let query = try ItemQuery(parsing: text, phrases: phrases).namingCalendars(titles)
      return QueryMatcher(query, machine: machine, viewer: viewer)
    } catch let error as QueryError {
      throw EpactError(.argument, "\(option): \(error.description)")
    }
  }
}
