// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax
import Synchronization

/// All components with the same UID: the unit of storage, merging and syncing.
///
/// A recurring event and its overrides are one item (RFC 5545 §3.8.4.4, RFC 4791 §4.1). The
/// components can be in any order. An item can lack its main component: an invitation to one
/// occurrence of a series consists of an override only.
///
/// ## Topics
///
/// ### Reading and writing
/// - ``init(parsing:normalForm:)``
/// - ``init(_:overrides:zones:)``
/// - ``init(components:timeZones:calendarProperties:)``
/// - ``definingTimeZones(since:zones:)``
/// - ``serialized(forStorage:)``
///
/// ### Identity and meaning
/// - ``uid``
/// - ``kind``
/// - ``title``
/// - ``fingerprint``
/// - ``normalForm``
/// - ``normalized(by:)``
///
/// ### Components
/// - ``main``
/// - ``overrides``
/// - ``components``
/// - ``timeZones``
/// - ``calendar``
public struct CalendarItem: Sendable {
  /// The UID of all components.
  public let uid: UID
  /// The kind of the item.
  public let kind: ItemKind
  /// The form for comparisons with other items.
  public private(set) var normalForm: NormalForm
  /// The display title: the summary of the main component, or the UID if it has none.
  public let title: String
  /// The item as a complete iCalendar object (RFC 5545 §3.4).
  public let calendar: Component
  private var meaning: ItemMeaning

  /// Creates an item after checking that the calendar contains exactly one.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - normalForm: The form for comparisons of the item.
  ///   - fingerprint: The fingerprint of the same bytes in this form; nil if it is unknown.
  /// - Throws: `ItemError` if the calendar does not contain exactly one complete item.
  init(
    calendar: Component, normalForm: NormalForm = NormalForm(), fingerprint: Fingerprint? = nil
  ) throws(ItemError) {
    let identity = try ItemIdentity(of: calendar.components)
    if let part = calendar.components.first(where: { !$0.isWhole }) {
      throw ItemError(
        code: .incomplete, position: part.position,
        message: "expected a complete \(part.name.rawName), found a truncated one")
    }
    self.uid = identity.uid
    self.kind = identity.kind
    self.normalForm = normalForm
    meaning = ItemMeaning(fingerprint)
    let components = calendar.components
    let titled =
      components.first { ItemKind($0.name) != nil && !$0.isOverride }
      ?? components.first { ItemKind($0.name) != nil }
    let summary = titled?[.summary]?.text ?? ""
    self.title = summary.isEmpty ? identity.uid.rawValue : summary
    self.calendar = calendar
  }

  /// The digest of the item's meaning, independent of its notation.
  ///
  /// It is computed on first use, because many items are read but never compared.
  public var fingerprint: Fingerprint {
    meaning.fingerprint { normalForm.fingerprint(of: components, definitions: timeZones) }
  }

  /// The components with the UID, in file order.
  public var components: [Component] {
    calendar.components.filter { ItemKind($0.name) == kind }
  }

  /// The component of the whole item, or nil if the item has only overrides.
  ///
  /// The RFC does not allow several main components; if there are several, this is the latest
  /// revision.
  public var main: Component? {
    components.filter { !$0.isOverride }.max { $0.revision < $1.revision }
  }

  /// The overrides of single occurrences, in file order (RFC 5545 §3.8.4.4).
  public var overrides: [Component] {
    components.filter(\.isOverride)
  }

  /// The definitions of the time zones that the components use (RFC 5545 §3.6.5).
  public var timeZones: [Component] {
    calendar.components(named: .timeZone)
  }

  /// Returns the item with another normal form, such as one that resolves time zones.
  ///
  /// Only items with the same form are comparable. Items derived from the result have its form.
  public func normalized(by form: NormalForm) -> CalendarItem {
    if form == normalForm { return self }
    var item = self
    item.normalForm = form
    // Forms differ only in the meaning of TZIDs. Without TZIDs the known fingerprint stays valid.
    if !meaning.isKnown || components.contains(where: { !$0.usedTimeZones.isEmpty }) {
      item.meaning = ItemMeaning(nil)
    }
    return item
  }

