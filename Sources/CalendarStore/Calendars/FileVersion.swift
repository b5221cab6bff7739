// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
package import CivilTime
import ICalSyntax

/// The status of a calendar's file, which changes with its content.
package struct FileVersion: Sendable {
  /// The name of the file.
  package let name: String
  let stamp: FileStamp
  /// Whether a later change certainly changes the status.
  package let isCertain: Bool
  /// Whether the events of the folder tell all changes of the file (``FolderEvents``): it has no
  /// other hard link, and it is not mounted from another file system.
  package let isReported: Bool

  /// - Parameters:
  ///   - name: The name.
  ///   - status: The status; nil if it is unknown, or if the entry is not a file.
  ///   - device: The device of the folder.
  ///   - now: The current time.
  init(name: String, _ status: FileStatus?, in device: UInt64, now: Instant) {
    self.name = name
    let status = status?.kind == .file ? status : nil
    stamp = status.map { FileStamp($0) } ?? .none
    isCertain = status.map { !$0.isDoubtful(at: now) } ?? false
    isReported = status.map { $0.linkCount == 1 && $0.device == device } ?? false
  }

  /// Whether the file certainly has the content that it had with an earlier status.
  package func isCertainlySame(as earlier: FileVersion) -> Bool {
    earlier.isCertain && earlier.stamp == stamp && earlier.name == name
  }

  /// Whether the file has the same status as before; two versions within two seconds may have one.
  package func hasSameStatus(as earlier: FileVersion) -> Bool {
    earlier.stamp == stamp && earlier.name == name
  }
}

/// A file to read, of which the revision may be known.
package struct KnownFile: Sendable {
  let version: FileVersion
  /// The revision that the file certainly has while it has the status of the version.
  let revision: Revision?

  /// Creates the value.
  ///
  /// - Parameters:
  ///   - version: The file.
  ///   - revision: The revision of that version; nil if it is unknown. It is not used if a later
  ///     change may leave the same status.
  package init(_ version: FileVersion, revision: Revision?) {
    self.version = version
    self.revision = version.isCertain ? revision : nil
  }
}

extension FolderCalendar {
  /// The files that can be items, in order of their names, and the entries that cannot be read.
  ///
  /// No file is opened.
  ///
  /// - Throws: `StoreError` if the folder cannot be listed.
  package func files(
    at now: Instant
  ) throws(StoreError) -> (files: [FileVersion], unreadable: [UnreadableEntry]) {
    let folder = try anchor.open()
    let device = try folder.status().device
    let names = try folder.listing()
    var files: [FileVersion] = []
    var unreadable: [UnreadableEntry] = []
    files.reserveCapacity(names.indices.count)
    for index in names.indices where OpenFolder.isItemName(names[index]) {
      let status = folder.status(of: names, at: index)
      if status?.kind == .folder { continue }
      guard let name = String(validating: names[index].span) else {
        unreadable.append(
          UnreadableEntry(
            name: String(decoding: names[index], as: UTF8.self),
            reason: "the name of the file is not UTF-8"))
        continue
      }
      files.append(FileVersion(name: name, status, in: device, now: now))
    }
    return (files, unreadable)
  }

  /// The files with some names that can be items; others and missing ones are left out.
  ///
  /// No file is opened.
  ///
  /// - Throws: `StoreError` if the folder cannot be opened.
  package func files(
    named names: Set<String>, at now: Instant
  ) throws(StoreError) -> [String: FileVersion] {
    let folder = try anchor.open()
    let device = try folder.status().device
    var files: [String: FileVersion] = [:]
    for name in names where OpenFolder.isItemName(name.utf8) {
      guard let status = try folder.status(of: name), status.kind != .folder else { continue }
      files[name] = FileVersion(name: name, status, in: device, now: now)
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
    return FileVersion(name: name, status, in: try folder.status().device, now: now)
  }
}
