// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import Synchronization

/// Two calendars of one account, on a server that has each UID once in an account.
extension MemoryRemote {
  /// Makes this and another one calendars of one account.
  public func share(anAccountWith other: MemoryRemote) {
    state.withLock { $0.neighbour = other }
    other.state.withLock { $0.neighbour = self }
  }

  /// The account, if there is another calendar of it.
  public var account: String? { state.withLock { $0.neighbour == nil ? nil : "memory" } }

  /// Moves an item from the other calendar of the account.
  public func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> WriteOutcome {
    try call("move \(item.uid)") { state in
      let href = Href(ItemName(of: item.uid).rawValue)
      if let reason = state.refused[UID("move \(item.uid)")] { return .refused(reason: reason) }
      guard state.resources[href] == nil, var resource = state.neighbour?.take(source) else {
        return .conditionFailed
      }
      resource.tag = state.makeTag()
      state.resources[href] = resource
      let isTold = quirks.isDisjoint(with: [.noTagAfterWrite, .noTags])
      return .written(href: href, etag: isTold ? resource.tag : nil)
    }
  }

  /// Where an item with a UID is.
  func place(of uid: UID) -> Href? {
    state.withLock { $0.resources.first { $0.value.item?.uid == uid }?.key }
  }

  /// Takes an item away, if it has the tag.
  private func take(_ source: RemoteEntry) -> Resource? {
    state.withLock { state in
      guard let resource = state.resources[source.href],
        source.etag == nil || source.etag == resource.tag
      else { return nil }
      state.resources[source.href] = nil
      return resource
    }
  }
}
