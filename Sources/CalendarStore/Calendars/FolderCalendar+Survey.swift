// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

extension FolderCalendar {
  /// Returns the contents, and reads only the files whose status has changed.
  ///
  /// If a file was changed during the survey or less than two seconds before it, the next survey
  /// reads it again, because some file systems cannot distinguish two versions within that time.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey {
    let folder = try anchor.open()
    var walk = FolderWalk(
      known: FolderSnapshot(snapshot, form: form, of: anchor.identity), now: now)
    let (names, undecodable) = try folder.names()
    for name in undecodable where OpenFolder.isItemName(name) {
      walk.addUnreadable(name, "the name of the file is not UTF-8")
    }
    if purpose != .reading, names.contains(where: TemporaryFile.isName) {
      try folder.removeLeftOvers()
    }
    for name in names where OpenFolder.isItemName(name) {
      // If the status is not available, reading the file reports the reason.
      let status = try? folder.status(of: name)
      if let status, status.kind == .folder || walk.keep(name, status) { continue }
      try Task.checkCancellation()
      switch read(name, in: folder, form: form) {
      case nil: continue
      case .failure(let unreadable)?: walk.addUnreadable(name, unreadable.reason)
      case .success(let entry)?: walk.add(LocalRecord(entry), status)
      }
    }
    try anchor.check()
    return walk.survey(form: form, of: anchor.identity)
  }

  /// Whether a snapshot is one of this very folder, and not of another one that had its path.
  public func isSamePlace(as snapshot: LocalSnapshot) -> Bool {
    FolderSnapshot.isOf(anchor.identity, snapshot)
  }

  /// Reads the files with these names; missing ones are skipped.
  public func read(_ names: [String], in form: NormalForm) async throws -> LocalListing {
    try read(names.map { ($0, nil) }, in: form)
  }

  /// Reads the files of these records; missing ones are skipped.
  public func read(_ records: [LocalRecord], in form: NormalForm) async throws -> LocalListing {
    try read(records.map { ($0.name, $0) }, in: form)
  }

  private func read(
    _ files: [(name: String, known: LocalRecord?)], in form: NormalForm
  ) throws -> LocalListing {
    guard !files.isEmpty else { return LocalListing() }
    let folder = try anchor.open()
    var listing = LocalListing()
    listing.entries.reserveCapacity(files.count)
    for (name, known) in files {
      try Task.checkCancellation()
      switch read(name, in: folder, form: form, known: known) {
      case nil: continue
      case .failure(let unreadable)?:
        guard try folder.status(of: name) != nil else { continue }
        listing.unreadable.append(UnreadableEntry(name: name, reason: unreadable.reason))
      case .success(let entry)?: listing.entries.append(entry)
      }
    }
    try anchor.check()
    return listing
  }
}
