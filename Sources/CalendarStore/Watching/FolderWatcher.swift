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

  private let usesEvents: Bool

  /// Creates a watcher, which watches nothing yet.
  public convenience init() { self.init(usesEvents: true) }

  /// Creates a watcher that may list its folders instead of taking the events of the system, as if
  /// the user had all queues.
  package init(usesEvents: Bool) {
    self.usesEvents = usesEvents
  }

  /// Adds the folders of a party, whose changes are reported after the return.
  func add(_ party: WatchParty, _ folders: [String]) throws(StoreError) {
    let first = try loop.withLock { (loop) throws(StoreError) -> WatchLoop.Descriptors? in
      let first = try begin(&loop, for: folders)
      loop?.add(party, folders)
      return first
    }
    start(first)
  }

  /// Removes the folders of a party.
  func remove(_ party: WatchParty) {
    loop.withLock { if $0?.isOwn == true { $0?.remove(party) } }
  }

  // MARK: Events for a reader

  /// Records the events of a folder, and returns whether the system reports them.
  func add(_ events: FolderEvents, of folder: borrowing OpenFolder) -> Bool {
    let reader = ObjectIdentifier(events)
    let place = folder.descriptorPath
    let (isAdded, first) = loop.withLock { loop -> (Bool, WatchLoop.Descriptors?) in
      do throws(StoreError) {
        let first = try begin(&loop, for: [place])
        return (loop?.add(reader, place) ?? false, first)
      } catch {
        return (false, nil)
      }
    }
    start(first)
    return isAdded
  }

  /// Removes the record of a folder's events.
  func remove(_ events: FolderEvents) {
    let reader = ObjectIdentifier(events)
    loop.withLock { if $0?.isOwn == true { $0?.remove(reader) } }
  }

  /// Returns the recorded changes, with all events that are in the queue now, and forgets them.
  ///
  /// In a process that was forked, the queue is that of its parent, and its events are not taken.
  func take(_ events: FolderEvents) -> FolderChange {
    let reader = ObjectIdentifier(events)
    return loop.withLock { loop in
      guard loop?.isOwn == true, let change = loop?.take(reader) else { return .anything }
      return change
    }
  }

  // MARK: The loop

  /// Begins a loop unless there is one, and returns the descriptors of a new one.
  private func begin(
    _ loop: inout WatchLoop?, for folders: [String]
  ) throws(StoreError) -> WatchLoop.Descriptors? {
    guard loop?.isOwn != true else { return nil }
    let new = try WatchLoop(for: folders, usesEvents: usesEvents)
    loop = new
    return new.descriptors
  }

  private func start(_ descriptors: WatchLoop.Descriptors?) {
    guard let descriptors else { return }
    DispatchQueue(label: "org.epact.folder-watcher").async { [self] in run(descriptors) }
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
