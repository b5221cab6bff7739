// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// All components that share one UID: the unit that is stored, merged and synced.
///
/// A recurring event is one item together with its overrides (RFC 5545 §3.8.4.4, RFC 4791 §4.1).
/// The components may stand in any order. An item may lack its main component: an invitation to one
/// occurrence of a series is an override alone.
///
/// ## Topics
///
/// ### Reading and writing
/// - ``init(parsing:normalForm:)``
/// - ``init(components:timeZones:calendarProperties:)``
/// - ``serialized(forStorage:)``
///
/// ### What it is
/// - ``uid``
/// - ``kind``
/// - ``title``
/// - ``fingerprint``
/// - ``normalForm``
/// - ``normalized(by:)``
///
/// ### Its parts
/// - ``main``
/// - ``overrides``
/// - ``components``
/// - ``timeZones``
/// - ``calendar``
public struct CalendarItem: Sendable {
  /// The UID that all components share.
  public let uid: UID
  /// What the item is.
  public let kind: ItemKind
  /// The form in which it is compared with others.
  public private(set) var normalForm: NormalForm
  /// A title for people: the summary of the main component, or the UID where there is none.
  public let title: String
  /// The item as an iCalendar object of its own (RFC 5545 §3.4).
  public let calendar: Component
  private var meaning: ItemMeaning

  /// Checks that a calendar holds exactly one item.
  ///
  /// A fingerprint that is known already need not be worked out: it has to be that of the same bytes in
  /// the same form.
  init(
    calendar: Component, normalForm: NormalForm = NormalForm(), fingerprint: Fingerprint? = nil
  ) throws(ItemError) {
    let identity = try ItemIdentity(of: calendar.components)
    if let part = calendar.components.first(where: { !$0.isWhole }) {
      throw ItemError(
        code: .incomplete, position: part.position,
        message: "expected a \(part.name.rawName) that is whole, found one that is cut off")
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

  /// What the item means, whatever its spelling.
  ///
  /// It is worked out when it is first asked for: many items are read that are never compared.
  public var fingerprint: Fingerprint {
    meaning.fingerprint { normalForm.fingerprint(of: components, definitions: timeZones) }
  }

  /// The components that share the UID, in the order of the file.
  public var components: [Component] {
    calendar.components.filter { ItemKind($0.name) == kind }
  }

  /// The component that describes the item as a whole, or nil if there are only overrides.
  ///
  /// Of several, which the RFC does not allow, it is the one that was revised last.
  public var main: Component? {
    components.filter { !$0.isOverride }.max { $0.revision < $1.revision }
  }

  /// The components that each describe one occurrence, in the order of the file
  /// (RFC 5545 §3.8.4.4).
  public var overrides: [Component] {
    components.filter(\.isOverride)
  }

  /// The definitions of the time zones that the components use (RFC 5545 §3.6.5).
  public var timeZones: [Component] {
    calendar.components(named: .timeZone)
  }

  /// The item as another form compares it, such as one that knows the time zones.
  ///
  /// Only items of one form can be compared. What is made of the item has its form.
  public func normalized(by form: NormalForm) -> CalendarItem {
    if form.isSame(as: normalForm) { return self }
    var item = self
    item.normalForm = form
    // Nothing but what a TZID means differs from form to form.
    if !meaning.isKnown || components.contains(where: { !$0.usedTimeZones.isEmpty }) {
      item.meaning = ItemMeaning(nil)
    }
    return item
  }

  /// The item, which shares with another what it means if both are the same bytes in one form: then it
  /// is worked out once.
  package func sharingMeaning(with other: CalendarItem) -> CalendarItem {
    guard normalForm.isSame(as: other.normalForm), serialized() == other.serialized() else {
      return self
    }
    var item = self
    item.meaning = other.meaning
    return item
  }

  /// The item as an iCalendar object of its own.
  ///
  /// - Parameter forStorage: Whether to write what a server may be asked to store (RFC 4791 §4.1):
  ///   without METHOD, and with every line ending in CRLF.
  /// - Returns: The bytes as they were read, as far as the item is unchanged.
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
  /// To ask whether they mean the same, compare their fingerprints.
  public static func == (left: CalendarItem, right: CalendarItem) -> Bool {
    left.fingerprint == right.fingerprint && left.calendar == right.calendar
  }

  /// Hashes less than equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fingerprint)
  }
}
