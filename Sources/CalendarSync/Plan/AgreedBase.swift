// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What the sides held when they last agreed on an item.
struct AgreedBase {
  /// What the local side held.
  var local: Fingerprint
  /// What the remote side held: as read, or as sent.
  var remote: Fingerprint
  /// The bytes of the local side, if they are known.
  var content: [UInt8]?
  /// The bytes of the remote side, where they do not mean the same.
  var remoteContent: [UInt8]?
  /// Whether the remote was sent its version and not read since.
  var isUnseen: Bool
  /// The form in which items are compared.
  private let form: NormalForm

  /// What the ledger remembers.
  init(_ entry: LedgerEntry, _ form: NormalForm) {
    self.form = form
    local = entry.localBase
    remote = entry.remoteBase
    content = entry.base
    remoteContent = entry.remoteContent
    isUnseen = entry.isUnseen
  }

  /// What both sides hold once an intended write got through.
  init(_ sent: Fingerprint, _ content: [UInt8]?, _ form: NormalForm) {
    self.form = form
    local = sent
    remote = sent
    self.content = content
    isUnseen = false
  }

  /// The item that the local side held.
  var localItem: CalendarItem? { content.flatMap(item) }

  /// The item that the remote side held.
  var remoteItem: CalendarItem? {
    remoteContent.flatMap(item) ?? localItem
  }

  private func item(_ bytes: [UInt8]) -> CalendarItem? {
    try? CalendarItem(parsing: bytes, normalForm: form)
  }

  /// Takes what a server made of what it was sent for what it held ever since.
  ///
  /// - Parameters:
  ///   - item: What the remote gives, read for the first time since.
  ///   - isAsWritten: Whether its entity tag is the one that the write was answered with.
  mutating func notice(_ item: CalendarItem, isAsWritten: Bool) {
    guard isUnseen else { return }
    isUnseen = false
    guard item.fingerprint != remote, let sent = remoteItem,
      let echo = ItemEcho(of: sent, as: item, isAsWritten: isAsWritten).base
    else { return }
    remote = echo.fingerprint
    remoteContent = remote == local ? nil : echo.serialized()
  }
}

extension Intent {
  /// What both sides had agreed on before a move, and agree on where it went.
  func moved(_ form: NormalForm) -> AgreedBase? {
    guard let content, let there = try? CalendarItem(parsing: content, normalForm: form) else {
      return nil
    }
    guard let mergedWith else { return AgreedBase(there.fingerprint, content, form) }
    guard let here = try? CalendarItem(parsing: mergedWith, normalForm: form) else { return nil }
    var base = AgreedBase(here.fingerprint, mergedWith, form)
    (base.remote, base.remoteContent) = (there.fingerprint, content)
    return base
  }

  /// What both sides agree on because the change got through, where that is not what was written.
  func agreement(_ form: NormalForm) -> AgreedBase? {
    guard let mergedWith, let item = try? CalendarItem(parsing: mergedWith, normalForm: form) else {
      return nil
    }
    return AgreedBase(item.fingerprint, mergedWith, form)
  }
}
