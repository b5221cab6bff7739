// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Reports changes of files in folders as long as it exists.
///
/// ```swift
/// let watch = try FolderWatch([home, work]) { folders in reload(folders) }
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
  /// The end of a pipe; closing it ends the loop.
  private let end: Int32

  /// Begins to watch; changes after the return are reported.
  ///
  /// - Parameters:
  ///   - folders: The paths of the folders, which need not exist.
  ///   - onChange: The function to call with the paths of the changed folders, in the form in which
  ///     they were given. It is called on a queue of the watch, one call at a time, and no call
  ///     begins after the watch is released.
  /// - Throws: `StoreError` if the process has too many open files.
  public init(
    _ folders: [String], onChange: @escaping @Sendable ([String]) -> Void
  ) throws(StoreError) {
    let pipe: (reading: Int32, writing: Int32)
    do throws(SystemCalls.Failure) {
      pipe = try SystemCalls.makePipe()
    } catch {
      throw StoreError(error, path: folders.first ?? "", cannot: "watch the folder")
    }
    end = pipe.writing
    let start = WatchLoop(folders)
    DispatchQueue(label: "org.epact.folder-watch").async {
      var loop = start
      loop.run(until: pipe.reading, onChange)
    }
  }

  deinit { SystemCalls.close(end) }
}

/// The loop of a watch, which waits for events and polls the folders that have none.
private struct WatchLoop: Sendable {
  private struct Folder: Sendable {
    let path: String
    /// The number of the system's watch, or nil without one.
    var watch: Int32?
    /// The state when it was polled, for comparison; nil if it is not polled.
    var state: FolderState?
  }

  /// The period in which changes are collected, in milliseconds.
  private static let period: Int32 = 100
  /// The maximum number of blocks of events that are read at once.
  private static let blockLimit = 1000

  /// The queue of the system, or nil without one.
  private let queue: Int32?
  private var folders: [Folder]
  private var nextPoll: ContinuousClock.Instant

  init(_ paths: [String]) {
    queue = try? SystemCalls.makeEventQueue()
    folders = paths.map { Folder(path: $0) }
    nextPoll = .now
    for index in folders.indices { _ = observe(index) }
    nextPoll = .now + pollPeriod
  }

  /// Adds a folder to the system's queue if possible, and notes its state if it must be polled.
  ///
  /// It returns whether the system watches the folder now and did not before.
  private mutating func observe(_ index: Int) -> Bool {
    let path = folders[index].path
    let isNew = folders[index].watch == nil
    if isNew, let queue { folders[index].watch = try? SystemCalls.watch(path, in: queue) }
    let isPolled = folders[index].watch == nil || FolderState.isShared(path)
    folders[index].state = isPolled ? FolderState(of: path) : nil
    return isNew && folders[index].watch != nil
  }

  /// The time between two polls: longer for large folders, which take longer to list.
  private var pollPeriod: Duration {
    .milliseconds(2000 + folders.reduce(0) { $0 + ($1.state?.count ?? 0) })
  }

  private var timeLimit: Int32 {
    guard folders.contains(where: { $0.state != nil }) else { return -1 }
    let rest = (nextPoll - .now) / .milliseconds(1)
    return Int32(min(max(rest.rounded(.up), 0), 60_000))
  }

  mutating func run(
    until end: Int32, _ onChange: @Sendable ([String]) -> Void
  ) {
    while true {
      let ready = SystemCalls.wait(for: [end] + (queue.map { [$0] } ?? []), milliseconds: timeLimit)
      if ready[0] { break }
      // More changes are likely to follow the first one.
      if ready.last == true, SystemCalls.wait(for: [end], milliseconds: Self.period)[0] { break }
      let changed = takeChanges()
      if !changed.isEmpty, !SystemCalls.wait(for: [end], milliseconds: 0)[0] {
        onChange(changed.sorted().map { folders[$0].path })
      }
    }
    SystemCalls.close(end)
    if let queue { SystemCalls.close(queue) }
  }

  /// The indices of the folders that may have changed since the last call.
  private mutating func takeChanges() -> Set<Int> {
    var changed: Set<Int> = []
    for event in readEvents() {
      if event.isOverflow { changed.formUnion(folders.indices) }
      for index in folders.indices where folders[index].watch == event.watch {
        guard !TemporaryFile.isName(event.name) else { continue }
        changed.insert(index)
        if event.isEnd { lose(index) }
      }
    }
    if ContinuousClock.now >= nextPoll {
      changed.formUnion(poll())
      nextPoll = .now + pollPeriod
    }
    return changed
  }

  private func readEvents() -> [SystemCalls.FolderEvent] {
    guard let queue else { return [] }
    var events: [SystemCalls.FolderEvent] = []
    for _ in 0..<Self.blockLimit {
      guard let block = try? SystemCalls.events(in: queue), !block.isEmpty else { break }
      events += block
    }
    return events
  }

  /// Ends the watch of a folder that is gone or was replaced, and watches the one at its path.
  private mutating func lose(_ index: Int) {
    if let queue, let watch = folders[index].watch { SystemCalls.endWatch(watch, in: queue) }
    folders[index].watch = nil
    _ = observe(index)
    nextPoll = min(nextPoll, .now + pollPeriod)
  }

  /// The indices of the polled folders that changed.
  private mutating func poll() -> Set<Int> {
    var changed: Set<Int> = []
    for index in folders.indices {
      guard let before = folders[index].state else { continue }
      if observe(index) || folders[index].state != before { changed.insert(index) }
    }
    return changed
  }
}

/// The state of a folder's files, for comparison with a later one.
private struct FolderState: Hashable, Sendable {
  /// The number of entries.
  let count: Int
  /// The hash of their names and status, and of the folder; nil if it cannot be listed.
  private let hash: Int?

  init(of path: String) {
    guard let folder = try? OpenFolder(path), let names = try? folder.listing() else {
      (count, hash) = (0, nil)
      return
    }
    var hasher = Hasher()
    // Another folder at the same path is a change, even if both are empty.
    if let own = try? folder.status() { hasher.combine(FileStamp(own).number) }
    for index in names.indices where !TemporaryFile.isName(names[index]) {
      hasher.combine(names[index])
      guard let status = folder.status(of: names, at: index) else { continue }
      let stamp = FileStamp(status)
      for number in [stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.number] {
        hasher.combine(number)
      }
    }
    (count, hash) = (names.indices.count, hasher.finalize())
  }

  /// The file systems whose files other machines or programs change without events: NFS, SMB, CIFS,
  /// FUSE, 9P, AFS, Coda and Ceph.
  private static let sharedKinds: Set<UInt64> = [
    0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x7375_7245,
    0x00C3_6400,
  ]

  static func isShared(_ path: String) -> Bool {
    guard let folder = try? OpenFolder(path), let found = try? folder.fileSystem() else {
      return false
    }
    return sharedKinds.contains(found.kind)
  }
}
