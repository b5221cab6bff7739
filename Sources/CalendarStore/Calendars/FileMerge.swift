// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import ICalSyntax

/// Merges whole iCalendar files, item by item by UID.
///
/// The result is based on the local file, whose unchanged parts are preserved byte for byte.
/// Changed parts have its line breaks. The calendar properties are merged too if each file has one
/// calendar. If the local file equals the base, the result is the remote file, byte for byte.
///
/// ```swift
/// let result = try FileMerge().merge(base: baseBytes, local: localBytes, remote: remoteBytes)
/// for finding in result.findings { print(finding.title, finding.conflicts) }
/// ```
public struct FileMerge: Sendable {
  /// The result for an item that both sides changed, or that one side deleted.
  public struct Finding: Sendable {
    /// The item.
    public let uid: UID
    /// The title of the item, for people.
    public let title: String
    /// The conflicts, with their resolutions.
    public let conflicts: [MergeConflict]
    /// The side whose edit was kept although the other side deleted the item, if any.
    public let survivor: MergeSide?
  }

  /// One of the merged files.
  public enum Version: String, Hashable, Sendable {
    /// The common ancestor.
    case base
    /// The local file.
    case local
    /// The remote file.
    case remote
  }

  /// A file that cannot be merged, with the reason.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let version: Version
    /// The reason.
    public let reason: ItemError

    /// The file and the reason, for people.
    public var description: String { "the \(version.rawValue) file: \(reason)" }
  }

  /// The merged file and its conflicts.
  public struct Result: Sendable {
    /// The merged file.
    public let bytes: [UInt8]
    /// The items with conflicts or survivors, in file order.
    public let findings: [Finding]
    /// The conflicts of the calendar properties, with their resolutions.
    public let calendarConflicts: [MergeConflict]
    /// The parts of the files that are not valid items; the local file keeps its own.
    public let unreadable: [UnreadableEntry]

    /// Whether no conflict needs a decision.
    public var isClean: Bool {
      !findings.contains { $0.conflicts.contains(where: \.isWaiting) }
        && !calendarConflicts.contains(where: \.isWaiting)
    }
  }

  private let merge: ThreeWayMerge

  /// Creates a merge of files, by default one that resolves time zones.
  public init(
    _ merge: ThreeWayMerge = ThreeWayMerge(normalForm: NormalForm(zones: ZoneResolver()))
  ) {
    self.merge = merge
  }

  /// Merges the contents of files; nil or an empty array is a missing file.
  ///
  /// - Throws: `Refusal` unless all files are valid.
  public func merge(
    base: [UInt8]?, local: [UInt8]?, remote: [UInt8]?
  ) throws(Refusal) -> Result {
    let baseDocument = try document(base, .base)
    let remoteDocument = try document(remote, .remote)
    var document = try document(local, .local)
    if base ?? [] == local ?? [] {
      return Result(bytes: remote ?? [], findings: [], calendarConflicts: [], unreadable: [])
    }
    let bases = items(baseDocument)
    let theirs = remoteDocument.listing()
    let remotes = items(remoteDocument)
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

  /// Merges the calendar properties and the components without a UID.
  private func mergeFrame(
    of document: inout CalendarDocument, base: CalendarDocument?, remote: CalendarDocument
  ) -> [MergeConflict] {
    var scope = document.frameScope
    var definitions: [Component] = []
    guard let here = document.frame,
      let there = document.frame(of: remote, in: &scope, adding: &definitions)
    else { return [] }
    let before = base.flatMap { document.frame(of: $0, in: &scope, adding: &definitions) }
    let (frame, conflicts) = merge.merge(calendar: before, local: here, remote: there)
    if frame != here { document.setFrame(frame, definitions: definitions) }
    return conflicts
  }

  /// The change to an item of the local file, or nil if it is kept.
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

  private func document(
    _ bytes: [UInt8]?, _ version: Version
  ) throws(Refusal) -> CalendarDocument {
    let zones = merge.normalForm.zones ?? ZoneResolver()
    guard let bytes, !bytes.isEmpty else { return CalendarDocument(zones: zones) }
    do throws(ItemError) {
      return try CalendarDocument(parsing: bytes, zones: zones)
    } catch {
      throw Refusal(version: version, reason: error)
    }
  }

  private func items(_ document: CalendarDocument) -> [UID: CalendarItem] {
    let items = document.listing().entries.map { $0.item.normalized(by: merge.normalForm) }
    return Dictionary(items.map { ($0.uid, $0) }) { first, _ in first }
  }
}
