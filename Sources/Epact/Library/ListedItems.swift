// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
public import CalendarModel
import CalendarStore

/// An item in a list that was printed with numbers.
public struct ListedItem: Hashable, Sendable {
  /// The identifier of the calendar.
  public let calendar: String
  /// The UID.
  public let uid: UID

  /// Creates a listed item.
  public init(calendar: String, uid: UID) {
    self.calendar = calendar
    self.uid = uid
  }
}

/// The list that was printed last, by which the user can name items with a number.
///
/// There is one for each user, in the file `last-list` of the state folder: a line for each item,
/// in order, with the calendar and the UID, separated by a tab.
public struct ListedItems: Sendable {
  /// The maximum number of items that are stored.
  private static let countLimit = 10_000
  /// The maximum size of the file, in bytes.
  private static let sizeLimit = 4 << 20

  private let path: String

  /// Takes the user's list; reads nothing yet.
  public init(machine: Machine) {
    path = machine.stateFolder + "/last-list"
  }

  /// Reads the items; none if nothing was listed yet, or the file is damaged.
  public func load() -> [ListedItem] {
    guard var stream = try? InputStream(path: path),
      let bytes = try? stream.readAll(limit: Self.sizeLimit)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(Self.countLimit)
      .map { line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(Self.plain)
        guard fields.count == 2 else { return ListedItem(calendar: "", uid: UID("")) }
        return ListedItem(calendar: fields[0], uid: UID(fields[1]))
      }
  }

  /// Stores the items, and replaces the earlier list.
  ///
  /// - Throws: `StoreError`.
  public func store(_ items: [ListedItem]) throws {
    let lines = items.prefix(Self.countLimit).map { item in
      [item.calendar, item.uid.rawValue].map(Self.escaped).joined(separator: "\t") + "\n"
    }
    try PrivateFolder.make(CalendarLocation(path: path).folder)
    let file = try AtomicFile(replacing: path, permissions: .secret)
    try file.write(Array(lines.joined().utf8))
    try file.commit()
  }

  private static func escaped(_ field: String) -> String {
    field.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
  }

  private static func plain(_ field: Substring) -> String {
    var (result, isEscape) = ("", false)
    for character in field {
      if isEscape {
        result.append(character == "t" ? "\t" : character == "n" ? "\n" : character)
        isEscape = false
      } else if character == "\\" {
        isEscape = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}
