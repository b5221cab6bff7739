// SPDX-License-Identifier: Apache-2.0

/// The access of a sync to the name, colour, description and order of the calendar on one side.
public protocol CollectionPropertyStore: Sendable {
  /// Reads the properties that are set.
  func collectionProperties() async throws -> CollectionProperties

  /// Whether the side accepts changes; if not, edits on the other side are not copied to it.
  var canBeSet: Bool { get }

  /// Sets a property, or removes it if `value` is nil; durable when it returns.
  ///
  /// Properties are set one at a time, so that a side can reject one and accept the others.
  func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome
}

/// The outcome of setting a property of a calendar.
public enum CollectionPropertyOutcome: Hashable, Sendable {
  /// The side accepted the value.
  case done
  /// The side permanently rejects the value; `reason` is its own message.
  case refused(reason: String)
}

extension CollectionPropertyStore {
  /// Default implementation: properties can be set.
  public var canBeSet: Bool { true }
}

extension RemoteCalendar {
  /// Default implementation: the remote stores no properties.
  public var properties: (any CollectionPropertyStore)? { nil }
}

extension LocalCalendar {
  /// Default implementation: the calendar stores no properties.
  public var properties: (any CollectionPropertyStore)? { nil }
}
