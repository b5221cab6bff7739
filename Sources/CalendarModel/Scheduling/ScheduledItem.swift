// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// A stored item while scheduling messages are applied to it, one after the other (RFC 5546).
///
/// ```swift
/// var scheduled = ScheduledItem(stored, zones: resolver)
/// let results = scheduled.apply(message)
/// if scheduled.isChanged, let item = scheduled.item { print(item.title) }
/// ```
///
/// The effect of each method is described in <doc:ApplyingMessages>. The work grows linearly in the
/// number of components of the item and the messages together.
///
/// ## Topics
///
/// ### Applying messages
/// - ``init(_:zones:)``
/// - ``userAddresses``
/// - ``apply(_:from:)``
/// - ``concerns(of:from:)``
///
/// ### The result
/// - ``item``
/// - ``isChanged``
public struct ScheduledItem: Sendable {
  /// The addresses of the calendar's owner, for whom the withdrawal of an own invitation cancels the
  /// item (RFC 5546 §3.2.5).
  public var userAddresses: Set<CalendarAddress> = []
  private let stored: CalendarItem?
  private let resolver: ZoneResolver
  private let form: NormalForm
  /// The components, nil in the place of a removed one.
  var parts: [ScheduledComponent?] = []
  /// The place of the component for each occurrence.
  private(set) var places: [OccurrenceKey: Int] = [:]
  private(set) var kind: ItemKind?
  private var timeZones: [Component] = []
  private var zonePlaces: [String: Int] = [:]
  private var calendarProperties: [Property] = []
  /// Whether any message changed the item.
  public private(set) var isChanged = false
  /// The occurrences of the main component, once they are asked for.
  private var source: (any OccurrenceSource)?
  /// The places of the overrides by the addresses of their attendees, once they are asked for.
  private var invitations: [CalendarAddress: [Int]]?
  /// The main component, reduced to its start, by which occurrences are identified.
  private var start: Component?

  /// Begins with a stored item, or with none.
  ///
  /// - Parameters:
  ///   - stored: The item with the UID of the messages; nil if there is none.
  ///   - zones: Resolves the time zones by which the messages name occurrences.
  public init(_ stored: CalendarItem?, zones: ZoneResolver) {
    self.stored = stored
    resolver = zones
    form = NormalForm(zones: zones)
    guard let stored else { return }
    kind = stored.kind
    addTimeZones(of: stored)
    reset(to: stored.components)
  }

  /// The item to store; nil if there is none.
  public var item: CalendarItem? {
    guard isChanged else { return stored }
    let components = parts.compactMap { $0?.component }
    let used = components.usedTimeZones
    let kept = Set(stored?.timeZones.compactMap { $0[.tzID]?.text } ?? []).union(used)
    let timeZones = timeZones.filter { kept.contains($0[.tzID]?.text ?? "") }
    if let stored {
      return try? stored.replacing(components: components, timeZones: timeZones)
    }
    return try? CalendarItem(
      components: components, timeZones: timeZones, calendarProperties: calendarProperties)
  }

  /// Applies a message.
  ///
  /// A message with concerns changes nothing, unless the user confirmed it.
  ///
  /// - Parameters:
  ///   - message: A message with the UID of the item.
  ///   - origin: The authors of the mail, and the decision of the user.
  /// - Returns: The effect of each component of the message, in their order.
  public mutating func apply(
    _ message: SchedulingMessage, from origin: SchedulingOrigin = SchedulingOrigin()
  ) -> [SchedulingResult] {
    let message = named(message)
    let components = message.item.components
    func all(_ outcome: SchedulingOutcome) -> [SchedulingResult] {
      components.enumerated().map { result($0.offset, $0.element, outcome) }
    }
    if let refusal = refusal(of: message) { return all(.refused(refusal)) }
    if message.method.isInformative || message.isQuestion { return all(.informative) }
    if !origin.isConfirmed {
      let concerns = concerns(of: message, from: origin.senders)
      if !concerns.isEmpty { return all(.refused(.unconfirmed(concerns))) }
    }
    let keys = keys(of: message)
    addTimeZones(of: message.item)
    let isNew = kind == nil
    if isNew {
      kind = message.item.kind
      calendarProperties = message.calendarProperties
    }
    let outcomes: [SchedulingOutcome]
    if message.bringsItem {
      outcomes = take(components, keys, isNew: isNew, of: message)
    } else {
      outcomes = zip(components, keys).map { component, key in
        switch message.method {
        case .reply: reply(component, key)
        case .cancel: cancel(component, key)
        default: add(component, key)
        }
      }
    }
    return components.indices.map { result($0, components[$0], outcomes[$0]) }
  }

