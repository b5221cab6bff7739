// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
package import CivilTime

/// The status of a calendar's file, which changes with its content.
package struct FileVersion: Sendable {
  /// The name of the file.
  package let name: String
  private let stamp: FileStamp
  /// Whether a later change certainly changes the status.
  private let isCertain: Bool

  init(name: String, _ status: FileStatus?, now: Instant) {
    self.name = name
    stamp = status.map { FileStamp($0) } ?? .none
    isCertain = status.map { !$0.isDoubtful(at: now) } ?? false
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
    let names = try folder.listing()
    var files: [FileVersion] = []
    var unreadable: [UnreadableEntry] = []
    files.reserveCapacity(names.indices.count)
    for index in names.indices where OpenFolder.isItemName(names[index]) {
      let status = folder.status(of: names, at: index)
      if status?.kind == .folder { continue }
      guard let name = String(validating: names[index], as: UTF8.self) else {
        unreadable.append(
          UnreadableEntry(
            name: String(decoding: names[index], as: UTF8.self),
            reason: "the name of the file is not UTF-8"))
        continue
      }
      files.append(FileVersion(name: name, status?.kind == .file ? status : nil, now: now))
    }
    return (files, unreadable)
  }
}

extension FileCalendar {
  /// The file; nil if it does not exist.
  ///
  /// - Throws: `StoreError` if its folder cannot be opened.
  package func file(at now: Instant) throws(StoreError) -> FileVersion? {
    let name = FilePlace(location).name
    guard let status = try anchor.open().status(of: name) else { return nil }
    return FileVersion(name: name, status.kind == .file ? status : nil, now: now)
  }
}
