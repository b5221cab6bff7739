// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A change of the remote, with its intent and its settlement.
struct RemoteStep {
  private enum Request {
    case create(CalendarItem)
    case update(Href, CalendarItem, EntityTag)
    case delete(Href, EntityTag)
  }

  let intent: Intent
  private let request: Request
  /// The local version and the sent content; nil if no local content is sent.
  private let content: (entry: LocalEntry, sent: CalendarItem)?
  /// The merge that is sent, if it has an unresolved conflict.
  private var merge: PlannedMerge?
  /// The restored versions, if the step undoes changes of a run.
  private var back: PutBack?

  /// Creates the step of an operation, or nil if it does not change the remote.
  init?(_ operation: PlannedOperation, for calendar: any RemoteCalendar) async throws {
    let action: Intent.Action
    var place: (href: Href, etag: EntityTag)?
    var agreed: CalendarItem?
    var replaced = operation.replaced
    switch operation.action {
    case .putBack(let planned):
      guard let (change, sent) = try await Self.request(planned, for: calendar) else { return nil }
      (request, content, back) = (change, nil, planned)
      intent = planned.intent(operation.uid, writing: sent)
      return
    case .createRemote(let entry):
      let sent = try await calendar.outgoing(entry.item, replacing: nil)
      (action, request) = (.createRemote, .create(sent))
      content = (entry, sent)
    case .updateRemote(let entry, let href, let etag):
      let sent = try await calendar.outgoing(entry.item, replacing: href)
      (action, request, place) = (.updateRemote, .update(href, sent, etag), (href, etag))
      content = (entry, sent)
    case .sendMerged(let planned):
      guard let split = planned.split, let etag = planned.remote.etag else { return nil }
      let href = planned.remote.href
      let sent = try await calendar.outgoing(split.items.remote, replacing: href)
      (action, request, place) = (.updateRemote, .update(href, sent, etag), (href, etag))
      replaced = planned.remoteItem
      let rest = try await calendar.outgoing(split.agreed.remote, replacing: href)
      merge = planned.sending(sent, agreedOn: rest)
      (content, agreed) = ((planned.local, sent), rest)
    case .deleteRemote(let href, let etag):
      (action, request, place) = (.deleteRemote, .delete(href, etag), (href, etag))
      content = nil
    default: return nil
    }
    intent = Intent(
      uid: operation.uid, action: action, content: content?.sent.serialized(),
      fingerprint: content?.sent.fingerprint, before: replaced?.serialized(),
      mergedWith: agreed?.serialized(), other: Self.other(than: content), href: place?.href,
      etag: place?.etag)
  }

  /// The request that restores an item on the remote, with its content; nil for the other side.
  private static func request(
    _ back: PutBack, for calendar: any RemoteCalendar
  ) async throws -> (Request, sent: CalendarItem?)? {
    guard back.side == .remote else { return nil }
    switch (back.remoteTarget, back.place) {
    case (let item?, let place?):
      guard let etag = place.etag else { return nil }
      let sent = try await calendar.outgoing(item, replacing: place.href)
      return (.update(place.href, sent, etag), sent)
    case (let item?, nil):
      let sent = try await calendar.outgoing(item, replacing: nil)
      return (.create(sent), sent)
    case (nil, let place?):
      return place.etag.map { (.delete(place.href, $0), nil) }
    case (nil, nil): return nil
    }
  }

  /// The local version, if it differs from the sent content.
  private static func other(
    than content: (entry: LocalEntry, sent: CalendarItem)?
  ) -> [UInt8]? {
    guard let (entry, sent) = content, entry.item.fingerprint != sent.fingerprint else {
      return nil
    }
    return entry.item.serialized()
  }

  /// Sends the request.
  func send(to calendar: any RemoteCalendar) async throws -> WriteOutcome {
    switch request {
    case .create(let item): try await calendar.create(item)
    case .update(let href, let item, let etag):
      try await calendar.update(href, to: item, ifMatch: etag)
    case .delete(let href, let etag): try await calendar.delete(href, ifMatch: etag)
    }
  }

  /// The sent item; nil for a deletion.
  private var sent: CalendarItem? {
    switch request {
    case .create(let item), .update(_, let item, _): item
    case .delete: nil
    }
  }

  /// The kinds of the parts of the sent item.
  var kinds: Set<PartKind> { sent.map(PartKind.kinds) ?? [] }

  /// The settlement after the item was written.
  func settlement(_ href: Href, _ etag: EntityTag?) -> Settlement {
    if let back {
      return back.settlement(
        intent.uid, remote: sent, at: RemoteEntry(href: href, etag: etag))
    }
    if let merge { return merge.settlement(etag) }
    guard let (entry, sent) = content else { return Settlement(uid: intent.uid, change: .forget) }
    let item = entry.item
    let entryNow = LedgerEntry(
      uid: intent.uid, localName: entry.name, localBase: item.fingerprint, href: href,
      etag: etag, remoteBase: sent.fingerprint, base: item.serialized(),
      remoteContent: sent.fingerprint == item.fingerprint ? nil : sent.serialized(),
      isUnseen: true)
    return Settlement(uid: intent.uid, change: .record(entryNow))
  }
}
