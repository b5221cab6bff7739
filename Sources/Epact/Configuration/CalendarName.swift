// SPDX-License-Identifier: Apache-2.0

/// The names by which people call calendars: the whole name, the name without its account, or the
/// title.
///
/// `home/work` is also `work`, if no other account has a calendar of that name.
package enum CalendarName {
  /// Finds the name that a text denotes; nil if it denotes none.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - names: The names of all calendars.
  ///   - titles: Their titles by name.
  /// - Returns: The name, or nil.
  /// - Throws: `EpactError` if it denotes several calendars.
  package static func find(
    _ text: String, among names: some Collection<String>, titles: [String: String] = [:]
  ) throws(EpactError) -> String? {
    if names.contains(text) { return text }
    var found = names.filter { $0.hasSuffix("/" + text) }
    if found.isEmpty { found = names.filter { titles[$0] == text } }
    guard found.count <= 1 else {
      throw EpactError(
        .argument,
        "\"\(text)\" denotes several calendars: \(found.sorted().joined(separator: ", "))",
        subject: text)
    }
    return found.first
  }
}

extension CalendarLibrary {
  /// The calendar with a name, with a name in one of the accounts, or with a title.
  ///
  /// - Throws: `EpactError` if there is none or more than one; `LibraryError`.
  package func calendar(named text: String) throws -> CalendarInfo {
    let known = try calendars()
    let titles = Dictionary(known.map { ($0.name, $0.title) }) { first, _ in first }
    guard let name = try CalendarName.find(text, among: known.map(\.name), titles: titles),
      let found = known.first(where: { $0.name == name })
    else { throw EpactError.unknown(text, what: "calendar", known: known.map(\.name)) }
    return found
  }
}
