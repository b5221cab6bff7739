// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
import Synchronization

/// One side of an account in memory: its calendars by place.
package final class MemoryAccount<Content: Sendable>: CalendarAccount {
  private struct State {
    var calendars: [String: (collection: AccountCollection, content: Content)] = [:]
  }

  private let name: String
  private let faults: FaultPlan
  private let make: @Sendable (CollectionID) -> Content
  private let count: @Sendable (Content) -> Int
  private let state = Mutex(State())

  /// Creates a side without calendars.
  ///
  /// - Parameters:
  ///   - name: What begins the places: `there/` for a server, nothing for a folder.
  ///   - faults: What goes wrong.
  ///   - count: How many items a calendar has.
  ///   - make: Makes an empty calendar.
  package init(
    _ name: String = "", faults: FaultPlan = FaultPlan(),
    count: @escaping @Sendable (Content) -> Int,
    make: @escaping @Sendable (CollectionID) -> Content
  ) {
    self.name = name
    self.faults = faults
    self.make = make
    self.count = count
  }

  // MARK: What a person does

  /// The calendars by name.
  package var calendars: [CollectionID: Content] {
    state.withLock { state in
      Dictionary(
        uniqueKeysWithValues: state.calendars.values.map { ($0.collection.id, $0.content) })
    }
  }

  /// Adds an empty calendar, unless it is there.
  package func add(_ id: CollectionID, title: String? = nil) {
    let collection = AccountCollection(id, at: name + id.folder, title: title)
    state.withLock { state in
      guard state.calendars[collection.place] == nil else { return }
      state.calendars[collection.place] = (collection, make(id))
    }
  }

  /// Removes a calendar with everything in it.
  package func drop(_ id: CollectionID) {
    state.withLock { $0.calendars[name + id.folder] = nil }
  }

  // MARK: CalendarAccount

  package func collections() async throws -> [AccountCollection] {
    try faults.perform("collections \(name)") {
      state.withLock { $0.calendars.values.map(\.collection) }
    }
  }

  package func create(
    _ id: CollectionID, title: String?, for components: Set<String>?
  ) async throws -> AccountCollection {
    try faults.perform("create \(name)\(id)") {
      add(id, title: title)
      return AccountCollection(id, at: name + id.folder, title: title)
    }
  }

  package func remove(
    _ collection: AccountCollection, withItems isWithItems: Bool
  ) async throws -> Int {
    try faults.perform("remove \(collection.place)") {
      state.withLock { state in
        guard let held = state.calendars[collection.place] else { return 0 }
        let items = count(held.content)
        guard isWithItems || items == 0 else { return items }
        state.calendars[collection.place] = nil
        return 0
      }
    }
  }
}
