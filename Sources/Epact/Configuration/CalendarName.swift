// SPDX-License-Identifier: Apache-2.0

/// The names by which people call calendars: the whole name, the name without its account, or the
/// title, without regard to case if none is written so.
///
/// `home/work` is also `work`, if no other account has a calendar of that name.
package enum CalendarName {
  /// Finds the name that a text denotes; nil if it denotes none.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - names: The names of all calendars.
  ///   - titles: Returns their titles by name; it is called only if the text is no name.
  /// - Returns: The name, or nil.
  /// - Throws: `EpactError` if it denotes several calendars.
  package static func find(
    _ text: String, among names: some Collection<String>,
    titles: () -> [String: String] = { [:] }
  ) throws(EpactError) -> String? {
    if let name = try exact(text, among: names) { return name }
    let titles = titles()
    if let name = try only(names.filter { titles[$0] == text }, of: text) { return name }
    let folded = text.lowercased()
    let similar = names.filter { name in
      name.lowercased() == folded || name.lowercased().hasSuffix("/" + folded)
        || titles[name]?.lowercased() == folded
    }
    return try only(similar, of: text)
  }

  /// Finds the name that a text is, as a whole or without the account; nil if it is none.
  ///
  /// - Throws: `EpactError` if it denotes several calendars.
  package static func exact(
    _ text: String, among names: some Collection<String>
  ) throws(EpactError) -> String? {
    if names.contains(text) { return text }
    return try only(names.filter { $0.hasSuffix("/" + text) }, of: text)
  }

  private static func only(
    _ found: [String], of text: String
  ) throws(EpactError) -> String? {
    guard found.count <= 1 else {
      throw EpactError(
        .argument,
        "\"\(text)\" denotes several calendars: \(found.sorted().joined(separator: ", "))",
        subject: text)
    }
    return found.first
  }
}
