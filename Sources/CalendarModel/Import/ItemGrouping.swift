// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Groups the components of a stream into items: by UID, with the time zones that they use.
///
/// ```
/// ReaderElement ──► ItemGrouping ──► items, what was rejected, and diagnostics
/// ```
///
/// Components may be in any order, as the RFC allows. Their order does not affect the result if the
/// components of an item are within `window` bytes. Memory is bounded by the window and not by the
/// stream. Components further apart are returned as separate parts, which `ItemUpdate` combines.
///
/// No readable component is lost. A component without a UID gets one derived from its content and from
/// the offsets of time zones that only its calendar defines, the same one each time. If components of
/// different items share a UID, all but one get another UID.
/// Only duplicates and components superseded by a higher SEQUENCE (RFC 5546 §2.1.5) are omitted.
/// All of this is reported.
///
/// A calendar with a METHOD is a scheduling message. With `keepsMessages` its components are never
/// grouped with those of other calendars, and its items keep the METHOD; see `SchedulingMessage`.
///
/// ```swift
/// var grouping = ItemGrouping()
/// while let element = reader.next() { grouping.take(element) }
/// grouping.finish()
/// while let element = grouping.next() { print(element) }
/// ```
public struct ItemGrouping: Sendable {
  /// A result of the grouping.
  public enum Element: Hashable, Sendable {
    /// An item, or a part of an item that is scattered over a long stream.
    case item(CalendarItem)
    /// A component that cannot belong to any item, with the reason.
    case rejected(Diagnostic)
    /// A diagnostic about a corrected problem.
    case diagnostic(Diagnostic)
  }

  /// The number of bytes of components that are buffered to find related ones.
  private let window: Int
  private let keepsMessages: Bool
  private let zones: ZoneResolver
  /// The number of the current calendar.
  private var calendarNumber = 0
  private var groups: [UID: ItemGroup] = [:]
  /// The UIDs of groups with a main component, in the order of the main components.
  private var complete = UIDQueue()
  /// The UIDs of groups that start with an override, in the order of the overrides.
  private var waiting = UIDQueue()
  /// The total size of all groups, in bytes.
  private var size = 0
  /// The definitions of the current calendar.
  private var definitions = CalendarDefinitions()
  /// The UIDs of groups with components of the current calendar.
  private var openGroups: Set<UID> = []
  /// The components without a UID that use a TZID without a definition so far.
  private var unnamed: [ItemGroup.Part] = []
  private var elements: [Element] = []
  private var nextElement = 0

  /// Creates a grouping.
  ///
  /// - Parameters:
  ///   - window: The maximum number of bytes between the components of an item.
  ///   - keepsMessages: Whether items of calendars with a METHOD stay separate, with the METHOD.
  ///   - zones: The resolver of TZIDs, to compare the definitions of several calendars.
  public init(
    window: Int = 4 << 20, keepsMessages: Bool = false, zones: ZoneResolver = .system
  ) {
    self.window = window
    self.keepsMessages = keepsMessages
    self.zones = zones
  }

  /// Takes an element of a reader; the caller handles the reader's diagnostics.
  public mutating func take(_ element: ReaderElement) {
    switch element {
    case .calendarBegan:
      endCalendar()
    case .property(let property):
      definitions.add(property)
    case .component(let component):
      take(component)
      if size > window { takeUnnamed() }
      while size > window, emitNext(isFinished: false) {}
    case .calendarEnded:
      endCalendar()
    case .diagnostic: break
    }
  }

  /// Ends the input, and releases the buffered components.
  public mutating func finish() {
    endCalendar()
    while emitNext(isFinished: true) {}
  }

  /// The next result, or nil if more input is needed.
  public mutating func next() -> Element? {
    guard nextElement < elements.count else {
      elements.removeAll(keepingCapacity: true)
      nextElement = 0
      return nil
    }
    nextElement += 1
    return elements[nextElement - 1]
  }

  private mutating func take(_ component: Component) {
    let kind = ItemKind(component.name)
    guard kind != nil || component.name == .timeZone else {
      return reject(
        component.diagnostic(
          .warning, .unknownItem,
          "expected an event, a reminder or a journal entry, found \(component.name.rawName), "
            + "which is omitted", reference: "RFC 5545 §3.6"))
    }
    guard component.isWhole else {
      return reject(
        component.diagnostic(
          .error, .incompleteItem,
          "expected a complete \(component.name.rawName), found a truncated or misnested one, which "
            + "is omitted", reference: "RFC 5545 §3.6"))
    }
    if let kind {
      take(component, kind)
    } else if let conflict = definitions.add(timeZone: component) {
      elements.append(.diagnostic(conflict))
    }
  }

  private mutating func take(_ component: Component, _ kind: ItemKind) {
    let part = ItemGroup.Part(component: component, kind: kind, calendar: calendarNumber)
    if component.uid == nil, !definitions.defineTimeZones(of: component) {
      unnamed.append(part)
      size += part.size
    } else {
      take(part)
    }
  }

