// SPDX-License-Identifier: Apache-2.0

import CalendarModel

extension LedgerEntry {
  /// The entry in the current normal form, or nil if its fingerprint is unchanged.
  ///
  /// A different fingerprint does not prove an edit: the normal form or the rules of a time zone
  /// may have changed. In that case the agreed content has a new fingerprint, too, and the item is
  /// unchanged.
  func renewed(by form: NormalForm) -> LedgerEntry? {
    guard let base, let item = try? CalendarItem(parsing: base, normalForm: form),
      item.fingerprint != localBase
    else { return nil }
    var entry = self
    entry.localBase = item.fingerprint
    if let remoteContent,
      let remote = try? CalendarItem(parsing: remoteContent, normalForm: form)
    {
      entry.remoteBase = remote.fingerprint
    } else if remoteBase == localBase {
      // Without content, the new fingerprint of the remote version is known only if both were
      // equal.
      entry.remoteBase = item.fingerprint
    }
    return entry
  }
}

extension Intent {
  /// Whether an item is the content of the intent, even if the intent used another normal form.
  func wrote(_ item: CalendarItem) -> Bool {
    guard let fingerprint, let content else { return false }
    if fingerprint == item.fingerprint { return true }
    let written = try? CalendarItem(parsing: content, normalForm: item.normalForm)
    return written?.fingerprint == item.fingerprint
  }
}

extension LocalListing {
  /// The listing with items in the given normal form.
  func normalized(by form: NormalForm) -> LocalListing {
    var listing = self
    listing.entries = entries.map {
      LocalEntry(name: $0.name, revision: $0.revision, item: $0.item.normalized(by: form))
    }
    return listing
  }
}

extension RemoteFetch {
  /// The fetched item in the given normal form.
  func normalized(by form: NormalForm) -> RemoteFetch {
    guard case .item(let href, let etag, let item) = self else { return self }
    return .item(href: href, etag: etag, item: item.normalized(by: form))
  }

  /// The fetched item, which shares its meaning with the local item if their bytes are equal.
  func sharingMeaning(with locals: [UID: LocalEntry]) -> RemoteFetch {
    guard case .item(let href, let etag, let item) = self, let local = locals[item.uid] else {
      return self
    }
    return .item(href: href, etag: etag, item: item.sharingMeaning(with: local.item))
  }
}
