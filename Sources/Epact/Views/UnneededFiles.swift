// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CalendarRemotes
import CalendarStore
import CivilTime

/// The files of a folder whose items have no occurrences in the range of a view, or lack a word that it
/// requires, by the index of the folder.
///
/// Only a file that certainly has the item of the index is unneeded. All others are read, and report
/// what is wrong with them: files that changed, files that are not items, and those that share a UID.
struct UnneededFiles {
  /// The minimum number of files; smaller folders are read as a whole.
  private static let fewest = 64

  private var names: Set<String> = []

  /// Whether all files are needed.
  var isEmpty: Bool { names.isEmpty }

  /// Finds the files, and writes the index for the next view.
  ///
  /// - Parameters:
  ///   - calendar: The calendar; all files are needed unless it is a folder.
  ///   - request: The range of the view, and how files are read.
  ///   - machine: The folder of indexes.
  ///   - skips: Whether items outside of the range are unneeded.
  init(
    of calendar: CalendarLocation, for request: ViewRequest, _ machine: Machine, skips: Bool
  ) {
    guard !calendar.isFile, request.indexedPaths.contains(calendar.path),
      [.auto, .utf8].contains(request.options.charset),
      skips || request.requiredWords != nil
    else { return }
    let canonical = PathResolver.canonical(calendar.path)
    let indexFile = FolderIndexFile(
      of: StableIdentifier(calendarAt: canonical).text, in: machine.cacheFolder)
    var folder = CachedFolder(canonical, watcher: machine.folderWatcher, indexFile: indexFile)
    let form = machine.normalForm
    guard let listing = try? folder.survey(form, at: machine.now(), usesIndex: true),
      folder.files.count >= Self.fewest,
      (try? folder.read(form, from: listing, needsAll: false)) != nil
    else { return }
    folder.saveIndex(form)
    var counts: [UID: Int] = [:]
    for file in folder.files { if let item = file.summary { counts[item.uid, default: 0] += 1 } }
    var others: [String] = []
    for file in folder.files {
      guard let item = file.summary, counts[item.uid] == 1 else { continue }
      if skips, request.isOutside(item) {
        names.insert(file.version.name)
      } else {
        others.append(file.version.name)
      }
    }
    names.formUnion(request.requiredWords?.missing(in: others, ofFolder: canonical) ?? [])
  }

  /// Whether the file with a name in the folder is not needed.
  func contains(_ name: String) -> Bool { names.contains(name) }
}

extension ViewRequest {
  /// Whether an item certainly has nothing that a view of the range shows.
  fileprivate func isOutside(_ item: ItemSummary) -> Bool {
    switch item.kind {
    case .freeBusy, .availability: return false
    case .event, .journal, .reminder: break
    }
    guard let span = item.span else {
      // An event without a valid start is an error that a view reports.
      return item.kind != .event
    }
    if item.kind == .reminder, collectsOverdue { return span.lowerBound >= range.upperBound }
    return span.lowerBound >= range.upperBound || span.upperBound <= range.lowerBound
  }
}
