// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Limits the requests to one server that are in flight at once.
///
///     request ── begin ──► in flight ── end ──► the window adapts to the answer
///        │                                                │
///        └── waits while the window is full ◄─────────────┘ admits the next
final class RequestLimiter: Sendable {
  private struct State {
    var window: RequestWindow
    var inFlight = 0
    var writesInFlight = 0
    var sent = 0
    var waiting: [Waiting] = []
    var lastID = 0
    /// The start of the last write, which can be in the future.
    var lastWrite: Duration?

    /// Takes a place for a request; false if there is none.
    mutating func admit(isWrite: Bool) -> Bool {
      guard inFlight < window.size, !isWrite || writesInFlight < window.mostWrites else {
        return false
      }
      inFlight += 1
      if isWrite { writesInFlight += 1 }
      return true
    }

    /// Determines how long a request must wait for the spacing of writes.
    mutating func space(isWrite: Bool, now: Duration) -> Duration {
      guard isWrite else { return .zero }
      let start = window.spacing.flatMap { space in lastWrite.map { max(now, $0 + space) } } ?? now
      lastWrite = start
      return start - now
    }
  }

  /// A request that waits for its turn.
  private struct Waiting {
    let id: Int
    let isWrite: Bool
    let task: CheckedContinuation<Void, any Error>
  }

  /// A request in flight.
  struct Turn {
    /// The number of times that the window had shrunk when the request was sent.
    fileprivate let reductions: Int
    /// The number of requests that were sent before.
    fileprivate let sent: Int
    /// Whether others were in flight when the request was sent.
    fileprivate let hasOthers: Bool
    fileprivate let isWrite: Bool
    /// The number of times that the spacing of writes had grown when the request was sent.
    fileprivate let extensions: Int
    /// The time until the request may be sent.
    let delay: Duration
  }

  private let stopwatch: @Sendable () -> Duration
  private let state: Mutex<State>

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - most: The maximum number of requests in flight.
  ///   - stopwatch: A monotonic clock.
  init(most: Int, stopwatch: @escaping @Sendable () -> Duration) {
    self.stopwatch = stopwatch
    state = Mutex(State(window: RequestWindow(most: most)))
  }

  /// Waits until the request may be sent.
  ///
  /// - Parameter isWrite: Whether the request changes what the server stores.
  /// - Returns: The turn, which ``end(_:_:after:)`` gives back.
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  func begin(isWrite: Bool) async throws -> Turn {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { task in
        enter(Waiting(id: id, isWrite: isWrite, task: task))
      }
    } onCancel: {
      leave(id)
    }
    return state.withLock { state in
      state.sent += 1
      return Turn(
        reductions: state.window.reductions, sent: state.sent, hasOthers: state.inFlight > 1,
        isWrite: isWrite, extensions: state.window.extensions,
        delay: state.space(isWrite: isWrite, now: stopwatch()))
    }
  }

  /// Admits a request at once, if possible.
  private func enter(_ request: Waiting) {
    // A cancellation before this check found no waiting task.
    let isAdmitted: Bool? = state.withLock { state in
      if Task.isCancelled { return false }
      // A request that could be admitted does not wait, so that this one overtakes none of them.
      guard state.admit(isWrite: request.isWrite) else {
        state.waiting.append(request)
        return nil
      }
      return true
    }
    switch isAdmitted {
    case nil: break
    case true?: request.task.resume()
    case false?: request.task.resume(throwing: CancellationError())
    }
  }

  /// Removes a cancelled task from the queue.
  private func leave(_ id: Int) {
    let task = state.withLock { state in
      state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).task }
    }
    task?.resume(throwing: CancellationError())
  }

  /// Whether another request was in flight at any time since the request was sent.
  func isShared(_ turn: Turn) -> Bool {
    turn.hasOthers || state.withLock { $0.sent != turn.sent }
  }

  /// Ends a request, adapts the window, and admits waiting requests.
  ///
  /// - Parameters:
  ///   - turn: The turn of the request.
  ///   - answer: How the server answered.
  ///   - time: The time until the response; nil if there was none.
  func end(_ turn: Turn, _ answer: RequestWindow.Answer, after time: Duration? = nil) {
    let admitted = state.withLock { state in
      state.inFlight -= 1
      if turn.isWrite { state.writesInFlight -= 1 }
      if let time { state.window.note(responseAfter: time) }
      let isSpacedAsNow = turn.extensions == state.window.extensions
      state.window.note(answer, sentAfter: turn.reductions, isSpacedAsNow: isSpacedAsNow)
      var admitted: [CheckedContinuation<Void, any Error>] = []
      var index = 0
      while index < state.waiting.count, state.inFlight < state.window.size {
        if state.admit(isWrite: state.waiting[index].isWrite) {
          admitted.append(state.waiting.remove(at: index).task)
        } else {
          index += 1
        }
      }
      return admitted
    }
    for task in admitted { task.resume() }
  }
}

