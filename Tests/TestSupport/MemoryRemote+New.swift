// SPDX-License-Identifier: Apache-2.0

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
  public func omitAtFirst(_ place: String) {
    state.withLock { _ = $0.omitted.insert(Href(place)) }
  }
}
