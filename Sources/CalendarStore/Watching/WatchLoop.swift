// SPDX-License-Identifier: Apache-2.0

/// The folders of a watcher: those with events of the system, and those that are polled.
struct WatchLoop: Sendable {
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
    /// Whether it may have changed since the last report.
    var isChanged = false
  }

  /// A record of the events in a folder.
  private struct Record: Sendable {
    let reader: ObjectIdentifier
    let watch: Int32
    var change = FolderChange.nothing
  }

  /// The maximum number of blocks of events that are read at once.
  private static let blockLimit = 1000

  let descriptors: Descriptors
  private let waking: Int32
  private var isAwake = false
  private var folders: [Folder] = []
  private var records: [Record] = []
  /// The process that began the loop; its children share the queue without being able to use it.
  private let process = SystemCalls.processNumber
  private var nextPoll = ContinuousClock.now

  /// Opens the descriptors; the folders are those of an error.
  init(for folders: [String], usesEvents: Bool) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      let pipe = try SystemCalls.makePipe()
      waking = pipe.writing
      let queue = usesEvents ? try? SystemCalls.makeEventQueue() : nil
      descriptors = Descriptors(queue: queue, wake: pipe.reading)
    } catch {
      throw StoreError(error, path: folders.first ?? "", cannot: "watch the folder")
    }
  }

  /// Whether no folder is watched.
  var isEmpty: Bool { folders.isEmpty && records.isEmpty }

  /// Whether this process began the loop.
  var isOwn: Bool { process == SystemCalls.processNumber }

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
    for watch in ended { endUnused(watch) }
    wakeUp()
  }

  /// Begins to record the events of a folder, or returns false if there are none.
  mutating func add(_ reader: ObjectIdentifier, _ path: String) -> Bool {
    guard let queue = descriptors.queue, let watch = try? SystemCalls.watch(path, in: queue) else {
      wakeUp()
      return false
    }
    records.append(Record(reader: reader, watch: watch))
    return true
  }

  mutating func remove(_ reader: ObjectIdentifier) {
    let ended = Set(records.filter { $0.reader == reader }.map(\.watch))
    records.removeAll { $0.reader == reader }
    for watch in ended { endUnused(watch) }
    wakeUp()
  }

  /// Returns the changes that a reader has not taken, up to the last event; nil without a record.
  mutating func take(_ reader: ObjectIdentifier) -> FolderChange? {
    readEvents()
    // The thread reports what it no longer finds in the queue.
    if folders.contains(where: \.isChanged) { wakeUp() }
    guard let index = records.firstIndex(where: { $0.reader == reader }) else { return nil }
    defer { if records[index].change != .anything { records[index].change = .nothing } }
    return records[index].change
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

  private func endUnused(_ watch: Int32) {
    guard !folders.contains(where: { $0.watch == watch }),
      !records.contains(where: { $0.watch == watch })
    else { return }
    end(watch)
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
    readEvents()
    if ContinuousClock.now >= nextPoll {
      for index in poll() { folders[index].isChanged = true }
      nextPoll = .now + pollPeriod
    }
    let changed = folders.indices.filter { folders[$0].isChanged }
    for index in changed { folders[index].isChanged = false }
    let parties = Dictionary(grouping: changed) { ObjectIdentifier(folders[$0].party) }
    return parties.values.compactMap { indices in
      indices.first.map { (folders[$0].party, Set(indices.map { folders[$0].path })) }
    }
  }

  /// Takes all events out of the queue, and notes what they change.
  private mutating func readEvents() {
    guard let queue = descriptors.queue else { return }
    for _ in 0..<Self.blockLimit {
      guard let events = try? SystemCalls.events(in: queue) else { break }
      if events.isEmpty { return }
      for event in events { note(event) }
    }
    // Events remain in the queue, or it cannot be read.
    noteLoss()
  }

  private mutating func note(_ event: SystemCalls.FolderEvent) {
    if event.isOverflow { noteLoss() }
    guard !TemporaryFile.isName(event.name) else { return }
    for index in folders.indices where folders[index].watch == event.watch {
      if !event.isDetail { folders[index].isChanged = true }
      if event.isEnd { lose(index) }
    }
    for index in records.indices where records[index].watch == event.watch {
      records[index].change.add(event.name)
    }
  }

  private mutating func noteLoss() {
    for index in folders.indices { folders[index].isChanged = true }
    for index in records.indices { records[index].change = .anything }
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
