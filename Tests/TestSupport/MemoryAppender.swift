// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import Synchronization

/// A remote in memory that can be added to and nothing else.
///
/// It is a type of its own, so that a cast to `RemoteCalendar` fails.
public struct MemoryAppender: RemoteAppender {
  private let remote: MemoryRemote

  init(remote: MemoryRemote) {
    self.remote = remote
  }

  /// As many as the remote takes at once.
  public var requestsAtOnce: Int { remote.requestsAtOnce }

  /// What the remote holds.
  public var holding: (any ItemHolding)? { remote.fields }

  /// Adds an item.
  public func append(_ item: CalendarItem) async throws -> AppendOutcome {
    await remote.interleaving?.turn()
    return try remote.call("append \(item.uid)") { state in
      let href = remote.href(of: item.uid)
      if let reason = state.refusal(of: item.uid) { throw FaultPlan.Failure(call: reason) }
      guard state.resources[href] == nil || remote.quirks.contains(.ignoresConditions) else {
        return .alreadyPresent(href: href)
      }
      return .added(href: href, etag: remote.store(item, at: href, in: &state))
    }
  }
}
