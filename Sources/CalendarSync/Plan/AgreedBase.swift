// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The contents of both sides when they last agreed on an item.
struct AgreedBase {
  /// The fingerprint of the local version.
  var local: Fingerprint
  /// The fingerprint of the remote version: as read, or as sent.
  var remote: Fingerprint
  /// The content of the local side, if it is known.
  var content: [UInt8]?
  /// The content of the remote side, if its meaning differs.
  var remoteContent: [UInt8]?
  /// Whether the remote version was sent and not read back.
  var isUnseen: Bool
  /// Whether the remote version was sent from this side.
  var wasSent: Bool
  /// Whether the sync has written the item to the remote, now or earlier.
  var isOwn = false
  /// Whether the answer to the write was lost.
  var isTraced = false
  /// The parts of the sent content that the remote was found to have lost.
  private(set) var losses: [RemoteLoss] = []
  /// The normal form for comparing items.
  private let form: NormalForm

  /// Creates the base that a ledger entry stores.
  init(_ entry: LedgerEntry, _ form: NormalForm) {
    self.form = form
    local = entry.localBase
    remote = entry.remoteBase
    content = entry.base
    remoteContent = entry.remoteContent
    isUnseen = entry.isUnseen
    wasSent = entry.wasSent || entry.isUnseen
    isOwn = entry.isOwn
  }

  /// Creates the base that results from a successful write.
  init(_ sent: Fingerprint, _ content: [UInt8]?, _ form: NormalForm) {
    self.form = form
    local = sent
    remote = sent
    self.content = content
    (isUnseen, wasSent) = (false, false)
  }

  /// Creates the base of two versions that have none, where the remote lacks only what servers cut.
  ///
  /// Without the ledger, or after a change of the window, nothing else shows that the remote's
  /// version is no edit. The result is nil if the versions differ in anything else.
  init?(_ local: CalendarItem, cutTo remote: CalendarItem, _ form: NormalForm) {
    guard CutValue.isInside(local.components) else { return nil }
    let echo = ItemEcho(of: local, as: remote, .isSent)
    guard !echo.losses.isEmpty, let held = echo.base, held.fingerprint == remote.fingerprint else {
      return nil
    }
    self.init(local.fingerprint, local.serialized(), form)
    (self.remote, remoteContent) = (held.fingerprint, held.serialized())
    (wasSent, losses) = (true, echo.losses)
  }

  /// The content of the remote side, if it is known.
  var heldContent: [UInt8]? { remoteContent ?? content }

  /// The item of the local side.
  var localItem: CalendarItem? { content.flatMap(item) }

  /// The item of the remote side.
  var remoteItem: CalendarItem? {
    remoteContent.flatMap(item) ?? localItem
  }

  private func item(_ bytes: [UInt8]) -> CalendarItem? {
    try? CalendarItem(parsing: bytes, normalForm: form)
  }

  /// Adopts a server's alterations of the sent content as the base of the remote side.
  ///
  /// - Parameters:
  ///   - item: The item that the remote returned.
  ///   - tag: Its ETag, if it has one.
  ///   - known: The ETag of the last write or read, if one was returned.
  mutating func notice(_ item: CalendarItem, tag: EntityTag?, known: EntityTag?) {
    var trust: ItemEcho.Trust = []
    if wasSent { trust.insert(.isSent) }
    if isUnseen { trust.insert(.isUnseen) }
    if known == nil { trust.insert(.isUntagged) }
    if tag != nil, tag == known { trust.insert(.isTagKnown) }
    let isOurs = !trust.isSubset(of: .isUntagged)
    isUnseen = false
    guard item.fingerprint != remote else {
      // The server has escaped the separators of the values, so that it will not cut them any more.
      if wasSent, remoteContent == nil { wasSent = CutValue.isInside(item.components) }
      return
    }
    guard isOurs, let sent = remoteItem else { return }
    var echo = ItemEcho(of: sent, as: item, trust)
    if isTraced, echo.base?.fingerprint != item.fingerprint {
      echo = ItemEcho(of: sent, as: item, trust.union(.isEdited))
    }
    losses = echo.losses
    guard let held = echo.base else { return }
    remote = held.fingerprint
    remoteContent = remote == local ? nil : held.serialized()
  }

  /// The known losses of the remote, compared with the local base.
  var knownLosses: [RemoteLoss] {
    guard remoteContent != nil, let localItem, let remoteItem else { return [] }
    return ItemEcho(of: localItem, as: remoteItem, [.isSent, .isUnseen, .isTagKnown]).losses
  }

  /// Whether the notation of the local item changed since the remote lost a part of it.
  ///
  /// The meaning is the same, but a server that cuts a value at an unescaped comma preserves an
  /// escaped one. Therefore the item is sent again.
  func isRespelled(_ item: CalendarItem) -> Bool {
    guard remoteContent != nil, let content, content != item.serialized() else { return false }
    return !knownLosses.isEmpty
  }
}

extension LedgerEntry {
  /// The entry after the written item was read back from the remote.
  ///
  /// - Parameters:
  ///   - item: The item that was read.
  ///   - tag: Its ETag.
  ///   - form: The normal form for comparing items.
  /// - Returns: The entry and the losses of the remote; nil if the remote stored the content as sent,
  ///   or if the item may contain a concurrent edit of another program.
  func read(
    _ item: CalendarItem, _ tag: EntityTag, _ form: NormalForm
  ) -> (entry: LedgerEntry, losses: [RemoteLoss])? {
    // The server may still alter an unaltered item later; the first read of a later run detects it.
    guard isUnseen, etag == nil || item.fingerprint != remoteBase else { return nil }
    var base = AgreedBase(self, form)
    // Right after the write, a different tag shows that the server does not return the stored one.
    base.notice(item, tag: tag, known: tag == etag ? etag : nil)
    guard base.remote == item.fingerprint else { return nil }
    var entry = self
    (entry.etag, entry.isUnseen, entry.wasSent) = (tag, base.isUnseen, base.wasSent)
    (entry.remoteBase, entry.remoteContent) = (base.remote, base.remoteContent)
    return (entry, base.losses)
  }
}

extension Intent {
  /// The agreed base at the destination of a move, which is the base from before the move.
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

  /// The base that both sides agree on after the change, if it is not the written content.
  func agreement(_ form: NormalForm) -> AgreedBase? {
    guard let mergedWith, let item = try? CalendarItem(parsing: mergedWith, normalForm: form) else {
      return nil
    }
    return AgreedBase(item.fingerprint, mergedWith, form)
  }

  /// The base that both sides agree on after the content was written.
  ///
  /// - Parameters:
  ///   - written: The fingerprint of the written content.
  ///   - form: The normal form for comparing items.
  ///   - isRemote: Whether the content was sent to the remote.
  /// - Returns: The agreed base.
  func reached(_ written: Fingerprint, _ form: NormalForm, isRemote: Bool) -> AgreedBase {
    var base = agreement(form) ?? AgreedBase(written, content, form)
    (base.wasSent, base.isOwn) = (isRemote, isRemote)
    return base
  }
}
