// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

extension FolderSnapshot {
  /// A revision that no file has.
  private static let noRevision = Revision(String(repeating: "0", count: 2 * Digest.size))

  /// The snapshot with records that equal no file, for files that were written after the survey.
  ///
  /// A record keeps its size, so that the ledger writes little when it stores the snapshot again.
  ///
  /// - Parameter items: The names of the files, with the UIDs of their items.
  /// - Returns: The snapshot.
  func doubting(_ items: [String: UID]) -> LocalSnapshot {
    let files = items.map { name, uid in
      (name: ArraySlice(name.utf8), record: Self.unknown(name, uid))
    }.sorted { $0.name.isOrdered(before: $1.name) }
    let size = files.reduce(whole.count) { $0 + Writer.size(of: $1.record) }
    var writer = Writer(like: self, size: size)
    var rest = self
    var start = whole.lowerBound
    var end = start
    for file in files {
      while let entry = rest.current, bytes[entry.name].isOrdered(before: file.name) {
        end = entry.end
        rest.advance()
      }
      writer.append(start..<end, of: self)
      if let entry = rest.current, rest.isCurrent(file.name) {
        writer.appendDoubtful(entry, of: self)
        end = entry.end
        rest.advance()
      } else {
        writer.append(file.record, FileStamp.none)
      }
      start = end
    }
    writer.append(start..<bytes.count, of: self)
    return writer.snapshot
  }

  private static func unknown(_ name: String, _ uid: UID) -> LocalRecord {
    LocalRecord(name: name, revision: noRevision, uid: uid, fingerprint: Fingerprint(""))
  }
}