/// The number of requests to a server that may be in flight at once, adapted to its answers.
///
/// The window starts small and grows with each answer. It is halved when the server is busy (status
/// 429 or 503) or fails. Afterwards it grows slowly: by one for several writes. It shrinks by one
/// when even the fastest of several writes takes much longer than before, because more requests
/// would only wait in the queue of the server.
///
/// The number of writes starts at two, however many reads came before, and grows with each write.
/// A server that locks the calendar during a write (status 423) thus rejects only one or two.
///
/// Such a server gets one write. Its time without the round trip of the network, which is about
/// that of the fastest response, becomes the spacing of the next ones: the time between the starts
/// of two writes. The spacing shrinks with each write and grows with a rejection, so that a write
/// arrives when the server has finished the previous one, and the round trip is hidden. After the
/// first rejection it shrinks slowly, unless it is much longer than a write, so that few writes are
/// rejected. Writes that were sent before the spacing grew are rejected for the same reason, and do
/// not make it grow again. If the round trip is very short, there is nothing to hide, and writes
/// are sent one after another.
struct RequestWindow {
  /// How the server answered a request.
  enum Answer {
    /// The answer to a read, whose time depends on its size.
    case read
    /// The answer to a write after the given time.
    case write(Duration)
    /// The server is busy or failed.
    case overload
    /// The server rejects a write while it carries out another one.
    case locked
    /// The request was not sent, or its failure says nothing about the load.
    case none
  }

  /// The first size.
  private static let first = 3
  /// The first number of writes.
  private static let firstWrites = 2
  /// The number of writes that are compared together.
  private static let sampleSize = 8
  /// The multiple of the shortest time from which on a server is slow.
  private static let slowness = 4
  /// The number of writes in flight to a server that locks the calendar during a write.
  private static let mostSpaced = 3
  /// The smallest part of the time of a write that counts, for the server or for the round trip.
  private static let leastShare = 8
  /// The longest round trip that is not worth hiding; any program needs some of this time.
  private static let shortTrip = Duration.milliseconds(8)
  /// The smallest difference of times that counts; shorter ones depend on chance.
  private static let tolerance = Duration.milliseconds(20)

  /// The largest size.
  let most: Int
  /// The number of requests that may be in flight, at least 1.
  private(set) var size: Int
  /// The number of writes among them that may be in flight, at least 1.
  private(set) var mostWrites: Int
  /// Whether the server locks the calendar during a write.
  private var isLocking = false
  /// The time between the starts of two writes; nil if it does not matter, or is not known yet.
  private(set) var spacing: Duration?
  /// The time of the last write to a server that locks the calendar.
  private var lastTime = Duration.zero
  /// The number of times that the spacing has grown.
  private(set) var extensions = 0
  /// The time of the fastest response, which is hardly more than the round trip of the network.
  private var shortestResponse: Duration?
  /// The shortest time that the server itself took for a write.
  private var leastWork: Duration?
  /// The number of times that the window has shrunk.
  private(set) var reductions = 0
  /// The number of answers since the size changed.
  private var answers = 0
  private var shortest: Duration?
  private var sample: [Duration] = []

  /// Creates a window with a maximum size of at least 1.
  init(most: Int) {
    self.most = max(1, most)
    size = min(self.most, Self.first)
    mostWrites = min(self.most, Self.firstWrites)
  }

  /// Adapts the size to an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - sentAfter: The number of reductions when the request was sent. Requests that were in
  ///     flight during a reduction do not shrink the window again.
  ///   - isSpacedAsNow: Whether the spacing has not grown since the request was sent.
  mutating func note(_ answer: Answer, sentAfter: Int, isSpacedAsNow: Bool = true) {
    switch answer {
    case .none: return
    case .locked:
      isLocking = true
      if let spacing {
        guard isSpacedAsNow else { return }
        // At the time of a write, nothing else would be in flight.
        self.spacing = min(spacing * 4 / 3, max(spacing, lastTime))
        extensions += 1
      } else {
        mostWrites = 1
      }
    case .overload:
      if sentAfter == reductions { shrink(to: size / 2) }
    case .read: grow()
    case .write(let time):
      if isLocking {
        space(after: time)
      } else {
        mostWrites = min(mostWrites + 1, most)
      }
      guard sentAfter == reductions else { return }
      sample.append(time)
      switch isSlow() {
      case true?: shrink(to: size - 1)
      case false? where reductions > 0: size = min(size + 1, most)
      default: if reductions == 0 { grow() }
      }
    }
  }

  /// Records the time of a response to any request.
  mutating func note(responseAfter time: Duration) {
    shortestResponse = shortestResponse.map { min($0, time) } ?? time
  }

  /// Adapts the spacing to a write that succeeded.
  private mutating func space(after time: Duration) {
    lastTime = time
    let work = max(time - (shortestResponse ?? .zero), time / Self.leastShare)
    let least = leastWork.map { min($0, work) } ?? work
    leastWork = least
    if let shortestResponse, shortestResponse < max(Self.shortTrip, least / Self.leastShare) {
      spacing = nil
      mostWrites = 1
      return
    }
    guard let spacing else {
      self.spacing = min(least * 6 / 5, time)
      mostWrites = min(most, Self.mostSpaced)
      return
    }
    let isLong = spacing > least * 2
    let next = extensions == 0 || isLong ? spacing * 19 / 20 : spacing * 49 / 50
    self.spacing = extensions == 0 ? min(next, least * 6 / 5) : next
  }

  /// Whether the sample shows a slow server; nil if it is not complete.
  private mutating func isSlow() -> Bool? {
    guard sample.count == Self.sampleSize, let fastest = sample.min() else { return nil }
    sample = []
    // At one request at a time, nothing waits: the server has become slower as a whole.
    let before = size == 1 ? fastest : min(shortest ?? fastest, fastest)
    shortest = before
    return fastest > max(before * Self.slowness, before + Self.tolerance)
  }

  private mutating func grow() {
    answers += 1
    // Before the first reduction each answer admits one more request, later each two rounds.
    guard size < most, reductions == 0 || answers >= 2 * size else { return }
    size += 1
    answers = 0
  }

  private mutating func shrink(to size: Int) {
    self.size = max(1, size)
    reductions += 1
    answers = 0
    sample = []
  }
}