  /// The message with TZIDs that do not contradict those of the item.
  ///
  /// A message about the whole item brings the time zones of its new version.
  private func named(_ message: SchedulingMessage) -> SchedulingMessage {
    guard !timeZones.isEmpty, message.item.main == nil else { return message }
    var scope = ZoneScope(zones: resolver, definitions: timeZones)
    for part in parts { scope.use(part?.component.usedTimeZones ?? []) }
    return SchedulingMessage(message.item.namingTimeZones(in: &scope)) ?? message
  }

  private func result(
    _ place: Int, _ component: Component, _ outcome: SchedulingOutcome
  ) -> SchedulingResult {
    SchedulingResult(
      place: place, recurrenceID: component[.recurrenceID]?.rawValue, outcome: outcome)
  }

  /// The reason why a message cannot be applied as a whole.
  private func refusal(of message: SchedulingMessage) -> SchedulingRefusal? {
    let method = message.method
    guard method.isKnown else { return .unknownMethod }
    guard method.isDefined(for: message.item.kind) else { return .otherMethod(message.item.kind) }
    if method.isInformative || message.isQuestion { return nil }
    guard let kind else { return message.bringsItem ? nil : .noItem }
    return kind == message.item.kind ? nil : .otherKind(stored: kind)
  }
}

extension ScheduledItem {
  /// The main component.
  var main: ScheduledComponent? { places[.series].flatMap { parts[$0] } }

  /// The form in which the components of the item are compared.
  private var names: ComparisonForm {
    ComparisonForm(form, components: [start].compactMap { $0 }, definitions: timeZones)
  }

  /// Reads all components anew.
  mutating func reset(to components: [Component]) {
    setMain(components.first { !$0.isOverride })
    // Of several components for one occurrence, messages are about the one that was revised last.
    var latest: [OccurrenceKey: Int] = [:]
    let names = names
    for (place, component) in components.enumerated() {
      let key = names.occurrenceKey(of: component)
      if let rival = latest[key], component.revision < components[rival].revision { continue }
      latest[key] = place
    }
    places = latest
    parts = components.map { ScheduledComponent($0) }
    if let place = latest[.series] { setMain(components[place]) }
  }

  private mutating func setMain(_ main: Component?) {
    source = nil
    start = main.map { main in
      Component(main.name, properties: [main[.dtStart] ?? main[.due]].compactMap { $0 })
    }
  }

  /// Which occurrence each component of a message is about.
  private func keys(of message: SchedulingMessage) -> [OccurrenceKey] {
    let item = message.item
    let main = message.bringsItem ? item.main ?? start : start
    let form = ComparisonForm(
      form, components: [main].compactMap { $0 } + item.components,
      definitions: item.timeZones + timeZones)
    return item.components.map { form.occurrenceKey(of: $0) }
  }

  /// Whether two components have the same content.
  func isSame(_ left: Component, _ right: Component) -> Bool {
    let form = ComparisonForm(
      form, components: [start, left, right].compactMap { $0 }, definitions: timeZones)
    return form.digest(of: left) == form.digest(of: right)
  }

  /// Which occurrence a component of a message adds by its start.
  func startKey(of component: Component) -> OccurrenceKey? {
    guard let property = component[.dtStart] else { return nil }
    return ComparisonForm(
      form, components: [start, component].compactMap { $0 }, definitions: timeZones
    ).occurrenceKey(named: property)
  }

  private mutating func addTimeZones(of item: CalendarItem) {
    for zone in item.timeZones {
      let name = zone[.tzID]?.text ?? ""
      guard zonePlaces[name] == nil else { continue }
      zonePlaces[name] = timeZones.count
      timeZones.append(zone)
    }
  }

  /// Takes the definitions of a message in the place of those that were stored.
  mutating func replaceTimeZones(by item: CalendarItem) {
    for zone in item.timeZones {
      guard let place = zonePlaces[zone[.tzID]?.text ?? ""], timeZones[place] != zone else {
        continue
      }
      timeZones[place] = zone
      source = nil
    }
  }

