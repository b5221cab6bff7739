// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
import Synchronization

/// What the remote does for the first run of a sync, whose first answer may omit items.
extension MemoryRemote {
  /// Opens the remote for the first run of a sync.
  public func openNewCalendar() async throws -> any RemoteCalendar {
    let calendar = try await openCalendar()
    state.withLock { state in
      state.isNew = true
      state.firsts += 1
    }
    return calendar
  }

  /// Whether a listing contains all that there is.
  public func isWhole(_ listing: [RemoteEntry]) async throws -> Bool {
    state.withLock { state in
      guard state.isNew else { return true }
      state.comparisons += 1
      return Set(state.resources.keys).subtracting(state.hidden).isSubset(of: listing.map(\.href))
    }
  }

  /// How often it was opened for the first run of a sync.
  public var firsts: Int { state.withLock { $0.firsts } }

  /// How often a first answer was compared with a listing.
  public var comparisons: Int { state.withLock { $0.comparisons } }

  /// Omits a place from the first answer of a first run.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - isForgotten: Whether the changes since that answer omit it, too, as those of a server whose
  ///     report was not whole. Only a listing then has it.
  public func omitAtFirst(_ place: String, isForgotten: Bool = false) {
    state.withLock { state in
      state.omitted.insert(Href(place))
      if isForgotten { state.forgotten.insert(Href(place)) }
    }
  }

  /// Omits some items of others from the first answers of first runs, for every third seed.
  ///
  /// They are at places of their own, where an addition of the same UID would be a second item.
  ///
  /// - Parameters:
  ///   - uids: The items that may be omitted.
  ///   - seed: The seed of a history, whose other choices stay the same.
  /// - Returns: The items that are omitted.
  @discardableResult
  public func omitAtFirst(someOf uids: [String], seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed ^ 0x6F6D_6974)
    // A listing that is late misses items, too, and nothing then prevents a second one.
    guard Int.random(in: 0..<3, using: &random) == 0, !quirks.contains(.listsLate) else {
      return []
    }
    let omitted = uids.filter { _ in Bool.random(using: &random) }
    state.withLock { $0.hasForeignPlaces = true }
    for uid in omitted { omitAtFirst(foreignHref(of: UID(uid)).rawValue) }
    return omitted
  }

  /// The place where others add an item.
  func foreignHref(of uid: UID) -> Href { href(of: UID("other-\(uid.rawValue)")) }
}
