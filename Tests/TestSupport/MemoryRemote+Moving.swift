// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import Synchronization

/// Calendars of one account, on a server that has each UID once in an account.
extension MemoryRemote {
  /// Makes this and another one calendars of one account.
  public func share(anAccountWith other: MemoryRemote) {
    share(anAccountWith: { [other] })
    other.share(anAccountWith: { [self] })
  }

  /// Makes this a calendar of an account with others, which may come and go.
  public func share(anAccountWith others: @escaping @Sendable () -> [MemoryRemote]) {
    state.withLock { state in state.neighbours = { others().filter { $0 !== self } } }
  }

  /// Takes the place of another calendar, with its items, and with tags and cursors that are new.
  public func succeed(_ other: MemoryRemote) {
    let (items, lastTag, cursors) = other.state.withLock { state in
      (state.resources.values.compactMap(\.item), state.lastTag, state.cursors)
    }
    state.withLock { ($0.lastTag, $0.cursors) = (lastTag, cursors) }
    for item in items.sorted(by: { $0.uid < $1.uid }) { write(item) }
  }

  /// The account, if there is another calendar of it.
  public var account: String? { state.withLock { $0.neighbours().isEmpty ? nil : "memory" } }

  /// Moves an item from another calendar of the account.
  public func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> WriteOutcome {
    try call("move \(item.uid)") { state in
      let href = href(of: item.uid)
      if let reason = state.refusal(of: UID("move \(item.uid)")) { return .refused(reason: reason) }
      // The source has to give the item away.
      let sources = state.neighbours()
      if let reason = sources.lazy.compactMap({ $0.refusal(toGive: source.href) }).first {
        return .refused(reason: reason)
      }
      guard state.resources[href] == nil else { return .conditionFailed }
      var taken: Resource?
      for other in sources where taken == nil { taken = other.take(source) }
      guard var resource = taken else { return .conditionFailed }
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

  /// Why nothing is taken away from a place.
  private func refusal(toGive href: Href) -> String? {
    state.withLock { $0.resources[href] == nil ? nil : $0.refusal }
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
