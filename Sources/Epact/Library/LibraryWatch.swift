// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
import Synchronization

/// A watch of the calendars of a library, which ends when it is released or cancelled.
public final class LibraryWatch: Sendable {
  private let state: WatchState

  fileprivate init(_ state: WatchState) {
    self.state = state
  }

  deinit { cancel() }

  /// Ends the watch; a report that is in progress is completed.
  public func cancel() {
    state.cancel()
  }
}

extension CalendarLibrary {
  /// Calls a function after every change of the calendars, their items, or the configuration.
  ///
  /// Changes of this library, of other processes and of syncs are reported, about a tenth of a
  /// second later and several together. A file that was written with the same contents is not
  /// reported if the items of its calendar were read before.
  ///
  /// - Parameter onChange: The function, which is called on a queue of the watch.
  /// - Returns: The watch, which has to be kept.
  /// - Throws: `LibraryError` if the configuration is invalid or the process has too many open
  ///   files.
  public func watch(_ onChange: @escaping @Sendable () -> Void) throws -> LibraryWatch {
    _ = try configuration()
    let state = WatchState(self, onChange)
    try LibraryError.describing { try state.begin() }
    return LibraryWatch(state)
  }
}

/// The state of the calendars at the last report, for finding real changes.
final class WatchState: Sendable {
  /// The last known contents of a calendar.
  private struct Mark {
    /// A number for the status of the files; nil if the generation is known since an earlier mark.
    var status: Int?
    /// The generation of the items in memory; nil if they were not read then.
    var generation: Int?
  }

  private struct Marks {
    var calendars: [CalendarInfo] = []
    var marks: [String: Mark] = [:]
  }

  private struct Watching {
    var folders: [String] = []
    var watch: FolderWatch?
    var isCancelled = false
  }

  private let library: CalendarLibrary
  private let onChange: @Sendable () -> Void
  private let marks = Mutex(Marks())
  private let watching = Mutex(Watching())

  init(_ library: CalendarLibrary, _ onChange: @escaping @Sendable () -> Void) {
    self.library = library
    self.onChange = onChange
  }

  func cancel() {
    watching.withLock { $0 = Watching(isCancelled: true) }
  }

  /// Begins to watch, and then notes the state, so that no change between is lost.
  func begin() throws {
    try watchFolders()
    _ = isChanged(in: nil)
  }

  /// Watches the folders of the configuration, of which new ones may have been added.
  private func watchFolders() throws {
    let folders = self.folders
    try watching.withLock { watching in
      guard !watching.isCancelled, watching.folders != folders else { return }
      let watcher = library.machine.folderWatcher
      watching.watch = try FolderWatch(folders, by: watcher) { [weak self] changed in
        self?.look(at: Set(changed))
      }
      watching.folders = folders
    }
  }

  /// The folders of the calendars and of the configuration.
  private var folders: [String] {
    var folders = [CalendarLocation(path: library.file.path).folder]
    for settings in (try? library.configuration())?.calendars.values ?? [:].values {
      folders.append(settings.watchedFolder)
    }
    return Set(folders).sorted()
  }

  /// Reports a change in folders if it is a real one.
  private func look(at folders: Set<String>) {
    guard isChanged(in: folders) else { return }
    // If the process has too many open files, the watch of the earlier folders remains.
    try? watchFolders()
    guard !watching.withLock(\.isCancelled) else { return }
    onChange()
  }

  /// Compares the calendars with those of the last call.
  ///
  /// - Parameter folders: The folders in which files changed; nil for all.
  /// - Returns: Whether they differ.
  private func isChanged(in folders: Set<String>?) -> Bool {
    marks.withLock { marks in
      // A configuration that cannot be read now is read again when it changes.
      let calendars = (try? library.calendars()) ?? marks.calendars
      var isChanged = calendars != marks.calendars
      marks.calendars = calendars
      for calendar in calendars {
        let known = marks.marks[calendar.id]
        let isTouched = folders?.contains(calendar.location.watchedFolder) != false
        guard known == nil || isTouched else { continue }
        guard let mark = mark(of: calendar, since: known) else { continue }
        isChanged = isChanged || mark.isChanged
        marks.marks[calendar.id] = mark.mark
      }
      let ids = Set(calendars.map(\.id))
      marks.marks = marks.marks.filter { ids.contains($0.key) }
      return isChanged
    }
  }

  /// The current mark of a calendar, and whether its contents differ from those of an earlier mark.
  private func mark(of calendar: CalendarInfo, since known: Mark?) -> (mark: Mark, isChanged: Bool)?
  {
    let generation = try? library.generation(of: calendar, isRefreshed: known != nil)
    // If the items were in memory, a file with the same bytes as before is not a change.
    if let earlier = known?.generation, let generation {
      return (Mark(status: nil, generation: generation), generation != earlier)
    }
    guard let survey = try? library.survey(of: calendar) else { return nil }
    let mark = Mark(status: survey.status, generation: generation ?? survey.generation)
    guard let known else { return (mark, false) }
    return (mark, survey.status != known.status)
  }
}

extension CalendarLocation {
  /// The folder whose changes concern the calendar.
  var watchedFolder: String { isFile ? folder : path }
}
