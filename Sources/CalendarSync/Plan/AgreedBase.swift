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
  /// Whether the remote was sent its version.
  var wasSent: Bool
  /// What the remote is found not to keep of what it was sent.
  private(set) var losses: [RemoteLoss] = []
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
    wasSent = entry.wasSent || entry.isUnseen
  }

  /// What both sides hold once an intended write got through.
  init(_ sent: Fingerprint, _ content: [UInt8]?, _ form: NormalForm) {
    self.form = form
    local = sent
    remote = sent
    self.content = content
    (isUnseen, wasSent) = (false, false)
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
  ///   - item: What the remote gives.
  ///   - tag: Its entity tag, if it has one.
  ///   - known: The tag that the last write or reading told, if it did.
  mutating func notice(_ item: CalendarItem, tag: EntityTag?, known: EntityTag?) {
    var trust: ItemEcho.Trust = []
    if wasSent { trust.insert(.isSent) }
    if isUnseen { trust.insert(.isUnseen) }
    if known == nil { trust.insert(.isUntagged) }
    if tag != nil, tag == known { trust.insert(.isTagKnown) }
    let isOurs = !trust.isSubset(of: .isUntagged)
    isUnseen = false
    guard item.fingerprint != remote else {
      // Where the server has escaped what might be cut, nothing is cut any more.
      if wasSent, remoteContent == nil { wasSent = CutValue.isInside(item.components) }
      return
    }
    guard isOurs, let sent = remoteItem else { return }
    let echo = ItemEcho(of: sent, as: item, trust)
    losses = echo.losses
    guard let held = echo.base else { return }
    remote = held.fingerprint
    remoteContent = remote == local ? nil : held.serialized()
  }

  /// What the remote is known not to keep of what the local side holds.
  var knownLosses: [RemoteLoss] {
    guard remoteContent != nil, let localItem, let remoteItem else { return [] }
    return ItemEcho(of: localItem, as: remoteItem, [.isSent, .isUnseen, .isTagKnown]).losses
  }

  /// Whether the local side spells the item differently since the remote lost a part of it.
  ///
  /// The meaning is the same, but a server that cuts at an unescaped comma keeps an escaped one. So the
  /// item is sent again.
  func isRespelled(_ item: CalendarItem) -> Bool {
    guard remoteContent != nil, let content, content != item.serialized() else { return false }
    return !knownLosses.isEmpty
  }
}

extension LedgerEntry {
  /// The entry once the remote was read after it was written.
  ///
  /// - Parameters:
  ///   - item: What was read.
  ///   - tag: Its entity tag.
  ///   - form: The form in which items are compared.
  /// - Returns: The entry and what the remote does not keep; nil if what was read may be an edit that
  ///   another program made meanwhile.
  func read(
    _ item: CalendarItem, _ tag: EntityTag, _ form: NormalForm
  ) -> (entry: LedgerEntry, losses: [RemoteLoss])? {
    // What is as it was sent may still be rewritten; the first reading by a later run tells.
    guard isUnseen, etag == nil || etag == tag && item.fingerprint != remoteBase else { return nil }
    var base = AgreedBase(self, form)
    base.notice(item, tag: tag, known: etag)
    guard base.remote == item.fingerprint else { return nil }
    var entry = self
    (entry.etag, entry.isUnseen, entry.wasSent) = (tag, base.isUnseen, base.wasSent)
    (entry.remoteBase, entry.remoteContent) = (base.remote, base.remoteContent)
    return (entry, base.losses)
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

  /// What both sides agree on because what was written got through.
  ///
  /// - Parameters:
  ///   - written: The fingerprint of what was written.
  ///   - form: The form in which items are compared.
  ///   - isRemote: Whether it was sent to the remote.
  /// - Returns: What the sides agree on.
  func reached(_ written: Fingerprint, _ form: NormalForm, isRemote: Bool) -> AgreedBase {
    var base = agreement(form) ?? AgreedBase(written, content, form)
    base.wasSent = isRemote
    return base
  }
}
