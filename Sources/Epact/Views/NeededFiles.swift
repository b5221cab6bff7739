// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime

/// The files of a folder that a view has to read, by the index of the folder.
///
/// A file is left out only if it certainly has the item of the index, and the item has no
/// occurrences in the range of the view, or lacks a word that it requires. All others are read, and
/// report what is wrong with them: files that changed, files that are not items, and those that
/// share a UID.
struct NeededFiles {
  /// The minimum number of files; smaller folders are read as a whole.
  private static let fewest = 64

  /// The names of entries that are read, in any order.
  let names: [String]
  /// Whether a file is left out.
  let leavesOut: Bool

  /// Finds the files, and writes the index for the next view; nil if all files are needed.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - request: The range of the view, and how files are read.
  ///   - machine: The folder of indexes.
  ///   - skips: Whether items outside of the range are unneeded.
  init?(
    of calendar: CalendarLocation, for request: ViewRequest, _ machine: Machine, skips: Bool
  ) {
    guard !calendar.isFile, request.indexedPaths.contains(calendar.path),
      [.auto, .utf8].contains(request.options.charset),
      skips || !request.requiredWords.isEmpty
    else { return nil }
    let canonical = CalendarLocation(path: PathResolver.canonical(calendar.path))
    let found: NeededFiles?
    if let library = request.library {
      found = try? library.withFolder(of: canonical) { Self(in: &$0, for: request, skips: skips) }
    } else {
      var folder = IndexedFolder(
        canonical.path, watcher: machine.folderWatcher,
        indexFile: machine.indexFile(of: canonical.path), knowing: .none)
      guard Self.read(&folder, machine) else { return nil }
      found = Self(in: &folder, for: request, skips: skips)
    }
    guard let found else { return nil }
    self = found
  }

  /// Reads what the index lacks, and returns whether a part of the folder is worth choosing.
  private static func read(_ folder: inout IndexedFolder, _ machine: Machine) -> Bool {
    let form = machine.normalForm
    do {
      _ = try folder.survey(form, at: machine.now(), usesIndex: true)
      guard folder.table.count >= fewest else { return false }
      _ = try folder.read(folder.table.staleRows, form, keepsItems: false)
    } catch {
      return false
    }
    folder.saveIndex(form)
    return true
  }

  /// Chooses from a folder of which all files were read.
  private init?(in folder: inout IndexedFolder, for request: ViewRequest, skips: Bool) {
    guard folder.table.count >= Self.fewest else { return nil }
    var isShared: Set<Int> = []
    for rows in folder.table.rowsOfSharedUIDs().values { isShared.formUnion(rows) }
    let table = folder.table
    let needed = table.order.filter { row in
      guard let times = table.times(row), !isShared.contains(row) else { return true }
      let isOpen = !table.isSettled(row)
      let isOutside = skips && request.isOutside(times.kind, times.span, isOpen: isOpen)
      return !isOutside && !table.certainlyLacks(row, oneOf: request.requiredWords)
    }
    leavesOut = needed.count < table.count
    names = needed.map(table.name) + folder.otherNames
  }
}

extension ViewRequest {
  /// Whether an item certainly has nothing that a view of the range shows.
  fileprivate func isOutside(
    _ kind: ItemKind, _ span: Range<Instant>?, isOpen: Bool
  ) -> Bool {
    switch kind {
    case .freeBusy, .availability: return false
    case .event, .journal, .reminder: break
    }
    guard let span else {
      // An event without a valid start is an error that a view reports.
      return kind != .event
    }
    if kind == .reminder, isOpen, collectsOverdue { return span.lowerBound >= range.upperBound }
    return span.lowerBound >= range.upperBound || span.upperBound <= range.lowerBound
  }
}