  private mutating func take(_ part: ItemGroup.Part) {
    var part = part
    part.component = withUID(part.component)
    let component = part.component
    guard let uid = component.uid else { return }
    size += part.size
    if component.isOverride, groups[uid] == nil {
      if waiting.count > groups.count * 2 + 64 {
        waiting.removeAll { groups[$0]?.hasMain ?? true }
      }
      waiting.append(uid)
    }
    if groups[uid]?.hasMain != true, !component.isOverride { complete.append(uid) }
    groups[uid, default: ItemGroup(uid: uid, zones: zones)].add(part)
    openGroups.insert(uid)
  }

  /// Takes the components without a UID, with the definitions of the calendar so far.
  private mutating func takeUnnamed() {
    let parts = unnamed
    unnamed = []
    for part in parts {
      size -= part.size
      take(part)
    }
  }

  /// The component, with a derived UID if it has none.
  private mutating func withUID(_ component: Component) -> Component {
    guard component.uid == nil else { return component }
    var named = component
    let uid = UID.derived(from: identity(of: component))
    named[.uid] = Property(.uid, text: uid.rawValue)
    elements.append(
      .diagnostic(
        component.diagnostic(
          .warning, .derivedUID,
          "expected a UID in the \(component.name.rawName), found none; it becomes '\(uid)'",
          reference: "RFC 5545 §3.8.4.7")))
    return named
  }

  /// A digest of a component, and of the offsets of the zones that only its calendar defines.
  ///
  /// Equal texts are different events if their calendars define a TZID differently.
  private func identity(of component: Component) -> SHA256.Digest {
    let content = CanonicalForm.digest(of: component)
    let used = definitions.timeZones(usedBy: component)
    guard !used.isEmpty else { return content }
    var meanings = CanonicalZones(NormalForm(zones: zones), [component], used)
    let defined = component.usedTimeZones.sorted().map { meanings.zone($0) }.filter(\.isDefined)
    guard !defined.isEmpty else { return content }
    var form = CanonicalForm()
    form.append(content.description)
    for zone in defined { form.append(zone.name) }
    return SHA256.digest(of: form.bytes)
  }

  private mutating func reject(_ diagnostic: Diagnostic) {
    elements.append(.rejected(diagnostic))
  }

  /// Passes the definitions of the ended calendar to its components, and discards them.
  private mutating func endCalendar() {
    takeUnnamed()
    for uid in openGroups { groups[uid]?.resolve(definitions, keepingMethod: keepsMessages) }
    openGroups = []
    calendarNumber += 1
    definitions = CalendarDefinitions()
  }

  /// Creates the items of the oldest group; returns false if there is none.
  private mutating func emitNext(isFinished: Bool) -> Bool {
    guard
      let uid = complete.popFirst(where: { groups[$0]?.hasMain == true })
        ?? waiting.popFirst(where: { groups[$0] != nil }),
      var group = groups.removeValue(forKey: uid)
    else { return false }
    if openGroups.remove(uid) != nil {
      group.resolve(definitions, keepingMethod: keepsMessages)
    }
    size -= group.size
    if !isFinished, !group.hasMain, let first = group.parts.first {
      elements.append(
        .diagnostic(
          first.component.diagnostic(
            .warning, .scatteredItem,
            "expected the main component of '\(uid)' within \(window) bytes, found only overrides",
            reference: "RFC 5545 §3.8.4.4")))
    }
    elements += group.items()
    return true
  }
}

/// UIDs in order of arrival; some of them may be obsolete.
private struct UIDQueue: Sendable {
  private var uids: [UID] = []
  private var first = 0

  var count: Int { uids.count - first }

  mutating func append(_ uid: UID) {
    uids.append(uid)
  }

  mutating func removeAll(where isUnwanted: (UID) -> Bool) {
    uids = uids[first...].filter { !isUnwanted($0) }
    first = 0
  }

  /// Removes the first UID that meets a condition, and all UIDs before it.
  mutating func popFirst(where isWanted: (UID) -> Bool) -> UID? {
    defer {
      if first > uids.count / 2 {
        uids.removeFirst(first)
        first = 0
      }
    }
    while first < uids.count {
      first += 1
      if isWanted(uids[first - 1]) { return uids[first - 1] }
    }
    return nil
  }
}

extension DiagnosticCode {
  /// A component has no UID, and gets one derived from its content.
  public static let derivedUID = DiagnosticCode(rawValue: "item.derived-uid")
  /// A component is truncated or incorrectly nested, and is omitted.
  public static let incompleteItem = DiagnosticCode(rawValue: "item.incomplete")
  /// A component is not an item, and is omitted.
  public static let unknownItem = DiagnosticCode(rawValue: "item.unknown")
  /// A component equals another one of its item, and is omitted.
  public static let repeatedItem = DiagnosticCode(rawValue: "item.repeated")
  /// A component is an older version of another one of its item, and is omitted.
  public static let supersededItem = DiagnosticCode(rawValue: "item.superseded")
  /// Components of different items share a UID; one of them gets another UID.
  public static let sharedUID = DiagnosticCode(rawValue: "item.shared-uid")
  /// The overrides of a series are too far from its main component to be grouped with it.
  public static let scatteredItem = DiagnosticCode(rawValue: "item.scattered")
}
