// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// The files of folders whose item belongs to another file with the same UID.
///
/// Views read files as streams, and know only a digest of the UIDs of skipped components. Files
/// with the same digest are read again, and the item is chosen as in a sync.
struct SharedItems {
  /// The only item of a file, as a reader identifies it.
  enum Key: Hashable, Sendable {
    /// A digest of its UID.
    case sifted(UInt64)
    /// Its UID.
    case parsed(UID)
  }

  /// A folder with an item in it.
  private struct Place: Hashable {
    let folder: String
    let item: Key
  }

  /// The reasons why files are left out, by path.
  private(set) var copies: [String: String] = [:]

  /// Finds the copies.
  ///
  /// - Parameters:
  ///   - files: The paths of the files, with their only items.
  ///   - machine: The machine with the names that syncs know.
  init(_ files: [(path: String, item: Key?)], _ machine: Machine) {
    var names: [Place: [String]] = [:]
    for file in files {
      guard let item = file.item, file.path.lowercased().hasSuffix(".ics") else { continue }
      let location = CalendarLocation(path: file.path)
      let name = String(file.path.dropFirst(location.folder == "/" ? 1 : location.folder.count + 1))
      names[Place(folder: location.folder, item: item), default: []].append(name)
    }
    var shared: [String: [String]] = [:]
    for (place, names) in names where names.count > 1 {
      shared[place.folder, default: []] += names
    }
    for (folder, names) in shared { find(names, in: folder, machine) }
  }

  /// Finds the copies among some files of a folder; none if the folder cannot be read.
  private mutating func find(_ names: [String], in folder: String, _ machine: Machine) {
    guard
      let calendar = try? FolderCalendar(path: folder, for: .reading, knowing: machine.knownNames),
      let listing = try? calendar.read(names.sorted(), in: NormalForm())
    else { return }
    var shared: [UID: [String]] = [:]
    for entry in listing.entries { shared[entry.item.uid, default: []].append(entry.name) }
    shared = shared.filter { $0.value.count > 1 }
    let items =
      (try? calendar.items(among: shared))
      ?? shared.compactMapValues { SharedUID.item(among: $0, known: []) }
    for (uid, names) in shared {
      guard let item = items[uid] else { continue }
      for name in names where name != item {
        let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        copies[path] = UnreadableEntry(name, sharing: uid, with: item).reason
      }
    }
  }
}
