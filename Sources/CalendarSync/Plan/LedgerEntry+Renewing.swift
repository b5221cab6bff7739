// SPDX-License-Identifier: Apache-2.0

import CalendarModel

extension LedgerEntry {
  /// The entry in today's normal form, or nil if it says what it said.
  ///
  /// A fingerprint is only a short way to ask whether an item is what it was. Where it says no, the reason
  /// may be that the form of fingerprints is another one by now, or that the rules of a time zone are:
  /// then the content that was agreed on has another fingerprint, too, and nobody has edited anything.
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
      // What the remote made of it is not known in the new form, unless it is the same.
      entry.remoteBase = item.fingerprint
    }
    return entry
  }
}

extension Intent {
  /// Whether an item is what was about to be written, also where the intent was noted in another form.
  func wrote(_ item: CalendarItem) -> Bool {
    guard let fingerprint, let content else { return false }
    if fingerprint == item.fingerprint { return true }
    let written = try? CalendarItem(parsing: content, normalForm: item.normalForm)
    return written?.fingerprint == item.fingerprint
  }
}

extension LocalListing {
  /// The listing with items that are compared in a form.
  func normalized(by form: NormalForm) -> LocalListing {
    var listing = self
    listing.entries = entries.map {
      LocalEntry(name: $0.name, revision: $0.revision, item: $0.item.normalized(by: form))
    }
    return listing
  }
}

extension RemoteFetch {
  /// What was fetched, compared in a form.
  func normalized(by form: NormalForm) -> RemoteFetch {
    guard case .item(let href, let etag, let item) = self else { return self }
    return .item(href: href, etag: etag, item: item.normalized(by: form))
  }

  /// What was fetched, which means what the local side has in the same bytes.
  func sharingMeaning(with locals: [UID: LocalEntry]) -> RemoteFetch {
    guard case .item(let href, let etag, let item) = self, let local = locals[item.uid] else {
      return self
    }
    return .item(href: href, etag: etag, item: item.sharingMeaning(with: local.item))
  }
}
