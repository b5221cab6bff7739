// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Recurrence

/// The names of a calendar whose items are projected.
struct ProjectedCalendar: Hashable, Sendable {
  /// The name in the configuration.
  let name: String
  /// The name for people.
  let title: String
}

/// Makes the items that others may see from the items of calendars.
///
/// The result has a UID that only the key connects with the item. Of what is hidden, nothing is in it:
///
/// | detail | written anew from values | copied |
/// |---|---|---|
/// | `busy` | times, recurrence | `keep` |
/// | `titles` | times, recurrence, title, status | `keep` |
/// | `all` | – | everything but people and alarms, unless `keep` names them |
///
/// Components that the user declined are left out, unless their attendees are kept. A series stays a series. An override that differs from its occurrence in hidden properties alone is
/// left out, and an occurrence that is not shown becomes an exclusion.
struct ItemProjector: Sendable {
  /// The properties and components that `all` omits: people, who would get invitations, their answers, and alarms.
  static let peopleAndAlarms: Set<String> = [
    "ORGANIZER", "ATTENDEE", "REQUEST-STATUS", "PARTICIPANT", "VALARM",
  ]

  let settings: ProjectionSettings
  /// The name of the projection, on which its UIDs depend.
  let name: String
  let key: ProjectionKey
  let zones: ZoneResolver
  let scales: Set<String>
  let recurrence: RecurrenceOptions
  /// The addresses of the user, whose declined events do not make them busy.
  let user: Set<CalendarAddress>
  private let matcher: QueryMatcher?

  /// Prepares a projection.
  ///
  /// - Parameters:
  ///   - settings: What is shown.
  ///   - name: The name of the projection.
  ///   - key: The key of the identifiers.
  ///   - user: The addresses of the user.
  ///   - machine: The clock, the locale and the time zones.
  /// - Throws: `QueryError` if the query cannot be read; `EpactError` if the user's time zone is
  ///   unknown; `ICUError`.
  init(
    _ settings: ProjectionSettings, name: String, key: ProjectionKey,
    user: Set<CalendarAddress>, machine: Machine
  ) throws {
    self.settings = settings
    self.name = name
    self.key = key
    self.user = user
    zones = machine.zoneResolver
    recurrence = machine.recurrenceOptions
    scales = Set(recurrence.calendars.map(\.name))
    matcher = try settings.query.map { text in
      let viewer = try machine.viewerZone()
      let phrases = try DatePhrases(machine: machine, zone: viewer)
      return QueryMatcher(
        try ItemQuery(parsing: text, phrases: phrases), machine: machine, viewer: viewer)
    }
  }

  /// The projection of an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - calendar: The name and the title of its calendar.
  /// - Returns: The projected item; nil if nothing of it is shown.
  func projection(of item: CalendarItem, in calendar: ProjectedCalendar) -> CalendarItem? {
    let components = item.components
    let main = item.main
    let isPrivate = components.map { self.isPrivate($0, in: main) }
    guard settings.privateItems != .hide || !(main.map { self.isPrivate($0, in: nil) } ?? false)
    else { return nil }
    let isSelected = selection(of: item, in: calendar)
    guard isSelected.contains(true) else { return nil }
    let details = components.indices.map { index in
      isSelected[index] ? detail(of: components[index], isPrivate: isPrivate[index]) : nil
    }
    let uid = key.uid(of: item.uid, in: name)
    if details.allSatisfy({ $0 == .all }) {
      let copies = components.map { copy(of: $0, uid: uid, in: calendar) }
      return finished(copies, definitions: item.timeZones, like: item)
    }
    var parts = ProjectedParts(uid, of: item, zones: zones, scales: scales)
    let shown = components.indices.map { index in
      let (source, detail) = (components[index], details[index])
      let isKeeping = settings.privateItems == .show || !isPrivate[index]
      return ShownPart(
        source: source, detail: detail,
        copy: detail.flatMap { part(of: source, $0, isKeeping: isKeeping, in: calendar, &parts) })
    }
    let kept = merged(shown, &parts)
    let own = details.contains(.all) || !settings.kept.isEmpty ? item.timeZones : []
    return finished(kept, definitions: parts.zones.definitions + own, like: item)
  }

  /// The href of the projection of an item.
  func href(of uid: UID) -> Href { Href(key.uid(of: uid, in: name).rawValue) }

  /// Whether an item is a projection of this name, with this key or another one.
  func isOwn(_ uid: UID) -> Bool { uid.rawValue.hasSuffix(ProjectionKey.suffix(of: name)) }

  /// The normal form of the items that are projected.
  var normalForm: NormalForm { NormalForm(zones: zones) }

  /// A digest of all that the projection depends on besides the items.
  var fingerprint: String {
    let parts: [String] = [
      name, settings.detail.rawValue, settings.title?.description ?? "-",
      settings.kept.sorted().joined(separator: ","), settings.privateItems.rawValue,
      matcher.map { "\($0.query)" } ?? "-", user.map(\.rawValue).sorted().joined(separator: ","),
    ]
    return SHA256.digest(of: Array(parts.joined(separator: "\0").utf8) + key.bytes).description
  }

  /// Whether each component matches the query.
  ///
  /// An override and the series are tested separately, because the text of the one may be excluded by the query
  /// and that of the other not.
  private func selection(of item: CalendarItem, in calendar: ProjectedCalendar) -> [Bool] {
    guard let matcher else { return item.components.map { _ in true } }
    return item.components.map { component in
      matcher.firstMatch(
        in: [component], timeZones: item.timeZones, calendar: calendar.name) != nil
    }
  }

  /// How much of a component is shown; nil for nothing.
  private func detail(
    of component: Component, isPrivate: Bool
  ) -> ProjectionSettings.Detail? {
    var detail = settings.detail
    if isPrivate {
      switch settings.privateItems {
      case .show: break
      case .hide: return nil
      case .busy: detail = .busy
      }
    }
    switch detail {
    case .busy: return FreeBusy.kind(of: component, user: user) == nil ? nil : .busy
    case .titles: return isDeclined(component) ? nil : .titles
    case .all:
      // With its attendees, the answer is in the copy.
      return isDeclined(component) && !settings.kept.contains("ATTENDEE") ? nil : .all
    }
  }

  /// Whether the user declined a component (PARTSTAT, RFC 5545 §3.2.12): without attendees, its copy would look like
  /// one that the user accepted.
  private func isDeclined(_ component: Component) -> Bool {
    component.answer(of: user) == .declined
  }

  /// Whether a component is private; an override without a classification has that of its series.
  private func isPrivate(_ component: Component, in main: Component?) -> Bool {
    // An unknown word is treated as PRIVATE (RFC 5545 §3.8.1.3).
    (component[.classification] ?? main?[.classification])
      .map { Classification(rawValue: $0.text) != .public } ?? false
  }

  /// The item of components; nil if there are none.
  private func finished(
    _ components: [Component], definitions: [Component], like item: CalendarItem
  ) -> CalendarItem? {
    let used = components.usedTimeZones
    var names: Set<String> = []
    let zones = definitions.filter { definition in
      guard let name = definition[.tzID]?.text else { return false }
      return used.contains(name) && names.insert(name).inserted
    }
    return try? CalendarItem(components: components, timeZones: zones)
      .definingTimeZones(zones: self.zones).normalized(by: item.normalForm)
  }
}
