// SPDX-License-Identifier: Apache-2.0

/// One side of a sync as the keeper of its calendar's name, colour, description and order.
public protocol CollectionPropertyStore: Sendable {
  /// Reads what is set.
  func collectionProperties() async throws -> CollectionProperties

  /// Whether anything can be set; if not, what is edited on the other side stays there.
  var canBeSet: Bool { get }

  /// Sets a property, or removes it with nil; durable when it returns.
  ///
  /// One at a time, so that a side which refuses one takes the others.
  func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome
}

/// What became of setting a property of a calendar.
public enum CollectionPropertyOutcome: Hashable, Sendable {
  /// The side took it.
  case done
  /// The side refuses it, and would again; with its own words.
  case refused(reason: String)
}

extension CollectionPropertyStore {
  /// What is set can be changed unless the side says otherwise.
  public var canBeSet: Bool { true }
}

extension RemoteCalendar {
  /// A remote keeps no properties unless it says so.
  public var properties: (any CollectionPropertyStore)? { nil }
}

extension LocalCalendar {
  /// A local calendar keeps no properties unless it says so.
  public var properties: (any CollectionPropertyStore)? { nil }
}
