// SPDX-License-Identifier: Apache-2.0

import Epact
import Synchronization

/// Results that are computed again after a change of their calendars, and every minute.
///
/// A request never gets a result of a state before it. At most one computation of a result runs at a
/// time: the requests that come meanwhile, and see another state, wait for the one after it, which they
/// share. So no request waits for more than two computations, however often the calendars change.
final class ResultCache<Value: Sendable>: Sendable {
  /// The state that results are of.
  private struct Stamp: Hashable, Sendable {
    let library: LibraryStamp
    let minute: Int64
  }

  /// A result to compute.
  struct Request: Sendable {
    /// The key, which is different for different results.
    let key: String
    /// The names of the calendars whose changes count; nil for all.
    var calendars: [String]?
    /// Computes the result.
    let compute: @Sendable () throws -> Value
  }

  private struct Kept: Sendable {
    let stamp: Stamp
    let value: Value
    let size: Int
  }

  /// The computation of a key in progress.
  private struct Work {
    typealias Waiter = CheckedContinuation<Value, any Error>
    /// The state of the result; nil until it is known.
    var stamp: Stamp?
    /// The requests that get the result.
    var joined: [Waiter] = []
    /// The requests that get the next one.
    var waiting: [Waiter] = []
  }

  private struct State {
    var kept: [String: Kept] = [:]
    /// The keys of kept results, the oldest first.
    var order: [String] = []
    var size = 0
    var work: [String: Work] = [:]
  }

  /// The maximum size of all kept results in bytes.
  private static var sizeLimit: Int { 16 << 20 }

  private let library: CalendarLibrary
  private let machine: Machine
  private let sizeOf: @Sendable (Value) -> Int
  private let state = Mutex(State())

  /// Creates a cache without results.
  ///
  /// - Parameters:
  ///   - library: The calendars.
  ///   - machine: The clock.
  ///   - sizeOf: The size of a result in bytes.
  init(
    _ library: CalendarLibrary, _ machine: Machine, sizeOf: @escaping @Sendable (Value) -> Int
  ) {
    self.library = library
    self.machine = machine
    self.sizeOf = sizeOf
  }

  /// A result, which is computed on another thread if it is not kept.
  ///
  /// - Throws: The error of the computation; `LibraryError` if the configuration is invalid.
  func value(for request: Request) async throws -> Value {
    let stamp = try await Background.run { [self] in try self.stamp(of: request) }
    let kept = state.withLock { $0.kept[request.key] }
    if let kept, kept.stamp == stamp { return kept.value }
    return try await withCheckedThrowingContinuation { waiter in
      guard add(waiter, request.key, stamp) else { return }
      Task { await compute(request, stamp) }
    }
  }

  /// Lets a request wait, and returns whether nothing is computed yet for the key.
  private func add(_ waiter: Work.Waiter, _ key: String, _ stamp: Stamp) -> Bool {
    state.withLock { state in
      guard let known = state.work[key] else {
        state.work[key] = Work(stamp: stamp, joined: [waiter])
        return true
      }
      if known.stamp == stamp {
        state.work[key]?.joined.append(waiter)
      } else {
        state.work[key]?.waiting.append(waiter)
      }
      return false
    }
  }

  private func stamp(of request: Request) throws -> Stamp {
    Stamp(
      library: try library.stamp(of: request.calendars),
      minute: machine.now().secondsSinceEpoch / 60)
  }

  /// Computes results as long as requests wait for one.
  private func compute(_ request: Request, _ first: Stamp) async {
    var stamp: Stamp? = first
    while true {
      do {
        if stamp == nil { stamp = try await begin(request) }
        let value = try await Background.run(request.compute)
        if let stamp { keep(value, stamp, for: request.key) }
        guard end(request.key, .success(value)) else { return }
      } catch {
        guard end(request.key, .failure(error)) else { return }
      }
      stamp = nil
    }
  }

  /// Notes the state before the next result, which all get that wait by now.
  private func begin(_ request: Request) async throws -> Stamp {
    let stamp: Result<Stamp, any Error>
    do {
      stamp = .success(try await Background.run { [self] in try self.stamp(of: request) })
    } catch {
      stamp = .failure(error)
    }
    state.withLock { state in
      let waiting = state.work[request.key]?.waiting ?? []
      state.work[request.key] = Work(stamp: try? stamp.get(), joined: waiting)
    }
    return try stamp.get()
  }

  /// Hands a result out, and returns whether others wait for the next one.
  private func end(_ key: String, _ result: Result<Value, any Error>) -> Bool {
    let (joined, goesOn) = state.withLock { state in
      let joined = state.work[key]?.joined ?? []
      state.work[key]?.joined = []
      state.work[key]?.stamp = nil
      let goesOn = state.work[key]?.waiting.isEmpty == false
      if !goesOn { state.work[key] = nil }
      return (joined, goesOn)
    }
    for waiter in joined { waiter.resume(with: result) }
    return goesOn
  }

  // MARK: Keeping

  private func keep(_ value: Value, _ stamp: Stamp, for key: String) {
    let size = sizeOf(value) + key.utf8.count
    state.withLock { state in
      Self.remove(key, from: &state)
      guard size <= Self.sizeLimit / 4 else { return }
      state.kept[key] = Kept(stamp: stamp, value: value, size: size)
      state.order.append(key)
      state.size += size
      while state.size > Self.sizeLimit, let oldest = state.order.first {
        Self.remove(oldest, from: &state)
      }
    }
  }

  private static func remove(_ key: String, from state: inout State) {
    guard let known = state.kept.removeValue(forKey: key) else { return }
    state.size -= known.size
    state.order.removeAll { $0 == key }
  }
}
