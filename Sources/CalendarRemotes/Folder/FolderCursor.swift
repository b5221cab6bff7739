// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The cursor of a folder: its snapshot, and the names of the listed files without a record in it.
///
/// A snapshot has no record of a file that cannot be read, or whose UID belongs to the item in
/// another file. Its removal can only be reported if the cursor contains its name.
///
/// Without such names, the bytes are those of the snapshot, which begin with text. Otherwise the
/// snapshot follows the names and a NUL, with a NUL before and after each name.
struct FolderCursor {
  let snapshot: LocalSnapshot
  /// The names of the listed files without a record.
  let others: [String]

  init(_ snapshot: LocalSnapshot, besides others: [String]) {
    self.snapshot = snapshot
    self.others = others.sorted()
  }

  /// Reads a cursor; damaged bytes have a snapshot that no folder recognizes.
  init(_ cursor: RemoteCursor) {
    var rest = cursor.bytes[...]
    var others: [String] = []
    if rest.first == 0 {
      rest = rest.dropFirst()
      while let end = rest.firstIndex(of: 0), end > rest.startIndex {
        others.append(String(decoding: rest[..<end], as: UTF8.self))
        rest = rest[(end + 1)...]
      }
      rest = rest.dropFirst()
    }
    snapshot = LocalSnapshot(Array(rest))
    self.others = others
  }

  /// The cursor in bytes.
  var cursor: RemoteCursor {
    guard !others.isEmpty else { return RemoteCursor(bytes: snapshot.bytes) }
    var bytes: [UInt8] = [0]
    for name in others { bytes += Array(name.utf8) + [0] }
    return RemoteCursor(bytes: bytes + [0] + snapshot.bytes)
  }
}
