// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds the calendars in ZIP archives.
enum ArchiveSearch {
  /// The calendars of the archive at a path, or the one that a path in an archive names.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - report: Receives the events of archives.
  /// - Returns: The sources; nil if the path has nothing to do with an archive.
  static func sources(at path: String, report: (FileEvent) -> Void) -> [FileSource]? {
    if ZipArchive.isArchive(path) { return sources(ofArchive: path, report) }
    guard let (archive, name) = parts(of: path) else { return nil }
    guard let entries = entries(ofArchive: archive, report) else { return [] }
    let named = entries.filter { $0.name.utf8.elementsEqual(name.utf8) }
    if named.isEmpty {
      report(.unreadable(path: archive, reason: "the archive has no entry \"\(name)\""))
    }
    return withoutCopies(named, archive, report).map { FileSource.entry($0, archive: archive) }
  }

  /// The archive and the entry of a path such as `Takeout.zip/Calendar/Family.ics`.
  private static func parts(of path: String) -> (archive: String, name: String)? {
    var status = stat()
    // A file in place of a folder is the only sign of an archive in a path.
    guard unsafe stat(path, &status) != 0, errno == ENOTDIR else { return nil }
    var end = path.endIndex
    while let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex {
      let archive = String(path[..<slash])
      if unsafe stat(archive, &status) == 0 {
        guard ZipArchive.isArchive(archive) else { return nil }
        return (archive, String(path[path.index(after: slash)...]))
      }
      end = slash
    }
    return nil
  }

  private static func entries(
    ofArchive path: String, _ report: (FileEvent) -> Void
  ) -> [ZipEntry]? {
    do {
      return try ZipArchive(reading: path).entries
    } catch {
      report(.unreadable(path: path, reason: "\(error)"))
      return nil
    }
  }

  /// The calendars of an archive, by their extensions; the other entries are counted.
  private static func sources(
    ofArchive path: String, _ report: (FileEvent) -> Void
  ) -> [FileSource] {
    guard let entries = entries(ofArchive: path, report) else { return [] }
    var calendars: [ZipEntry] = []
    var others = 0
    for entry in entries where !entry.isHidden {
      let name = entry.name.lowercased()
      if !entry.isLink, FileSource.extensions.contains(where: name.hasSuffix) {
        calendars.append(entry)
      } else {
        others += 1
      }
    }
    let readable = withoutCopies(calendars, path, report)
    let size = readable.reduce(0) { $0 + min($1.size, ZipEntry.sizeLimit + 1) }
    guard size <= ZipArchive.totalLimit else {
      report(.unreadable(path: path, reason: "the calendars of the archive are larger than 4 GiB"))
      return []
    }
    if calendars.isEmpty {
      report(.unreadable(path: path, reason: "the archive contains no calendar file"))
    } else if others > 0 {
      report(.otherEntries(path: path, count: others))
    }
    return readable.map { FileSource.entry($0, archive: path) }
  }

  /// The entries whose name no other entry has, sorted by name; the others are reported.
  ///
  /// Programs differ in which of two entries with one name they extract.
  private static func withoutCopies(
    _ entries: [ZipEntry], _ path: String, _ report: (FileEvent) -> Void
  ) -> [ZipEntry] {
    let sorted = entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    var single: [ZipEntry] = []
    var place = 0
    while place < sorted.count {
      let name = sorted[place].name
      var end = place + 1
      while end < sorted.count, sorted[end].name.utf8.elementsEqual(name.utf8) { end += 1 }
      if end - place == 1 {
        single.append(sorted[place])
      } else {
        report(
          .unreadable(
            path: "\(path)/\(name)",
            reason: "the archive has \(end - place) entries with this name; none of them is read"))
      }
      place = end
    }
    return single
  }
}
