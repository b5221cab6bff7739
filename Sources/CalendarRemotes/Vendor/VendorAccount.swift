// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
import Synchronization

/// A calendar in the list of a vendor.
struct VendorCalendarEntry: Hashable, Sendable {
  /// The id of the calendar.
  let id: String
  /// The name for people.
  let title: String
  /// Whether the user may only read the calendar.
  let isReadOnly: Bool
}

/// The interface of a vendor for the calendars of a user.
protocol VendorAccountInterface: Sendable {
  /// Lists all calendars with events that the user can read.
  func calendars() async throws -> [VendorCalendarEntry]

  /// Adds a calendar with a name.
  func create(_ title: String) async throws -> VendorCalendarEntry

  /// Returns the number of items in a calendar; 0 if there is no such calendar.
  func itemCount(of id: String) async throws -> Int

  /// Deletes a calendar with all items in it; succeeds if there is none.
  func remove(_ id: String) async throws
}

/// A page of a list, as a vendor sends it.
protocol VendorList: Decodable {
  associatedtype Entry

  /// The entries of the page.
  var entries: [Entry] { get }

  /// The path of the next page; nil for the last one.
  ///
  /// - Parameter first: The path of the first page.
  /// - Returns: The path.
  func next(after first: String) -> String?
}

extension VendorSession {
  /// Returns the entries of all pages of a list.
  ///
  /// - Parameters:
  ///   - first: The path of the first page.
  ///   - type: The form of a page.
  /// - Returns: The entries, in the order of the vendor.
  /// - Throws: `RemoteError`; its code is `notFound` if there is no such list.
  func all<List: VendorList>(_ first: String, in type: List.Type) async throws -> [List.Entry] {
    var (entries, next): ([List.Entry], String?) = ([], first)
    var seen: Set<String> = []
    while let path = next, seen.insert(path).inserted {
      let list = try await send(.get, path).content(List.self)
      entries += list.entries
      next = list.next(after: first)
    }
    return entries
  }

  /// Returns the number of entries of all pages that are items; 0 if there is no such list.
  func count<List: VendorList>(
    _ first: String, in type: List.Type, where isItem: (List.Entry) -> Bool
  ) async throws -> Int {
    do {
      return try await all(first, in: type).count(where: isItem)
    } catch let error as RemoteError where error.code == .notFound {
      return 0
    }
  }
}

/// All calendars of a user at a vendor with an interface of its own.
///
/// The vendor chooses the id of a calendar, which would be no name of a folder for people. Therefore the
/// title of a calendar is its name within the account until the ledger knows the calendar by its id.
package final class VendorAccount: RemoteAccount {
  private let interface: any VendorAccountInterface
  /// The names of the calendars that were created by this value, by their ids.
  private let created = Mutex<[String: CollectionID]>([:])

  init(_ interface: any VendorAccountInterface) {
    self.interface = interface
  }

  /// Lists the calendars in the order of the vendor.
  ///
  /// - Throws: `RemoteError`.
  package func collections() async throws -> [AccountCollection] {
    try await interface.calendars().map(collection)
  }

  /// Returns none: vendors list subscriptions as calendars that can only be read.
  package func subscriptions() async throws -> [AccountSubscription] { [] }

  /// Creates a calendar, whose id the vendor chooses.
  ///
  /// A calendar that an interrupted run created is found by its title in the next one.
  ///
  /// - Throws: `RemoteError` if the vendor refuses, or if the calendar is not for events.
  package func create(
    _ id: CollectionID, title: String?, for components: Set<String>?
  ) async throws -> AccountCollection {
    let known = created.withLock { created in created.first { $0.value == id }?.key }
    if let known, let found = try await collections().first(where: { $0.place == known }) {
      return found
    }
    guard components?.contains("VEVENT") != false else {
      throw RemoteError(
        code: .refused, subject: id.rawValue, message: "the vendor has calendars of events only")
    }
    let made = try await interface.create(title ?? id.rawValue)
    created.withLock { $0[made.id] = id }
    return collection(made)
  }

  /// Deletes a calendar.
  ///
  /// - Throws: `RemoteError` if the vendor refuses, as it does for the default calendar.
  package func remove(
    _ collection: AccountCollection, withItems isWithItems: Bool
  ) async throws -> Int {
    if !isWithItems {
      let count = try await interface.itemCount(of: collection.place)
      guard count == 0 else { return count }
    }
    try await interface.remove(collection.place)
    return 0
  }

  private func collection(_ entry: VendorCalendarEntry) -> AccountCollection {
    let mark = SHA256.digest(of: Array(entry.id.utf8)).description.prefix(8)
    let title = ServerText.collapsed(entry.title)
    let distinct = Self.name(title.isEmpty ? "calendar-\(mark)" : "\(title)-\(mark)", mark)
    let id =
      created.withLock { $0[entry.id] } ?? (title.isEmpty ? distinct : Self.name(title, mark))
    return AccountCollection(
      id, at: entry.id, title: entry.title.isEmpty ? nil : entry.title,
      components: entry.isReadOnly ? [] : ["VEVENT"], distinctID: distinct)
  }

  /// The name of a calendar with a title; another one if no folder can have it.
  private static func name(_ title: String, _ mark: Substring) -> CollectionID {
    let names = [title, "calendar-\(mark)"].lazy.compactMap {
      CollectionID(segment: PercentEncoding.escapingAll($0))
    }
    guard let name = names.first else { preconditionFailure("letters and a hyphen are a name") }
    return name
  }
}
