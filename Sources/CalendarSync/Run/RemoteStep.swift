// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A change of the remote, with what is written down before and after it.
struct RemoteStep {
  /// What became of a request.
  enum Outcome {
    case written(href: Href, etag: EntityTag?)
    case deleted
    case conditionFailed
    case alreadyPresent(href: Href)
    case heldElsewhere(href: Href, reason: String)
    case refused(reason: String)
  }

  private enum Request {
    case create
    case update(Href, EntityTag)
    case delete(Href, EntityTag)
  }

  let intent: Intent
  private let request: Request
  /// What the local side holds, and what of it is sent; nil for a deletion.
  private let content: (entry: LocalEntry, sent: CalendarItem)?
  /// The merge that is sent, where something of it waits for a choice.
  private var merge: PlannedMerge?

  /// The step of an operation, or nil if it is no change of the remote.
  init?(_ operation: PlannedOperation, for calendar: any RemoteCalendar) async throws {
    let action: Intent.Action
    var place: (href: Href, etag: EntityTag)?
    var agreed: CalendarItem?
    switch operation.action {
    case .createRemote(let entry):
      (action, request) = (.createRemote, .create)
      content = (entry, try await calendar.outgoing(entry.item, replacing: nil))
    case .updateRemote(let entry, let href, let etag):
      (action, request, place) = (.updateRemote, .update(href, etag), (href, etag))
      content = (entry, try await calendar.outgoing(entry.item, replacing: href))
    case .sendMerged(let planned):
      guard let split = planned.split, let etag = planned.remote.etag else { return nil }
      let href = planned.remote.href
      (action, request, place) = (.updateRemote, .update(href, etag), (href, etag))
      let sent = try await calendar.outgoing(split.items.remote, replacing: href)
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
      fingerprint: content?.sent.fingerprint, before: nil, mergedWith: agreed?.serialized(),
      href: place?.href, etag: place?.etag)
  }

  /// Sends the request.
  func send(to calendar: any RemoteCalendar) async throws -> Outcome {
    switch request {
    case .create:
      guard let content else { return .conditionFailed }
      return Self.outcome(try await calendar.create(content.sent))
    case .update(let href, let etag):
      guard let content else { return .conditionFailed }
      return Self.outcome(try await calendar.update(href, to: content.sent, ifMatch: etag))
    case .delete(let href, let etag):
      switch try await calendar.delete(href, ifMatch: etag) {
      case .deleted: return .deleted
      case .conditionFailed: return .conditionFailed
      case .refused(let reason): return .refused(reason: reason)
      }
    }
  }

  private static func outcome(_ outcome: WriteOutcome) -> Outcome {
    switch outcome {
    case .written(let href, let etag): .written(href: href, etag: etag)
    case .conditionFailed: .conditionFailed
    case .alreadyPresent(let href): .alreadyPresent(href: href)
    case .heldElsewhere(let href, let reason): .heldElsewhere(href: href, reason: reason)
    case .refused(let reason): .refused(reason: reason)
    }
  }

  /// What is written down once the item was written to a place.
  func settlement(_ href: Href, _ etag: EntityTag?) -> Settlement {
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
