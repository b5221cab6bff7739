// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// Stores in the ledger on which items both sides last agreed according to vdirsyncer.
///
/// vdirsyncer stores no contents, but hashes: a side that has not changed since its last run still
/// holds the agreed content.
///
/// | here | there | the ledger gets |
/// |---|---|---|
/// | unchanged | not looked at | the local content as the base, with vdirsyncer's tag |
/// | edited or deleted | unchanged | the remote content as the base |
/// | edited or deleted | edited or deleted | nothing: matched by UID, nothing deleted |
///
/// A deletion thus counts only if the other side still holds the agreed version, and the safeguards
/// apply to it. Without an agreed version, both versions are kept.
package struct VdirsyncerSeed {
  /// The numbers of items of a sync by their state.
  package struct Result: Sendable {
    /// The name of the sync.
    package let sync: String
    /// The number of items that are unchanged here.
    package fileprivate(set) var unchanged = 0
    /// The number of items that were edited here since.
    package fileprivate(set) var edited = 0
    /// The number of items that were deleted here since.
    package fileprivate(set) var deleted = 0
    /// The number of items here whose UIDs vdirsyncer made, and which the feed has under others.
    package fileprivate(set) var renamed = 0
    /// The number of items that are treated as in a first run.
    package fileprivate(set) var unknown = 0
  }

  /// An item that was edited or deleted here.
  private struct Changed {
    let row: VdirsyncerStatus.Row
    let place: VdirsyncerStatus.Place
    /// The name of the item in the local calendar.
    let name: String
    let isDeleted: Bool
  }

  private let rows: [VdirsyncerStatus.Row]
  private let isFirstLocal: Bool
  private let isFeed: Bool
  private let sync: SyncSettings
  private let configuration: Configuration
  private let machine: Machine

  /// Reads the status of a collection.
  ///
  /// The result is nil if there is no status, or if the local calendar is a single file: vdirsyncer
  /// numbers its items anew, and the first run matches them by UID.
  ///
  /// - Throws: `StoreError` if the status cannot be read.
  init?(
    _ collection: VdirsyncerMigration.Collection, to name: String, in configuration: Configuration,
    machine: Machine
  ) throws {
    guard FileMode(collection.status) != nil, !collection.path.lowercased().hasSuffix(".ics"),
      let sync = configuration.syncs.first(where: { $0.name == name })
    else { return nil }
    rows = try VdirsyncerStatus(path: collection.status).rows
    isFirstLocal = collection.isFirstLocal
    isFeed = collection.kind == "webcal"
    self.sync = sync
    self.configuration = configuration
    self.machine = machine
  }

  /// Stores the entries in a run of the sync.
  func store() async throws -> Result {
    let folder = LedgerFolder(machine: machine, isReadOnly: false)
    return try await folder.whileRunning("init", keeping: configuration.historyDays) { ledger in
      let binding = try SyncBinding(of: sync, in: configuration, machine)
      var result = Result(sync: sync.name)
      var (entries, changed) = try compare(binding.local, &result)
      if !changed.isEmpty {
        entries += try await bases(of: changed, binding, ledger, &result)
      }
      guard !entries.isEmpty else { return result }
      let run = try await ledger.beginRun(of: binding, at: machine.now())
      try await ledger.settle(
        entries.map { Settlement(uid: $0.uid, change: .record($0)) }, in: run)
      try await ledger.endRun(run, summary: RunSummary(), at: machine.now())
      return result
    }
  }

  /// Compares the local calendar with the status.
  private func compare(
    _ location: String, _ result: inout Result
  ) throws -> (unchanged: [LedgerEntry], changed: [Changed]) {
    let calendar = try LocalCalendars.openEditable(path: location, for: .reading)
    let listing = try calendar.scan()
    var names: [UID: LocalEntry] = [:]
    for entry in listing.entries { names[entry.item.uid] = entry }
    var (unchanged, changed) = ([LedgerEntry](), [Changed]())
    // An empty folder is no evidence of deletions: its disk may not be mounted.
    guard !names.isEmpty else {
      result.unknown = rows.count
      return (unchanged, changed)
    }
    for row in rows {
      let (here, there) = isFirstLocal ? (row.first, row.second) : (row.second, row.first)
      let path = "\(location)/\(here.href.rawValue)"
      if let entry = names[UID(row.ident)] {
        let bytes = try FileChange.contents(at: "\(location)/\(entry.name)") ?? []
        // After an update vdirsyncer keeps the hash of the earlier version, beside the new tag.
        if VdirsyncerHash.hash(bytes) == here.hash
          || VdirsyncerHash.tag(ofFile: "\(location)/\(entry.name)") == here.etag.rawValue
        {
          let item = entry.item.normalized(by: machine.normalForm)
          // A feed has no names, and vdirsyncer replaces its UIDs by hashes of the contents.
          unchanged.append(
            isFeed
              ? LedgerEntry(item, entry.name, Href(item.uid.rawValue), nil)
              : LedgerEntry(item, entry.name, there.href, there.etag))
          if isFeed, row.ident.isDigest { result.renamed += 1 }
          result.unchanged += 1
        } else {
          changed.append(Changed(row: row, place: there, name: entry.name, isDeleted: false))
        }
      } else if FileMode(path) == nil {
        changed.append(Changed(row: row, place: there, name: here.href.rawValue, isDeleted: true))
      } else {
        // The file has no readable item, or one of another UID.
        result.unknown += 1
      }
    }
    return (unchanged, changed)
  }

  /// The entries of the items that were changed here and are unchanged on the remote.
  private func bases(
    of changed: [Changed], _ binding: SyncBinding, _ ledger: any LedgerStore,
    _ result: inout Result
  ) async throws -> [LedgerEntry] {
    result.unknown += changed.count
    guard let settings = configuration.remotes[sync.remote],
      try await ledger.grant(for: binding.remote) != nil
    else { return [] }
    let factory = Remotes(machine: machine)
    let permission = try await RemotePermission(
      for: settings, wanted: sync.access, ledger, factory, machine)
    guard permission.tier == .full else { return [] }
    let fetched = try await permission.recording(factory, ledger) {
      try await $0.calendar(settings).fetch(changed.map(\.place.href))
    }
    let known = Dictionary(
      changed.map { ($0.place.href.comparisonKey, $0) }, uniquingKeysWith: { first, _ in first })
    var entries: [LedgerEntry] = []
    for case .item(let href, let etag, let item) in fetched {
      guard let found = known[href.comparisonKey], item.uid.rawValue == found.row.ident,
        etag == found.place.etag || VdirsyncerHash.hash(item.serialized()) == found.place.hash
      else { continue }
      let base = item.normalized(by: machine.normalForm)
      entries.append(LedgerEntry(base, found.name, href, etag))
      result.unknown -= 1
      if found.isDeleted { result.deleted += 1 } else { result.edited += 1 }
    }
    return entries
  }
}

extension LedgerEntry {
  /// The entry for an item whose content both sides agreed on.
  fileprivate init(_ item: CalendarItem, _ name: String, _ href: Href, _ etag: EntityTag?) {
    self.init(
      uid: item.uid, localName: name, localBase: item.fingerprint, href: href, etag: etag,
      remoteBase: item.fingerprint, base: item.serialized())
  }
}

extension String {
  /// Whether the text is a SHA-256 digest in hexadecimal.
  fileprivate var isDigest: Bool { utf8.count == 64 && allSatisfy(\.isHexDigit) }
}
