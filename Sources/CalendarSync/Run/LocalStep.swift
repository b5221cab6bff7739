// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A change of the local calendar, with what is written down before and after it.
struct LocalStep {
  let change: LocalChange
  let intent: Intent
  private let remote: RemoteEntry?

  /// The step of an operation, or nil if it is no change of the local calendar.
  init?(_ operation: PlannedOperation) {
    let item: CalendarItem?
    let replaced: LocalEntry?
    let action: Intent.Action
    switch operation.action {
    case .createLocal(let new, let entry):
      (item, replaced, remote, action) = (new, nil, entry, .createLocal)
      change = .create(new)
    case .updateLocal(let new, let entry, let old):
      (item, replaced, remote, action) = (new, old, entry, .updateLocal)
      change = .update(name: old.name, from: old.revision, to: new)
    case .deleteLocal(let old):
      (item, replaced, remote, action) = (nil, old, nil, .deleteLocal)
      change = .delete(name: old.name, from: old.revision)
    default: return nil
    }
    intent = Intent(
      uid: operation.uid, action: action, content: item?.serialized(),
      fingerprint: item?.fingerprint, before: replaced?.item.serialized(), href: remote?.href,
      etag: remote?.etag)
  }

  /// What the ledger holds once the change is done under a name.
  func settlement(_ name: String) -> Settlement.Change {
    guard let remote, let fingerprint = intent.fingerprint else { return .forget }
    return .record(
      LedgerEntry(
        uid: intent.uid, localName: name, localBase: fingerprint, href: remote.href,
        etag: remote.etag, remoteBase: fingerprint, base: intent.content))
  }
}
