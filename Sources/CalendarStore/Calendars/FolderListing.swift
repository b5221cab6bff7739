// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
package import CivilTime
import ICalSyntax

/// The entries of a folder with the status of those that can be items, in order of their names.
///
/// No file is opened.
package struct FolderListing: Sendable {
  /// A file that can be an item.
  struct File: Sendable {
    /// The index of the name.
    let place: Int
    let version: FileVersion
  }

  /// The number of entries of which one thread finds the status at a time.
  private static let portion = 4_096

  let names: FolderNames
  let files: [File]
  /// The entries that are neither items nor hidden: folders, and files with other endings.
  package let otherNames: [String]
  /// The entries that would be items if their names were UTF-8.
  package let undecodable: [UnreadableEntry]

  /// Lists a folder; the status of many files is found on all cores.
  init(of anchor: FolderAnchor, at now: Instant) throws(StoreError) {
    let folder = try anchor.open()
    let names = try folder.listing()
    let device = try folder.status().device
    let indices = names.indices.filter { OpenFolder.isItemName(names[$0]) }
    let doubtfulFrom = FileStatus.doubtfulFrom(now)
    let portions = indices.mapPortions(of: Self.portion) { portion in
      Result { () throws(StoreError) -> [File?] in
        let folder = try anchor.open()
        return portion.map { index in
          let status = folder.status(of: names, at: index)
          return status?.kind == .folder
            ? nil
            : File(
              place: index,
              version: FileVersion(status, in: device, doubtfulFrom: doubtfulFrom))
        }
      }
    }
    var files: [File] = []
    files.reserveCapacity(indices.count)
    var undecodable: [UnreadableEntry] = []
    for portion in portions {
      for case let file? in try portion.get() {
        if UTF8Check.firstInvalidOffset(names[file.place].span) == nil {
          files.append(file)
        } else {
          undecodable.append(
            UnreadableEntry(
              name: String(decoding: names[file.place], as: UTF8.self),
              reason: "the name of the file is not UTF-8"))
        }
      }
    }
    (self.names, self.files, self.undecodable) = (names, files, undecodable)
    otherNames = Self.otherNames(in: names, than: files)
  }

  private static func otherNames(in names: FolderNames, than files: [File]) -> [String] {
    guard files.count < names.indices.count else { return [] }
    var others: [String] = []
    var next = 0
    for index in names.indices {
      if next < files.count, files[next].place == index {
        next += 1
      } else if names[index].first != 0x2E, let name = String(validating: names[index].span) {
        others.append(name)
      }
    }
    return others
  }

  /// The number of files that can be items.
  package var count: Int { files.count }

  /// Whether the events of the folder tell all later changes.
  package var isReported: Bool { undecodable.isEmpty && files.allSatisfy(\.version.isReported) }
}

extension FolderCalendar {
  /// Lists the folder.
  ///
  /// - Throws: `StoreError` if the folder cannot be listed.
  package func listing(at now: Instant) throws(StoreError) -> FolderListing {
    try FolderListing(of: anchor, at: now)
  }
}
