// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Synchronization

/// A folder in memory that keeps the promises of both local ports, and counts the scans.
final class MemoryFolder: LocalCalendar, LocalAppender {
  private struct State {
    var files: [String: [UInt8]] = [:]
    var scans = 0
    var failure: String?
  }

  private let state = Mutex(State())

  let location = "/calendars/shared"

  /// How often the folder was scanned.
  var scans: Int { state.withLock { $0.scans } }

  /// Puts a file into the folder as another program would.
  func write(_ bytes: [UInt8], as name: String) {
    state.withLock { $0.files[name] = bytes }
  }

  /// Makes every later change fail for this reason.
  func fail(_ reason: String) {
    state.withLock { $0.failure = reason }
  }

  func scan() async throws -> LocalListing {
    state.withLock { state in
      state.scans += 1
      var listing = LocalListing()
      for (name, bytes) in state.files.sorted(by: { $0.key < $1.key }) {
        do {
          let item = try CalendarItem(parsing: bytes)
          listing.entries.append(
            LocalEntry(name: name, revision: Self.revision(bytes), item: item))
        } catch {
          listing.unreadable.append(UnreadableEntry(name: name, reason: String(describing: error)))
        }
      }
      return listing
    }
  }

  func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    state.withLock { state in
      changes.map { change in
        if let failure = state.failure { return .failed(reason: failure) }
        switch change {
        case .create(let item):
          let name = ItemName(of: item.uid).rawValue
          guard state.files[name] == nil else { return .conditionFailed }
          return Self.store(item, as: name, in: &state)
        case .update(let name, let revision, let item):
          guard state.files[name].map(Self.revision) == revision else { return .conditionFailed }
          return Self.store(item, as: name, in: &state)
        case .putBack(let name, let revision, let bytes):
          guard state.files[name].map(Self.revision) == revision,
            let item = try? CalendarItem(parsing: bytes)
          else { return .conditionFailed }
          return Self.store(item, as: name, in: &state)
        case .delete(let name, let revision):
          guard state.files[name].map(Self.revision) == revision else { return .conditionFailed }
          state.files[name] = nil
          return .done(name: name, revision: nil)
        }
      }
    }
  }

  func append(_ item: CalendarItem) async throws -> AppendOutcome {
    let name = ItemName(of: item.uid).rawValue
    return state.withLock { state in
      guard state.files[name] == nil else { return .alreadyPresent(href: Href(name)) }
      _ = Self.store(item, as: name, in: &state)
      return .added(href: Href(name), etag: nil)
    }
  }

  private static func store(
    _ item: CalendarItem, as name: String, in state: inout State
  ) -> LocalOutcome {
    state.files[name] = item.serialized()
    return .done(name: name, revision: revision(item.serialized()))
  }

  private static func revision(_ bytes: [UInt8]) -> Revision {
    Revision(SHA256.digest(of: bytes).description)
  }
}
