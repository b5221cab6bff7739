// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

extension FileCalendar {
  /// Returns the contents, and reads the file only if its status has changed.
  ///
  /// If the file was changed during the survey or less than two seconds before it, the next survey
  /// reads it again, because some file systems cannot distinguish two versions within that time.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey {
    let before = try status()
    let known = FolderSnapshot(snapshot, form: form, of: anchor.identity)
    if let snapshot = known.snapshot, let before, before.kind == .file,
      known.current?.stamp == FileStamp(before)
    {
      return LocalSurvey(isUnchanged: true, snapshot: snapshot) { known.records() }
    }
    let listing = try await scan()
    let records = listing.entries.map { entry in
      LocalRecord(
        name: entry.name, revision: entry.revision, uid: entry.item.uid,
        fingerprint: entry.item.normalized(by: form).fingerprint)
    }
    // All records have the same file status; a concurrent write changes it.
    var stamp = FileStamp.none
    if let before, listing.unreadable.isEmpty, !before.isDoubtful(at: now) {
      stamp = FileStamp(before)
    }
    var writer = FolderSnapshot.Writer(form: form, of: anchor.identity)
    for record in records { writer.append(record, stamp) }
    let isUnchanged =
      known.snapshot != nil && listing.unreadable.isEmpty && known.records() == records
    return LocalSurvey(
      isUnchanged: isUnchanged, unreadable: listing.unreadable, snapshot: writer.snapshot
    ) { records }
  }

  /// Whether a snapshot is of a file in this very folder, and not in another one that had its path.
  public func isSamePlace(as snapshot: LocalSnapshot) -> Bool {
    FolderSnapshot.isOf(anchor.identity, snapshot)
  }

  /// The status of the file, or nil if there is none.
  private func status() throws(StoreError) -> FileStatus? {
    try anchor.open().status(of: FilePlace(location).name)
  }
}