  /// Stores a component in the place of the one for its occurrence, or as one more.
  mutating func store(_ component: Component, for key: OccurrenceKey) {
    let part = ScheduledComponent(component, isChanged: true)
    let place = places[key] ?? parts.count
    if place < parts.count { parts[place] = part } else { parts.append(part) }
    places[key] = place
    isChanged = true
    if key != .series, invitations != nil {
      for address in part.addresses { invitations?[address, default: []].append(place) }
    }
    if key == .series {
      let before = start
      setMain(component)
      if before?.clockOfStart != start?.clockOfStart { nameAnew() }
    } else if component.isForFuture {
      source = nil
    }
  }

  /// Names all occurrences by the start of another main component.
  private mutating func nameAnew() {
    let names = names
    var anew: [OccurrenceKey: Int] = [:]
    for place in places.values.sorted() {
      if let part = parts[place] { anew[names.occurrenceKey(of: part.component)] = place }
    }
    places = anew
  }

  /// The places of the overrides to which an address is invited; one may come more than once.
  mutating func overrides(inviting address: CalendarAddress) -> [Int] {
    if invitations == nil {
      var found: [CalendarAddress: [Int]] = [:]
      for (place, part) in parts.enumerated() {
        guard let part, part.isOverride else { continue }
        for address in part.addresses { found[address, default: []].append(place) }
      }
      invitations = found
    }
    return invitations?[address] ?? []
  }

  /// Removes the component for an occurrence.
  mutating func remove(_ key: OccurrenceKey) {
    guard let place = places.removeValue(forKey: key) else { return }
    parts[place] = nil
    isChanged = true
  }

  /// Changes the component in a place.
  mutating func change<Result>(
    _ place: Int, _ body: (inout ScheduledComponent) -> Result
  ) -> Result? {
    guard var part = parts[place] else { return nil }
    parts[place] = nil  // so that what is changed has one owner
    let result = body(&part)
    parts[place] = part
    if part.isChanged { isChanged = true }
    return result
  }

  /// Calls `body` with the occurrences of the main component, if it has a start.
  mutating func withOccurrences<Result>(_ body: (inout any OccurrenceSource) -> Result?) -> Result?
  {
    if source == nil { source = makeSource() }
    guard var found = source else { return nil }
    source = nil  // so that what is asked has one owner
    let result = body(&found)
    source = found
    return result
  }

  private func makeSource() -> (any OccurrenceSource)? {
    guard let main = main?.component, let kind else { return nil }
    let components = [main] + parts.compactMap { $0?.component }.filter(\.isForFuture)
    let zones = CanonicalZones(form, components, timeZones)
    return switch kind {
    case .event: SeriesOccurrences<Event>(main, among: components, zones)
    case .reminder: SeriesOccurrences<Reminder>(main, among: components, zones)
    case .journal: SeriesOccurrences<Journal>(main, among: components, zones)
    case .freeBusy, .availability: nil
    }
  }

  /// Ends the series before an occurrence; the overrides from there on stay.
  ///
  /// - Returns: Whether anything is left before it.
  mutating func endSeries(
    before key: OccurrenceKey, by revision: SchedulingRevision
  ) throws(EditError) -> Bool {
    guard let item, let main = main?.component,
      let time = withOccurrences({ source in source.time(of: key) })
    else { throw EditError(.noSeries, "expected a series, found none") }
    var ignored: [Diagnostic] = []
    let stamp = Property(.dtStamp, rawValue: revision.stamp)
    let now = PropertyCodec.instant.read(stamp, &ignored) ?? Instant(secondsSinceEpoch: 0)
    let editor = ItemEditor(zones: resolver, now: now) { item.uid }
    guard let ended = try editor.delete(item, .future(from: time)).item, let rest = ended.main
    else { return false }
    store(main.recurring(as: rest), for: .series)
    return true
  }
}

extension Component {
  /// The component with the recurrence of another one.
  fileprivate func recurring(as other: Component) -> Component {
    let names: [PropertyName] = [.rRule, .exRule, .rDate, .exDate]
    let isRecurrence = { (property: Property) in names.contains(where: property.isNamed) }
    var component = self
    let place = properties.firstIndex(where: isRecurrence) ?? properties.endIndex
    var all = properties.filter { !isRecurrence($0) }
    all.insert(contentsOf: other.properties.filter(isRecurrence), at: place)
    component.properties = PropertyList(all)
    return component
  }

  /// The clock of DTSTART: its zone, and whether it is a day or in UTC.
  fileprivate var clockOfStart: String? {
    self[.dtStart].map { start in
      let value = start.rawValue
      return "\(start.tzID ?? "") \(value.hasSuffix("Z")) \(value.utf8.count <= 8)"
    }
  }
}
