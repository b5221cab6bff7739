// SPDX-License-Identifier: Apache-2.0

import Epact
import Synchronization

/// Results that are computed again after a change of the calendars, and every minute.
///
/// Requests that want the same result at the same time wait for one computation. A request never gets
/// a result of a state before it.
final class ResultCache<Value: Sendable>: Sendable {
  /// The state that results are of.
  private struct Stamp: Hashable, Sendable {
    let library: LibraryStamp
    let minute: Int64
  }

  private struct Kept: Sendable {
    let stamp: Stamp
    let value: Value
    let size: Int
  }

  private struct State {
    var kept: [String: Kept] = [:]
    /// The keys of kept results, the oldest first.
    var order: [String] = []
    var size = 0
    var running: [String: (stamp: Stamp, task: Task<Value, any Error>)] = [:]
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

  /// The result of a key, which is computed on another thread if none is kept.
  func value(
    for key: String, _ compute: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let (stamp, found) = try await Background.run { [self] in
      let minute = machine.now().secondsSinceEpoch / 60
      let stamp = Stamp(library: try library.stamp(), minute: minute)
      let kept = state.withLock { $0.kept[key] }
      return (stamp, kept?.stamp == stamp ? kept?.value : nil)
    }
    if let found { return found }
    let task = state.withLock { state in
      if let running = state.running[key], running.stamp == stamp { return running.task }
      let task = Task { [self] in
        defer { end(key, stamp) }
        let value = try await Background.run(compute)
        keep(value, stamp, for: key)
        return value
      }
      state.running[key] = (stamp, task)
      return task
    }
    return try await task.value
  }

  private func end(_ key: String, _ stamp: Stamp) {
    state.withLock { state in
      if state.running[key]?.stamp == stamp { state.running[key] = nil }
    }
  }

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
