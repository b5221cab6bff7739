// SPDX-License-Identifier: Apache-2.0

import CalendarSync
package import CivilTime
import ICalSyntax

/// The status of a file, which changes with its content.
package struct FileVersion: Hashable, Sendable {
  let stamp: FileStamp
  /// Whether a later change certainly changes the status.
  package let isCertain: Bool
  /// Whether the events of the folder tell all changes of the file (``FolderEvents``): it has no
  /// other hard link, and it is not mounted from another file system.
  package let isReported: Bool

  /// Creates the version of an entry in a folder.
  ///
  /// - Parameters:
  ///   - status: The status; nil if it is unknown. An entry that is not a file has a stamp that no
  ///     file has.
  ///   - device: The device of the folder.
  ///   - doubtfulFrom: The time from which on a change may hide a later one.
  init(_ status: FileStatus?, in device: UInt64, doubtfulFrom: Int64) {
    let status = status?.kind == .file ? status : nil
    stamp = status.map { FileStamp($0) } ?? .none
    isCertain = status.map { $0.changedAt < doubtfulFrom } ?? false
    isReported = status.map { $0.linkCount == 1 && $0.device == device } ?? false
  }

  /// The version of the file that a path leads to, through symbolic links; nil if there is none.
  package init?(ofFileAt path: String, at now: Instant) {
    guard let path = try? FolderPath.canonical(path),
      let folder = try? OpenFolder(FilePlace(path).folder),
      let status = try? folder.status(of: FilePlace(path).name)
    else { return nil }
    self.init(status, in: status.device, doubtfulFrom: FileStatus.doubtfulFrom(now))
  }

  /// Whether the file certainly has the content that it had with an earlier status.
  package func isCertainlySame(as earlier: FileVersion) -> Bool {
    earlier.isCertain && earlier.stamp == stamp
  }

  /// Whether the file is the one of another version, and not one that replaced it.
  package func isSameFile(as other: FileVersion) -> Bool { other.stamp.number == stamp.number }
}

extension FileVersion? {
  /// Whether the file certainly has the content of an earlier version; a missing file is the same as
  /// a missing one.
  package func isCertainlySame(as earlier: FileVersion?) -> Bool {
    guard let self, let earlier else { return self == nil && earlier == nil }
    return self.isCertainlySame(as: earlier)
  }
}

/// A file to read, of which the revision may be known.
package struct KnownFile: Sendable {
  /// The name of the file.
  package let name: String
  let stamp: FileStamp
  /// The revision that the file certainly has while it has the stamp; nil if it is unknown.
  let revision: Revision?
}

extension FolderCalendar {
  /// The files with some names; nil for those that are missing or cannot be items.
  ///
  /// No file is opened.
  ///
  /// - Throws: `StoreError` if the folder cannot be opened.
  package func files(
    named names: Set<String>, at now: Instant
  ) throws(StoreError) -> [String: FileVersion?] {
    let folder = try anchor.open()
    let device = try folder.status().device
    let doubtfulFrom = FileStatus.doubtfulFrom(now)
    var files: [String: FileVersion?] = [:]
    for name in names {
      let status = OpenFolder.isItemName(name.utf8) ? try folder.status(of: name) : nil
      let isItem = status.map { $0.kind != .folder } ?? false
      files[name] = .some(
        isItem ? FileVersion(status, in: device, doubtfulFrom: doubtfulFrom) : nil)
    }
    return files
  }
}

extension FileCalendar {
  /// The file; nil if it does not exist.
  ///
  /// - Throws: `StoreError` if its folder cannot be opened.
  package func file(at now: Instant) throws(StoreError) -> FileVersion? {
    let name = FilePlace(location).name
    let folder = try anchor.open()
    guard let status = try folder.status(of: name) else { return nil }
    return FileVersion(
      status, in: try folder.status().device, doubtfulFrom: FileStatus.doubtfulFrom(now))
  }
}
