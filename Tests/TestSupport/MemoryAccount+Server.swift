// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
import Synchronization

/// What a server does with calendars that people have nothing to do with, and what a test looks at.
extension MemoryAccount {
  /// The calendars by place.
  package var places: [String: Content] { state.withLock { $0.calendars.mapValues(\.content) } }

  /// The calendars that a program asked to create, in order.
  package var creations: [CollectionID] { state.withLock { $0.creations } }

  /// The places that are refused, and those that would be if something were there.
  package var forbidden: Set<String> { state.withLock { $0.forbidden } }

  /// The places of the calendars that may only be read.
  package var readOnly: Set<String> { state.withLock { $0.readOnly } }

  /// The list as a program gets it.
  ///
  /// The first collection of calendars is the one that new ones come to.
  package var listed: AccountList {
    state.withLock { state in
      let calendars = state.calendars.values.map(\.collection)
      let members = calendars.filter { state.forbidden.contains($0.place) }
      let gaps =
        members.map { calendar in
          AccountList.Gap(
            place: calendar.place, id: CollectionID(place: calendar.place), reason: "status 403")
        }
        + state.forbidden.filter { $0.hasSuffix("/") }.map { place in
          AccountList.Gap(place: place, id: nil, reason: "status 403", mayHoldMore: place == name)
        }
      return AccountList(
        collections: calendars.filter { !state.isForbidden($0.place) }.map { calendar in
          guard state.readOnly.contains(calendar.place) else { return calendar }
          return AccountCollection(
            calendar.id, at: calendar.place, title: calendar.title, components: [])
        }, gaps: gaps)
    }
  }

  /// Refuses a calendar, or with a slash at the end a collection of calendars, or no more.
  package func forbid(_ place: String, _ isForbidden: Bool = true) {
    state.withLock { state in
      if isForbidden { state.forbidden.insert(place) } else { state.forbidden.remove(place) }
    }
  }

  /// Lists a calendar as one that may only be read, or no more.
  package func protect(_ place: String, _ isReadOnly: Bool = true) {
    state.withLock { state in
      if isReadOnly { state.readOnly.insert(place) } else { state.readOnly.remove(place) }
    }
  }

  /// Stores new calendars of programs at other places than those of their names from now on.
  package func choosePlaces() {
    state.withLock { $0.isChoosingPlaces = true }
  }

  /// Gives a calendar another place, unless something is there.
  ///
  /// - Parameters:
  ///   - place: The place of the calendar.
  ///   - collection: The collection of calendars that it comes to, with a slash at the end.
  ///   - isRenamed: Whether the last segment of the place changes, too.
  ///   - copy: Copies what is in the calendar.
  /// - Returns: The new place; nil if the calendar stays.
  @discardableResult
  package func relocate(
    _ place: String, to collection: String, renaming isRenamed: Bool,
    _ copy: (Content, Content) -> Void
  ) -> String? {
    state.withLock { state in
      guard let old = state.calendars[place], let segment = place.split(separator: "/").last else {
        return nil
      }
      let new = isRenamed ? state.choosePlace(in: collection) : collection + segment
      guard state.calendars[new] == nil, let id = CollectionID(place: new) else { return nil }
      let moved = AccountCollection(id, at: new, title: old.collection.title)
      let content = make(moved)
      copy(old.content, content)
      state.calendars[place] = nil
      state.calendars[new] = (moved, content)
      if state.readOnly.remove(place) != nil { state.readOnly.insert(new) }
      return new
    }
  }
}

extension MemoryAccount.State {
  /// Whether a calendar or the collection that it is in is refused.
  func isForbidden(_ place: String) -> Bool {
    forbidden.contains(place)
      || forbidden.contains { $0.hasSuffix("/") && place.hasPrefix($0) }
  }

  /// A place that nothing was at; no such place begins another one.
  mutating func choosePlace(in collection: String) -> String {
    lastNumber += 1
    return "\(collection)x\(lastNumber)"
  }
}

extension CollectionID {
  /// The name that a place states: its last segment.
  init?(place: String) {
    guard let segment = place.split(separator: "/").last else { return nil }
    self.init(segment: segment)
  }
}
