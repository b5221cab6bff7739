// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
package import CalendarSync

/// The names by which syncs know the items of folders, for choosing among files with the same UID.
///
/// All readers of a folder use the same names, so that each of them takes the same file for the
/// item. The names are looked up only if several files hold a UID.
///
/// ```swift
/// let names = KnownNames(ledger: ledgerPath)
/// let folder = try FolderCalendar(path: path, for: .reading, knowing: names)
/// ```
public struct KnownNames: Sendable {
  /// The names of items that no sync knows.
  public static let none = KnownNames { _, _ in [:] }

  private let find: @Sendable (Set<UID>, String) throws -> [UID: Set<String>]
  /// Opens a calendar in the ledger that knows the names, by the calendar's name; nil without a ledger.
  private(set) var openStored: (@Sendable (String, LocalCalendars.Purpose) -> any LocalCalendar)?

  /// Creates the value from a lookup.
  ///
  /// - Parameter find: Returns the names for some UIDs in the folder with a canonical path.
  public init(_ find: @escaping @Sendable (Set<UID>, String) throws -> [UID: Set<String>]) {
    self.find = find
  }

  /// Creates the value from a lookup in a ledger.
  init(
    _ find: @escaping @Sendable (Set<UID>, String) throws -> [UID: Set<String>],
    openStored: @escaping @Sendable (String, LocalCalendars.Purpose) -> any LocalCalendar
  ) {
    (self.find, self.openStored) = (find, openStored)
  }

  /// The files that are the items of some UIDs.
  ///
  /// - Parameters:
  ///   - names: The names of all files with each UID.
  ///   - location: The path of the folder, in canonical form.
  /// - Returns: The name of the item's file for each UID.
  /// - Throws: An error of the lookup.
  package func items(
    among names: [UID: [String]], in location: String
  ) throws -> [UID: String] {
    guard !names.isEmpty else { return [:] }
    let known = try find(Set(names.keys), location)
    var items: [UID: String] = [:]
    for (uid, names) in names {
      items[uid] = SharedUID.item(among: names, known: known[uid] ?? [])
    }
    return items
  }
}

extension UnreadableEntry {
  /// Creates the entry of a file whose UID is that of an item in another file.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - uid: The UID.
  ///   - item: The name of the file that is the item.
  package init(_ name: String, sharing uid: UID, with item: String) {
    self.init(
      name: name, reason: "holds the UID '\(uid)', which \(item) holds already", sharedUID: uid)
  }
}
