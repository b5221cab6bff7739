// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync

/// The changed files of edits and imports.
extension LedgerTransaction {
  /// Makes the changes of files durable before any of them is made.
  public func record(_ files: [FileChange], in run: RunID) throws {
    for file in files {
      try db.execute(
        """
        INSERT INTO fileChange (run, path, uid, before, after, start, removed, inserted)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          run.rawValue, file.path.utf8.blob, file.uid?.blob, file.before?.rawValue,
          file.after?.rawValue, file.offset, file.removed.blob, file.inserted.blob,
        ])
    }
  }

  /// Returns the changed files of a run, in order; none for a sync.
  public func fileChanges(of run: RunID) throws -> [FileChange] {
    try db.all(
      "SELECT * FROM fileChange WHERE run = ? ORDER BY id", [run.rawValue], FileChange.init)
  }
}

extension FileChange {
  fileprivate init(_ row: LedgerRow) throws {
    self.init(
      path: try row.identifier("path"),
      uid: try row.bytes("uid").map { UID(String(decoding: $0, as: UTF8.self)) },
      before: try row.optional("before").map { Revision($0) },
      after: try row.optional("after").map { Revision($0) }, offset: try row.value("start"),
      contents: (try row.bytes("removed") ?? [], try row.bytes("inserted") ?? []))
  }
}
