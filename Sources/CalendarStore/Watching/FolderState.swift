// SPDX-License-Identifier: Apache-2.0

/// The state of a folder's files, for comparison with a later one.
struct FolderState: Hashable, Sendable {
  /// The number of entries.
  let count: Int
  /// The hash of their names and status, and of the folder; nil if it cannot be listed.
  private let hash: Int?

  init(of path: String) {
    guard let folder = try? OpenFolder(path), let names = try? folder.listing() else {
      (count, hash) = (0, nil)
      return
    }
    var hasher = Hasher()
    // Another folder at the same path is a change, even if both are empty.
    if let own = try? folder.status() { hasher.combine(FileStamp(own).number) }
    for index in names.indices where !TemporaryFile.isName(names[index]) {
      hasher.combine(names[index])
      guard let status = folder.status(of: names, at: index) else { continue }
      let stamp = FileStamp(status)
      for number in [stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.number] {
        hasher.combine(number)
      }
    }
    (count, hash) = (names.indices.count, hasher.finalize())
  }

  /// The file systems whose files other machines or programs change without events: NFS, SMB, CIFS,
  /// FUSE, 9P, AFS, Coda and Ceph.
  private static let sharedKinds: Set<UInt64> = [
    0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x7375_7245,
    0x00C3_6400,
  ]

  static func isShared(_ path: String) -> Bool {
    guard let folder = try? OpenFolder(path), let found = try? folder.fileSystem() else {
      return false
    }
    return sharedKinds.contains(found.kind)
  }
}
