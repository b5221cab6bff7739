// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
import Synchronization

/// One side of an account in memory: its calendars by place.
package final class MemoryAccount<Content: Sendable>: CalendarAccount {
  struct State {
    var calendars: [String: (collection: AccountCollection, content: Content)] = [:]
    /// The places that are refused: of calendars, or of collections of calendars with a slash at the end.
    var forbidden: Set<String> = []
    /// The places of the calendars that may only be read.
    var readOnly: Set<String> = []
    /// Whether new calendars are stored at other places than those of their names.
    var isChoosingPlaces = false
    /// The number of the last place that the side chose.
    var lastNumber = 99
    /// The calendars that a program asked to create, in order.
    var creations: [CollectionID] = []
  }

  /// What begins the places of new calendars.
  let name: String
  private let faults: FaultPlan
  let make: @Sendable (AccountCollection) -> Content
  private let count: @Sendable (Content) -> Int
  let state = Mutex(State())

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
    make: @escaping @Sendable (AccountCollection) -> Content
  ) {
    self.name = name
    self.faults = faults
    self.make = make
    self.count = count
  }

  // MARK: What a person does

  /// The calendars by name; of several with one name, one of them.
  package var calendars: [CollectionID: Content] {
    state.withLock { state in
      Dictionary(state.calendars.values.map { ($0.collection.id, $0.content) }) { first, _ in
        first
      }
    }
  }

  /// Adds an empty calendar, unless it is there.
  package func add(_ id: CollectionID, title: String? = nil) {
    let collection = AccountCollection(id, at: name + id.folder, title: title)
    state.withLock { state in
      guard state.calendars[collection.place] == nil else { return }
      state.calendars[collection.place] = (collection, make(collection))
    }
  }

  /// Removes a calendar with everything in it.
  package func drop(_ id: CollectionID) {
    drop(at: name + id.folder)
  }

  /// Removes the calendar at a place with everything in it.
  package func drop(at place: String) {
    state.withLock { state in
      state.calendars[place] = nil
      state.forbidden.remove(place)
      state.readOnly.remove(place)
    }
  }

  // MARK: CalendarAccount

  package func collections() async throws -> [AccountCollection] {
    try await list().collections
  }

  package func list() async throws -> AccountList {
    try faults.perform("collections \(name)") { listed }
  }

  package func create(
    _ id: CollectionID, title: String?, for components: Set<String>?
  ) async throws -> AccountCollection {
    try faults.perform("create \(name)\(id)") {
      try state.withLock { state in
        state.creations.append(id)
        let place = state.isChoosingPlaces ? state.choosePlace(in: name) : name + id.folder
        guard !state.isForbidden(place) else { throw FaultPlan.Failure(call: "create \(place)") }
        // A chosen place says nothing of the name.
        let own = state.isChoosingPlaces ? CollectionID(place: place) ?? id : id
        let collection = AccountCollection(own, at: place, title: title)
        if state.calendars[place] == nil {
          state.calendars[place] = (collection, make(collection))
        }
        return AccountCollection(own, at: place, title: title)
      }
    }
  }

  package func remove(
    _ collection: AccountCollection, withItems isWithItems: Bool
  ) async throws -> Int {
    try faults.perform("remove \(collection.place)") {
      let held = state.withLock { $0.calendars[collection.place]?.content }
      let items = held.map(count) ?? 0
      guard isWithItems || items == 0 else { return items }
      drop(at: collection.place)
      return 0
    }
  }
}
