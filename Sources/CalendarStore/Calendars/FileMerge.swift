// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
import ICalSyntax

/// Merges whole iCalendar files, item by item by UID.
///
/// The local file is the canvas: what nobody changed stays byte for byte. What the files say of their
/// calendar as a whole is merged too, where each has one calendar.
package struct FileMerge: Sendable {
  /// What became of one item that both sides touched, or one of them deleted.
  package struct Finding: Sendable {
    /// The item.
    package let uid: UID
    /// Its title, for people.
    package let title: String
    /// What does not go together, and what was chosen.
    package let conflicts: [MergeConflict]
    /// The side whose edit outlived the deletion of the whole item by the other, if one did.
    package let survivor: MergeSide?
  }

  /// The merged file and what is to be said of it.
  package struct Result: Sendable {
    /// The merged file.
    package let bytes: [UInt8]
    /// The items of which there is something to say, in the order of the file.
    package let findings: [Finding]
    /// What the files say of their calendar as a whole that does not go together, and what was chosen.
    package let calendarConflicts: [MergeConflict]
    /// What is in a file and cannot be read as an item; the local file keeps its own.
    package let unreadable: [UnreadableEntry]

    /// Whether nobody has to choose anything.
    package var isClean: Bool {
      !findings.contains { $0.conflicts.contains(where: \.isWaiting) }
        && !calendarConflicts.contains(where: \.isWaiting)
    }
  }

  private let merge: ThreeWayMerge

  /// Creates a merge of files.
  package init(_ merge: ThreeWayMerge) {
    self.merge = merge
  }

  /// Merges the contents of files; nil or nothing is a file that is not there.
  ///
  /// - Throws: `ItemError` unless each file is understood as a whole.
  package func merge(
    base: [UInt8]?, local: [UInt8]?, remote: [UInt8]?
  ) throws(ItemError) -> Result {
    let baseDocument = try Self.document(base)
    let bases = items(baseDocument)
    let remoteDocument = try Self.document(remote)
    let theirs = remoteDocument.listing()
    let remotes = items(remoteDocument)
    var document = try Self.document(local)
    let ours = document.listing()
    let locals = items(document)
    var findings: [Finding] = []
    for entry in ours.entries {
      let uid = entry.item.uid
      let change = change(
        of: entry, base: bases[uid], remote: remotes[uid], findings: &findings)
      if let change { _ = document.make(change) }
    }
    let unreadable = Set((ours.unreadable + theirs.unreadable).map(\.name))
    for entry in theirs.entries where locals[entry.item.uid] == nil {
      guard !unreadable.contains(entry.item.uid.rawValue) else { continue }
      if let base = bases[entry.item.uid] {
        guard base.fingerprint != remotes[entry.item.uid]?.fingerprint else { continue }
        findings.append(Self.finding(entry.item, survivor: .remote))
      }
      _ = document.make(.create(entry.item))
    }
    let conflicts = mergeFrame(
      of: &document, base: base == nil || base == [] ? nil : baseDocument, remote: remoteDocument)
    return Result(
      bytes: document.isChanged ? document.bytes() : local ?? [], findings: findings,
      calendarConflicts: conflicts, unreadable: ours.unreadable + theirs.unreadable)
  }

  /// Merges what the files say of their calendar as a whole.
  private func mergeFrame(
    of document: inout CalendarDocument, base: CalendarDocument?, remote: CalendarDocument
  ) -> [MergeConflict] {
    guard let here = document.frame, let there = remote.frame else { return [] }
    let (frame, conflicts) = merge.merge(calendar: base?.frame, local: here, remote: there)
    if frame != here { document.setFrame(frame) }
    return conflicts
  }

  /// What becomes of an item of the local file; nil if it stays.
  private func change(
    of entry: LocalEntry, base: CalendarItem?, remote: CalendarItem?, findings: inout [Finding]
  ) -> LocalChange? {
    let item = entry.item.normalized(by: merge.normalForm)
    guard let remote else {
      guard let base else { return nil }
      if base.fingerprint == item.fingerprint {
        return .delete(name: entry.name, from: entry.revision)
      }
      findings.append(Self.finding(item, survivor: .local))
      return nil
    }
    let result = merge.merge(base: base, local: item, remote: remote)
    if !result.conflicts.isEmpty {
      findings.append(
        Finding(
          uid: item.uid, title: result.item.title, conflicts: result.conflicts, survivor: nil))
    }
    guard result.item != item else { return nil }
    return .update(name: entry.name, from: entry.revision, to: result.item)
  }

  private static func finding(_ item: CalendarItem, survivor: MergeSide) -> Finding {
    Finding(uid: item.uid, title: item.title, conflicts: [], survivor: survivor)
  }

  private static func document(_ bytes: [UInt8]?) throws(ItemError) -> CalendarDocument {
    guard let bytes, !bytes.isEmpty else { return CalendarDocument() }
    return try CalendarDocument(parsing: bytes)
  }

  private func items(_ document: CalendarDocument) -> [UID: CalendarItem] {
    let items = document.listing().entries.map { $0.item.normalized(by: merge.normalForm) }
    return Dictionary(items.map { ($0.uid, $0) }) { first, _ in first }
  }
}
