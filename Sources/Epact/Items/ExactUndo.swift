// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// The files of an import as they were before it, for an undo that restored their items.
///
/// An undo restores items. Afterwards, a file that is exactly as the undo left it gets the bytes
/// that it had before the import. A file that was changed since the import, or during the undo,
/// keeps its contents.
struct ExactUndo {
  /// A file that is as the import left it.
  private struct File {
    let path: String
    /// The bytes after the import; nil if it removed the file.
    let left: [UInt8]?
    /// The bytes before the import; nil if the file did not exist.
    let original: [UInt8]?
  }

  private let files: [File]

  /// Determines the earlier bytes, before the undo changes a file.
  ///
  /// - Throws: `StoreError` if a file cannot be read.
  init(of changes: [FileChange]) throws(StoreError) {
    var files: [File] = []
    for change in changes {
      guard let undo = try change.undo() else { continue }
      let left = try FileChange.contents(at: change.path)
      files.append(File(path: change.path, left: left, original: undo.contents))
    }
    self.files = files
  }

  /// Gives the files their earlier bytes.
  ///
  /// - Parameters:
  ///   - whole: The change that the undo made to a calendar in one file; nil for a folder.
  ///   - batch: The batch.
  /// - Returns: The changes of the files from the import to the earlier bytes.
  /// - Throws: `BatchError` if a file changed meanwhile; the items are restored nevertheless.
  func finish(after whole: FileChange?, by batch: FileBatch) throws -> [FileChange] {
    var changes: [FileChange] = []
    var replacements: [FileReplacement] = []
    for file in files {
      let written =
        whole.map(\.after)
        ?? file.original.flatMap { try? CalendarItem(parsing: $0) }.map {
          Revision(of: $0.serialized())
        }
      guard let written, let bytes = try FileChange.contents(at: file.path),
        Revision(of: bytes) == written
      else { continue }
      changes.append(FileChange(of: file.path, from: file.left, to: file.original))
      guard bytes != file.original else { continue }
      replacements.append(
        FileReplacement(path: file.path, expected: written, contents: file.original))
    }
    try batch.commit(replacements)
    return changes
  }
}
