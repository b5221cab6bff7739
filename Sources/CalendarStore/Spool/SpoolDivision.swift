// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A division of a stream over temporary files, so that each UID is in one file.
///
/// It is a class, because it is used through an optional while it fills its files, and must not be
/// copied in between.
final class SpoolDivision {
  private static let fileCount = 64

  private let folder: String
  private let depth: Int
  private var files: [SpoolFile?]

  /// Starts a division at a depth.
  init(folder: String, depth: Int) {
    self.folder = folder
    self.depth = depth
    files = Array(repeating: nil, count: Self.fileCount)
  }

  func add(_ payload: [UInt8], of uid: UID) throws(StoreError) {
    // The digest is the same in every process and cannot be attacked with chosen UIDs. Each depth
    // uses another byte.
    let digest = SHA256.digest(of: Array(uid.rawValue.utf8)).bytes
    let index = Int(digest[depth % digest.count]) % Self.fileCount
    let file: SpoolFile
    if let known = files[index] {
      file = known
    } else {
      file = try SpoolFile(folder: folder, depth: depth + 1)
      files[index] = file
    }
    try file.add(payload, of: uid)
  }

  /// Returns the nonempty files after flushing them, first one last.
  func finish() throws(StoreError) -> [SpoolFile] {
    var finished: [SpoolFile] = []
    for file in files.reversed() {
      guard let file else { continue }
      try file.flush()
      finished.append(file)
    }
    return finished
  }
}
