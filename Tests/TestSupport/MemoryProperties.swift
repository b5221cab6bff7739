// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import Synchronization

/// The name, colour, description and order of a calendar in memory.
public final class MemoryProperties: CollectionPropertyStore {
  private struct State {
    var values = CollectionProperties()
    var refused: [CollectionProperty: String] = [:]
    var canBeSet = true
    var reads = 0
    var writes: [String] = []
  }

  private let name: String
  /// What goes wrong with calls.
  public let faults: FaultPlan
  private let state = Mutex(State())

  /// Creates a calendar of which nothing is set.
  public init(_ name: String, faults: FaultPlan = FaultPlan()) {
    self.name = name
    self.faults = faults
  }

  // MARK: What a person does

  /// What is set, without a call.
  public subscript(property: CollectionProperty) -> String? {
    get { state.withLock { $0.values[property] } }
    set { state.withLock { $0.values[property] = newValue } }
  }

  /// Whether anything can be set.
  public var canBeSet: Bool {
    get { state.withLock { $0.canBeSet } }
    set { state.withLock { $0.canBeSet = newValue } }
  }

  /// Refuses a property from now on.
  public func refuse(_ property: CollectionProperty, because reason: String) {
    state.withLock { $0.refused[property] = reason }
  }

  /// How often it was read.
  public var reads: Int { state.withLock { $0.reads } }

  /// What was set, in order.
  public var writes: [String] { state.withLock { $0.writes } }

  // MARK: CollectionPropertyStore

  /// Reads what is set.
  public func collectionProperties() async throws -> CollectionProperties {
    try faults.perform("read properties \(name)") {
      state.withLock { state in
        state.reads += 1
        return state.values
      }
    }
  }

  /// Sets a property.
  public func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome {
    try faults.perform("set \(property.rawValue) \(name)") {
      state.withLock { state in
        if let reason = state.refused[property] { return .refused(reason: reason) }
        state.values[property] = value
        state.writes.append("\(property.rawValue)=\(value ?? "nothing")")
        return .done
      }
    }
  }
}
