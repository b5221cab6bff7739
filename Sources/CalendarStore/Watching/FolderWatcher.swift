// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Waits for changes of the folders of several watches, with one queue of the system and one
/// thread.
///
/// The system limits the number of queues of a user, usually to 128. The queue and the thread exist
/// as long as there is a watch.
public final class FolderWatcher: Sendable {
  /// The period in which changes are collected, in milliseconds.
  private static let period: Int32 = 100

  /// The loop; nil without a watch.
  private let loop = Mutex<WatchLoop?>(nil)

  /// Creates a watcher, which watches nothing yet.
  public init() {}

  /// Adds the folders of a party, whose changes are reported after the return.
  func add(_ party: WatchParty, _ folders: [String]) throws(StoreError) {
    let first = try loop.withLock { (loop) throws(StoreError) -> WatchLoop.Descriptors? in
      if loop != nil {
        loop?.add(party, folders)
        return nil
      }
      var new = try WatchLoop(for: folders)
      new.add(party, folders)
      loop = new
      return new.descriptors
    }
    guard let first else { return }
    DispatchQueue(label: "org.epact.folder-watcher").async { [self] in run(first) }
  }

  /// Removes the folders of a party.
  func remove(_ party: WatchParty) {
    loop.withLock { $0?.remove(party) }
  }

  private func run(_ descriptors: WatchLoop.Descriptors) {
    let all = [descriptors.wake] + (descriptors.queue.map { [$0] } ?? [])
    while let limit = loop.withLock({ $0?.timeLimit }) {
      let ready = SystemCalls.wait(for: all, milliseconds: limit)
      // More changes are likely to follow the first one.
      if ready.dropFirst().contains(true) {
        _ = SystemCalls.wait(for: [descriptors.wake], milliseconds: Self.period)
      }
      let (changes, isEnd) = loop.withLock { loop -> (WatchLoop.Changes, Bool) in
        loop?.clearWake()
        let changes = loop?.takeChanges() ?? []
        guard let ended = loop, ended.isEmpty else { return (changes, false) }
        ended.close()
        loop = nil
        return (changes, true)
      }
      for (party, folders) in changes { party.report(folders) }
      // Another thread may run the next loop by now.
      if isEnd { return }
    }
  }
}

/// The folders of a watcher: those with events of the system, and those that are polled.
private struct WatchLoop: Sendable {
  /// Changed folders by their parties.
  typealias Changes = [(party: WatchParty, folders: Set<String>)]

  /// The descriptors for which the thread waits.
  struct Descriptors: Sendable {
    /// The queue of the system, or nil without one.
    let queue: Int32?
    /// The reading end of a pipe, which is ready after a party was added or removed.
    let wake: Int32
  }

  private struct Folder: Sendable {
    let party: WatchParty
    let path: String
    /// The number of the system's watch, or nil without one; watches of one folder share it.
    var watch: Int32?
    /// The state when it was polled, for comparison; nil if it is not polled.
    var state: FolderState?
  }

  /// The maximum number of blocks of events that are read at once.
  private static let blockLimit = 1000

  let descriptors: Descriptors
  private let waking: Int32
  private var isAwake = false
  private var folders: [Folder] = []
  private var nextPoll = ContinuousClock.now

  /// Opens the descriptors; the folders are those of an error.
  init(for folders: [String]) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      let pipe = try SystemCalls.makePipe()
      waking = pipe.writing
      descriptors = Descriptors(queue: try? SystemCalls.makeEventQueue(), wake: pipe.reading)
    } catch {
      throw StoreError(error, path: folders.first ?? "", cannot: "watch the folder")
    }
  }

  /// Whether no folder is watched.
  var isEmpty: Bool { folders.isEmpty }

  /// Closes the descriptors.
  func close() {
    SystemCalls.close(waking)
    SystemCalls.close(descriptors.wake)
    if let queue = descriptors.queue { SystemCalls.close(queue) }
  }

  mutating func add(_ party: WatchParty, _ paths: [String]) {
    for path in paths {
      folders.append(Folder(party: party, path: path))
      _ = observe(folders.count - 1)
    }
    if nextPoll <= .now { nextPoll = .now + pollPeriod }
    wakeUp()
  }

  mutating func remove(_ party: WatchParty) {
    let ended = Set(folders.filter { $0.party === party }.compactMap(\.watch))
    folders.removeAll { $0.party === party }
    for watch in ended where !folders.contains(where: { $0.watch == watch }) { end(watch) }
    wakeUp()
  }

  private mutating func wakeUp() {
    guard !isAwake else { return }
    isAwake = (try? SystemCalls.write(waking, [0], from: 0)) != nil
  }

  /// Makes the pipe wait for the next party; only the thread of the loop does.
  mutating func clearWake() {
    guard isAwake else { return }
    _ = try? SystemCalls.read(descriptors.wake, atMost: 1)
    isAwake = false
  }

  private func end(_ watch: Int32) {
    if let queue = descriptors.queue { SystemCalls.endWatch(watch, in: queue) }
  }

  /// Adds a folder to the system's queue if possible, and notes its state if it must be polled.
  ///
  /// It returns whether the system watches the folder now and did not before.
  private mutating func observe(_ index: Int) -> Bool {
    let path = folders[index].path
    let isNew = folders[index].watch == nil
    if isNew, let queue = descriptors.queue {
      folders[index].watch = try? SystemCalls.watch(path, in: queue)
    }
    let isPolled = folders[index].watch == nil || FolderState.isShared(path)
    folders[index].state = isPolled ? FolderState(of: path) : nil
    return isNew && folders[index].watch != nil
  }

  /// The time between two polls: longer for large folders, which take longer to list.
  private var pollPeriod: Duration {
    .milliseconds(2000 + folders.reduce(0) { $0 + ($1.state?.count ?? 0) })
  }

  /// The time until the next poll in milliseconds; negative for none.
  var timeLimit: Int32 {
    guard folders.contains(where: { $0.state != nil }) else { return -1 }
    let rest = (nextPoll - .now) / .milliseconds(1)
    return Int32(min(max(rest.rounded(.up), 0), 60_000))
  }

  /// The folders that may have changed since the last call, by their parties.
  mutating func takeChanges() -> Changes {
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
    let parties = Dictionary(grouping: changed) { ObjectIdentifier(folders[$0].party) }
    return parties.values.compactMap { indices in
      indices.first.map { (folders[$0].party, Set(indices.map { folders[$0].path })) }
    }
  }

  private func readEvents() -> [SystemCalls.FolderEvent] {
    guard let queue = descriptors.queue else { return [] }
    var events: [SystemCalls.FolderEvent] = []
    for _ in 0..<Self.blockLimit {
      guard let block = try? SystemCalls.events(in: queue), !block.isEmpty else { break }
      events += block
    }
    return events
  }

  /// Ends the watch of a folder that is gone or was replaced, and watches the one at its path.
  private mutating func lose(_ index: Int) {
    if let watch = folders[index].watch { end(watch) }
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
