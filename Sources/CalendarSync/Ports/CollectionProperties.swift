// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The optional properties of a calendar as a whole: name, colour, description and order.
public struct CollectionProperties: Hashable, Sendable {
  private var values: [CollectionProperty: String] = [:]

  /// Creates a calendar's properties; none is set.
  public init() {}

  /// The value of a property in the spelling of the side, or nil if it is not set.
  public subscript(property: CollectionProperty) -> String? {
    get { values[property] }
    set { values[property] = newValue }
  }

  /// Whether no property is set.
  public var isEmpty: Bool { values.isEmpty }
}

/// A property of a calendar as a whole, as opposed to its items.
public enum CollectionProperty: String, CaseIterable, Hashable, Sendable {
  /// The display name: `DAV:displayname` (RFC 4918 §15.2), the file `displayname` of a folder.
  case name
  /// The colour as `#RRGGBB`: `calendar-color` of Apple's namespace, the file `color` of a folder.
  case color
  /// A text: `CALDAV:calendar-description` (RFC 4791 §5.2.1), the file `description` of a folder.
  case description
  /// The position in a list of calendars: `calendar-order` of Apple's namespace, the file `order`.
  case order

  /// The maximum size of an accepted value, in bytes.
  public static let sizeLimit = 4096

  /// The value in canonical form, for comparison.
  ///
  /// Servers append an alpha channel to colours, and editors append a line end.
  ///
  /// - Parameter value: A value in the spelling of a side.
  /// - Returns: The canonical value, or nil for a blank value, which counts as not set.
  public func canonical(_ value: String) -> String? {
    var text = Substring(value)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    text = text.drop(while: \.isWhitespace)
    guard !text.isEmpty else { return nil }
    switch self {
    case .name, .description: return String(text).replacing("\r\n", with: "\n")
    case .color:
      let lower = text.lowercased()
      let hasOpaqueAlpha = lower.hasPrefix("#") && lower.utf8.count == 9 && lower.hasSuffix("ff")
      return hasOpaqueAlpha ? String(lower.dropLast(2)) : lower
    case .order: return Int(text).map(String.init) ?? String(text)
    }
  }
}

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

/// The properties of the calendar on each side when the sides last agreed.
///
/// As for items, each side has its own base. A different spelling or a rejected value is therefore
/// not an edit.
public struct CollectionAgreement: Hashable, Sendable {
  /// The properties of the local side.
  public var local: CollectionProperties
  /// The properties of the remote.
  public var remote: CollectionProperties
  /// The time of the last request to the remote.
  public var readAt: Instant

  /// Creates an agreement.
  public init(
    local: CollectionProperties = CollectionProperties(),
    remote: CollectionProperties = CollectionProperties(), readAt: Instant
  ) {
    self.local = local
    self.remote = remote
    self.readAt = readAt
  }

  /// The properties with different values on the two sides: both changed it, or a side rejected a value.
  public var differences: [CollectionProperty] {
    CollectionProperty.allCases.filter { property in
      local[property].flatMap(property.canonical) != remote[property].flatMap(property.canonical)
    }
  }

  /// The properties of one side.
  subscript(side: MergeSide) -> CollectionProperties {
    get { side == .local ? local : remote }
    set { if side == .local { local = newValue } else { remote = newValue } }
  }

  /// Records the outcome of a change.
  ///
  /// A rejected value counts as agreed until it is edited again, so that it is not sent in every
  /// run.
  mutating func note(_ change: CollectionChange, _ outcome: CollectionChange.Outcome) {
    guard outcome == .done, let write = change.write else { return }
    self[write.side][change.property] = write.value
  }
}