  /// Shares the cached fingerprint of another item with the same bytes and the same form.
  ///
  /// The fingerprint is then computed only once. If the items differ, this item is returned
  /// unchanged.
  package func sharingMeaning(with other: CalendarItem) -> CalendarItem {
    guard normalForm == other.normalForm, serialized() == other.serialized() else {
      return self
    }
    var item = self
    item.meaning = other.meaning
    return item
  }

  /// Whether the components, with the time zone definitions, certainly have the same bytes.
  ///
  /// Their fingerprints are then equal in every form. The properties of the calendar are not
  /// compared.
  package func hasSameContents(as other: CalendarItem) -> Bool {
    let (own, others) = (calendar.components, other.calendar.components)
    return own.count == others.count && zip(own, others).allSatisfy { $0.hasSameSource(as: $1) }
  }

  /// Returns the item as a complete iCalendar object.
  ///
  /// - Parameter forStorage: Whether to write the form for storage on a server (RFC 4791 §4.1):
  ///   without METHOD, and with CRLF line endings.
  /// - Returns: The bytes; unchanged parts are returned as they were read.
  public func serialized(forStorage: Bool = false) -> [UInt8] {
    guard forStorage else { return Serializer().bytes(of: calendar) }
    var stored = calendar
    if stored[.method] != nil { stored[.method] = nil }
    return Serializer(lineEnds: .normalized).bytes(of: stored)
  }
}

extension CalendarItem: Hashable {
  /// Whether two items have equal properties in equal components in the same order.
  ///
  /// To compare their meanings, compare their fingerprints.
  public static func == (left: CalendarItem, right: CalendarItem) -> Bool {
    left.fingerprint == right.fingerprint && left.calendar == right.calendar
  }

  /// Hashes the fingerprint; items with equal fingerprints can be unequal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fingerprint)
  }
}

/// The lazily computed fingerprint of an item.
///
/// It is a class, so that all copies of an item share the result.
final class ItemMeaning: Sendable {
  private let known: Mutex<Fingerprint?>

  /// Creates a cache with a known fingerprint, or an empty one.
  init(_ fingerprint: Fingerprint?) {
    known = Mutex(fingerprint)
  }

  /// Whether the fingerprint is known.
  var isKnown: Bool { known.withLock { $0 != nil } }

  /// Returns the fingerprint and computes it on first use.
  func fingerprint(_ make: () -> Fingerprint) -> Fingerprint {
    known.withLock { known in
      if let known { return known }
      let made = make()
      known = made
      return made
    }
  }
}

/// The reason why bytes or components are not one calendar item.
public struct ItemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an item error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notCalendar, incomplete, missingProperty, noItem, noUID, severalItems, unknownTimeZone,
        limit
    }

    private let value: Value

    /// The bytes are not an iCalendar object.
    public static let notCalendar = Code(value: .notCalendar)
    /// A component is truncated or its END does not match its BEGIN.
    public static let incomplete = Code(value: .incomplete)
    /// A content that was built in code lacks a required property.
    public static let missingProperty = Code(value: .missingProperty)
    /// No component can be an item.
    public static let noItem = Code(value: .noItem)
    /// A component has no UID.
    public static let noUID = Code(value: .noUID)
    /// The components have more than one UID or kind.
    public static let severalItems = Code(value: .severalItems)
    /// No rules are known for a time zone of a new item.
    public static let unknownTimeZone = Code(value: .unknownTimeZone)
    /// A limit of the parser was exceeded.
    public static let limit = Code(value: .limit)
  }

  /// The kind of the error.
  public let code: Code
  /// The position in the file, if known.
  public let position: SourcePosition?
  /// The description of the problem, for display.
  public let message: String

  /// Creates an error.
  public init(code: Code, position: SourcePosition? = nil, message: String) {
    self.code = code
    self.position = position
    self.message = message
  }

  /// The description of the problem, preceded by the line and column if they are known.
  public var description: String {
    position.map { "\($0): \(message)" } ?? message
  }
}
