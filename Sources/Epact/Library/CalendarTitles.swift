// SPDX-License-Identifier: Apache-2.0

extension Configuration {
  /// The titles of the calendars whose folder exists, by their names.
  package var calendarTitles: [String: String] {
    let known = LibraryCatalogue(self).calendars
    return Dictionary(known.map { ($0.name, $0.title) }) { first, _ in first }
  }
}

extension CalendarLibrary {
  /// The calendar with a name, with a name in one of the accounts, or with a title.
  ///
  /// - Throws: `EpactError` if there is none or more than one; `LibraryError`.
  package func calendar(named text: String) throws -> CalendarInfo {
    let known = try calendars()
    let titles = Dictionary(known.map { ($0.name, $0.title) }) { first, _ in first }
    guard let name = try CalendarName.find(text, among: known.map(\.name), titles: { titles }),
      let found = known.first(where: { $0.name == name })
    else {
      let error = EpactError.unknown(
        text, what: "calendar", known: known.flatMap { [$0.name, $0.title] })
      throw error.listing(known.map(\.name))
    }
    return found
  }
}

extension EpactError {
  /// The maximum number of calendars that an error lists.
  private static let listLimit = 10

  /// The error of an unknown calendar, with the names of the known ones.
  fileprivate func listing(_ names: [String]) -> EpactError {
    guard !names.isEmpty else { return self }
    let shown = names.sorted().prefix(Self.listLimit).joined(separator: ", ")
    let rest = names.count > Self.listLimit ? " and other ones" : ""
    return EpactError(
      code, message, details: ["the calendars are \(shown)\(rest)"], subject: subject,
      remedy: remedy)
  }
}
