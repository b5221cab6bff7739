// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

extension CalendarItem {
  /// The PRODID for items whose calendar has none (RFC 5545 §3.7.3).
  package static let productID = ComponentChecker.productID

  /// Parses an iCalendar object that contains exactly one item.
  ///
  /// Invalid values and lines that are not content lines are preserved. Only signs of an incomplete
  /// object are rejected.
  ///
  /// - Parameters:
  ///   - bytes: The complete object.
  ///   - normalForm: The form for comparisons of the item.
  /// - Throws: `ItemError` if the bytes are not an iCalendar object, are truncated, or contain no
  ///   item or several items.
  public init(
    parsing bytes: [UInt8], normalForm: NormalForm = NormalForm()
  ) throws(ItemError) {
    try self.init(parsing: bytes, normalForm: normalForm, fingerprint: nil)
  }

  /// Parses an iCalendar object with a known fingerprint.
  ///
  /// - Parameters:
  ///   - bytes: The complete object.
  ///   - normalForm: The form for comparisons of the item.
  ///   - fingerprint: The fingerprint of the same bytes in this form; nil if it is unknown.
  /// - Throws: `ItemError` as without a fingerprint.
  package init(
    parsing bytes: [UInt8], normalForm: NormalForm, fingerprint: Fingerprint?
  ) throws(ItemError) {
    let stream: CalendarStream
    do throws(SyntaxError) {
      stream = try CalendarStream(parsing: bytes)
    } catch {
      throw ItemError(
        code: .limit, position: error.diagnostic.position, message: error.diagnostic.message)
    }
    guard let calendar = stream.calendars.first else {
      throw ItemError(
        code: .notCalendar, position: stream.diagnostics.first?.position,
        message: "expected BEGIN:VCALENDAR, found no calendar")
    }
    try ConflictMarker.expectNone(in: bytes, stream.diagnostics)
    if let fault = stream.diagnostics.first(where: \.isStructural) {
      throw ItemError(code: .incomplete, position: fault.position, message: fault.message)
    }
    if stream.calendars.count > 1 {
      throw ItemError(
        code: .severalItems, position: stream.calendars[1].position,
        message: "expected one calendar, found \(stream.calendars.count)")
    }
    try self.init(calendar: calendar, normalForm: normalForm, fingerprint: fingerprint)
  }

  /// Creates an item from components with the same UID.
  ///
  /// - Parameters:
  ///   - components: The main component and its overrides, in any order.
  ///   - timeZones: The VTIMEZONE components that they use.
  ///   - calendarProperties: The properties of the calendar; VERSION and PRODID are added if they
  ///     are missing (RFC 5545 §3.6).
  /// - Throws: `ItemError` if the components are not exactly one item.
  public init(
    components: [Component], timeZones: [Component] = [], calendarProperties: [Property] = []
  ) throws(ItemError) {
    var properties = calendarProperties
    if !properties.contains(where: { $0.isNamed(.version) }) {
      properties.insert(Property(.version, rawValue: "2.0"), at: 0)
    }
    if !properties.contains(where: { $0.isNamed(.productID) }) {
      properties.insert(Property(.productID, rawValue: Self.productID), at: 1)
    }
    try self.init(
      calendar: Component(
        .calendar, properties: properties, components: timeZones + components))
  }

  /// Creates a new item from its contents, with the VTIMEZONE components that they use.
  ///
  /// ```swift
  /// var event = Event()
  /// event.uid = UID("lunch@example.com")
  /// event.stamp = now
  /// event.start = .zoned(noon, tzID: "Europe/Berlin")
  /// event.summary = "Lunch"
  /// let item = try CalendarItem(event)
  /// item.serialized()   // with a VTIMEZONE for Europe/Berlin
  /// ```
  ///
  /// - Parameters:
  ///   - main: The content of the whole item. RFC 5545 §3.6.1 requires a UID, a stamp, and the start
  ///     of an event.
  ///   - overrides: The contents of single occurrences, each with a recurrence identifier.
  ///   - zones: The resolver of the TZIDs in the contents.
  /// - Throws: `ItemError` if a content has no UID or another one than `main`, if it lacks a required
  ///   property, or if a TZID has no rules, so that no program could interpret the times.
  public init<Content: ItemContent>(
    _ main: Content, overrides: [Content] = [], zones: ZoneResolver = .system
  ) throws(ItemError) {
    let components = ([main] + overrides).map(\.component)
    for component in components { try Self.expectRequired(in: component) }
    let missing = MissingDefinitions(of: components, defined: [], zones: zones)
    if let error = missing.errors.first {
      throw ItemError(code: .unknownTimeZone, message: error.description)
    }
    try self.init(components: components, timeZones: missing.definitions)
  }

