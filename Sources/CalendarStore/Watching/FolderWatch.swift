// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Reports changes of files in folders as long as it exists.
///
/// ```swift
/// let watch = try FolderWatch([homeFolder, workFolder]) { folders in print(folders) }
/// ```
///
/// - The system reports created, written, renamed and removed files (inotify). All changes of about
///   100 ms are one call. Temporary files of this library are not reported.
/// - Folders that the system cannot watch are listed every few seconds instead: those that do not
///   exist yet or were removed, those beyond the system's limit of watches, and network folders,
///   whose changes by other machines the system does not see.
/// - A call means that something may have changed; after a loss of events, all folders are
///   reported.
///
/// Subfolders are not watched.
public final class FolderWatch: Sendable {
  private let watcher: FolderWatcher
  private let party: WatchParty

  /// Begins to watch; changes after the return are reported.
  ///
  /// - Parameters:
  ///   - folders: The paths of the folders, which need not exist.
  ///   - watcher: The watcher, of which a process needs one for all its watches.
  ///   - onChange: The function to call with the paths of the changed folders, in the form in which
  ///     they were given. It is called on a queue of the watch, one call at a time, and no call
  ///     begins after the watch is released.
  /// - Throws: `StoreError` if the process has too many open files.
  public init(
    _ folders: [String], by watcher: FolderWatcher = FolderWatcher(),
    onChange: @escaping @Sendable ([String]) -> Void
  ) throws(StoreError) {
    self.watcher = watcher
    party = WatchParty(onChange)
    try watcher.add(party, folders)
  }

  deinit {
    watcher.remove(party)
    party.end()
  }
}

/// A watch as its watcher sees it: the function to call, and the changes that wait for a call.
final class WatchParty: Sendable {
  private struct State {
    var waiting: Set<String> = []
    var isScheduled = false
    /// The function; nil after the end.
    var onChange: (@Sendable ([String]) -> Void)?
  }

  private let queue = DispatchQueue(label: "org.epact.folder-watch")
  private let state: Mutex<State>

  init(_ onChange: @escaping @Sendable ([String]) -> Void) {
    state = Mutex(State(onChange: onChange))
  }

  /// Reports changed folders soon; a call in progress delays the report.
  func report(_ folders: Set<String>) {
    let isFirst = state.withLock { state -> Bool in
      state.waiting.formUnion(folders)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { queue.async { [self] in call() } }
  }

  private func call() {
    let state = self.state.withLock { state -> State in
      defer { (state.isScheduled, state.waiting) = (false, []) }
      return state
    }
    state.onChange?(state.waiting.sorted())
  }

  /// Forgets the function.
  func end() {
    state.withLock { $0.onChange = nil }
  }
}