  /// Rejects a component without DTSTAMP, and an event without DTSTART (RFC 5545 §3.6.1).
  private static func expectRequired(in component: Component) throws(ItemError) {
    let required: [PropertyName] = component.name == .event ? [.dtStamp, .dtStart] : [.dtStamp]
    // A missing UID has an error of its own.
    guard component[.uid] != nil, let name = required.first(where: { component[$0] == nil }) else {
      return
    }
    throw ItemError(
      code: .missingProperty,
      message: "expected \(name.canonicalName) in the \(component.name.canonicalName), found none")
  }

  /// Returns the item with definitions of the time zones that it uses but does not define.
  ///
  /// TZIDs without known rules stay undefined. A definition that agreed with its name about all times
  /// of the original item, and does not about those of the edited one, is replaced: some programs
  /// write the changes of a few years only.
  ///
  /// - Parameters:
  ///   - original: The item before an edit; nil to keep all definitions.
  ///   - zones: The resolver of TZIDs.
  /// - Returns: The item; the same one if nothing is missing.
  public func definingTimeZones(
    since original: CalendarItem? = nil, zones: ZoneResolver = .system
  ) -> CalendarItem {
    let outdated = original.map { outdatedDefinitions(since: $0, zones) } ?? []
    let kept = timeZones.filter { !outdated.contains($0[.tzID]?.text ?? "") }
    let missing = MissingDefinitions(of: components, defined: kept, zones: zones).definitions
    guard !missing.isEmpty else { return self }
    return (try? replacing(components: components, timeZones: kept + missing)) ?? self
  }

  /// The TZIDs whose definitions agreed with their names about the times of the original item, and do not
  /// about the times of this one.
  private func outdatedDefinitions(
    since original: CalendarItem, _ zones: ZoneResolver
  ) -> Set<String> {
    guard !timeZones.isEmpty else { return [] }
    func agrees(_ tzID: String, in item: CalendarItem, _ uses: TimeZoneUses) -> Bool {
      let report = zones.report(
        on: tzID, definitions: item.timeZones, use: uses[tzID],
        horizon: Instant(secondsSinceEpoch: 0))
      return report.differences.isEmpty && report.zone.overruledName == nil
    }
    let (before, after) = (TimeZoneUses(of: original.components), TimeZoneUses(of: components))
    return Set(
      after.uses.keys.filter { tzID in
        agrees(tzID, in: original, before) && !agrees(tzID, in: self, after)
      })
  }

  /// Returns the item with other components in the same calendar.
  ///
  /// - Throws: `ItemError` if the components are not exactly one item.
  package func replacing(
    components: [Component], timeZones: [Component]
  ) throws(ItemError) -> CalendarItem {
    var calendar = calendar
    let others = calendar.components.filter { ItemKind($0.name) == nil && $0.name != .timeZone }
    calendar.components = ComponentList(timeZones + components + others)
    return try CalendarItem(calendar: calendar, normalForm: normalForm)
  }
}

/// The UID and the kind that the components of one item share (RFC 4791 §4.1).
struct ItemIdentity: Hashable {
  let uid: UID
  let kind: ItemKind

  /// Finds the common UID and kind; components such as VTIMEZONE are ignored.
  init(of components: some Collection<Component>) throws(ItemError) {
    var found: ItemIdentity?
    for component in components {
      guard let kind = ItemKind(component.name) else { continue }
      let identity = ItemIdentity(uid: try Self.uid(of: component), kind: kind)
      if let found { try Self.check(identity, against: found, at: component.position) }
      found = identity
    }
    guard let found else {
      throw ItemError(
        code: .noItem, position: components.first?.position,
        message: "expected an event, a reminder or a journal entry, found none")
    }
    self = found
  }

  private init(uid: UID, kind: ItemKind) {
    self.uid = uid
    self.kind = kind
  }

  private static func uid(of component: Component) throws(ItemError) -> UID {
    let properties = component.properties(named: .uid)
    // Usually there is one UID, which needs no comparison.
    let count = properties.count > 1 ? Set(properties.map(\.text)).count : 1
    guard count == 1 else {
      throw ItemError(
        code: .severalItems, position: component.position,
        message: "expected one UID in the \(component.name.rawName), found \(count)")
    }
    guard let uid = component.uid else {
      throw ItemError(
        code: .noUID, position: component.position,
        message: "expected a UID in the \(component.name.rawName), found none")
    }
    return uid
  }

  private static func check(
    _ identity: ItemIdentity, against first: ItemIdentity, at position: SourcePosition?
  ) throws(ItemError) {
    guard identity.kind == first.kind else {
      throw ItemError(
        code: .severalItems, position: position,
        message: "expected only \(first.kind.rawValue), found \(identity.kind.rawValue) too")
    }
    guard identity.uid == first.uid else {
      throw ItemError(
        code: .severalItems, position: position,
        message: "expected the UID '\(first.uid)' in every component, found '\(identity.uid)' too")
    }
  }
}
