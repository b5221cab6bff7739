// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Recurrence

/// The form of events in Microsoft Graph, and what it cannot hold.
struct GraphForm: VendorForm {
  /// The largest stash of an event; the documentation names no limit of an extended property.
  static let stashLimit = 28_000

  let zones: VendorZones
  /// Whether people are written; if not, they go into the stash, and no mail can be sent.
  let writesPeople: Bool

  var table: HoldingTable { Self.table }

  static let table =
    HoldingTable(
      interface: "Microsoft Graph v1.0",
      rows: [
        .init("SUMMARY", "subject"), .init("DESCRIPTION", "body"), .init("LOCATION", "location"),
        .init("DTSTART, DTEND", "start, end", limit: "floating times, zones of the file, DURATION"),
        .init("RRULE", "recurrence", limit: "the spelling; other rules are refused"),
        .init("EXDATE", "cancelledOccurrences", limit: "times without an occurrence"),
        .init("RECURRENCE-ID", "originalStart"),
        .init("STATUS", "showAs", limit: "CONFIRMED and CANCELLED"),
        .init("TRANSP", "showAs", limit: "together with TENTATIVE"),
        .init("CLASS", "sensitivity", limit: "PUBLIC"),
        .init("PRIORITY", "importance", limit: "other numbers than 1 and 9"),
        .init("CATEGORIES", "categories", limit: "several properties"),
        .init("ATTENDEE", "attendees", limit: "unless invitations = \"send\""),
        .init(
          "VALARM", "reminderMinutesBeforeStart",
          limit: "all but one that shows a text before the start"),
      ],
      stash: "singleValueExtendedProperties", stashLimit: stashLimit,
      refused: [
        "tasks and journal entries",
        "rules without one of Graph's six patterns, such as BYSETPOS=5, "
          + "BYYEARDAY, BYWEEKNO, several BYMONTHDAY, or a day of the month after the 28th",
        "RDATE, several rules, and a start that the rule does not give",
        "series in a time zone that only the file defines, and RANGE=THISANDFUTURE",
        "overrides at no occurrence of their series",
        "the return of an occurrence that was deleted",
      ])

  func held(
    _ component: Component, _ times: VendorTimes, overriding master: Component?
  ) throws(HoldingRefusal) -> Component {
    let fields = try fields(of: component, times, overriding: master)
    var event = fields.event
    if let master, let id = Event(component).recurrenceID?.time, let start = Event(master).start {
      let original = try times.identifier(id, likeStart: start)
      event.originalStart = try times.instant(of: original).civil().map { "\($0.iso8601)Z" }
    }
    let series = try start(of: master, times)
    let uid = component[.uid]?.text ?? ""
    var held = GraphReading(event, zones, uid: uid, series: series).component
    if master == nil {
      for time in try excluded(by: component, times) { held.exclude(time) }
    }
    return held
  }

  /// Rejects a change that would send mail, and the return of an occurrence that was deleted.
  ///
  /// No request restores one. A change of the times or the rule makes all occurrences anew.
  func expectChange(of held: HeldItem, to item: VendorItem) throws(HoldingRefusal) {
    if let refusal = refusal(ofDeleting: held) { throw refusal }
    guard let current = held.item() else { return }
    let before = VendorTimes(of: current, zones)
    guard let main = current.main, let old = try? fields(of: main, before, overriding: nil),
      old.recurrence != nil
    else { return }
    let new = try fields(of: item.main.component, item.times, overriding: nil)
    guard (old.start, old.end, old.isAllDay) == (new.start, new.end, new.isAllDay),
      old.recurrence == new.recurrence
    else { return }
    var excluded: Set<Instant> = []
    for time in try self.excluded(by: item.main.component, item.times) {
      excluded.insert(try item.times.instant(of: time))
    }
    for time in try self.excluded(by: main, before) {
      guard excluded.contains(try before.instant(of: time)) else { throw .returning(time.spelled) }
    }
  }

  /// The reason why an item with attendees is neither changed nor deleted; its tag says that it has some.
  func refusal(ofDeleting held: HeldItem) -> HoldingRefusal? {
    !writesPeople && held.etag.map(GraphService.isMailed) == true ? .mail : nil
  }

  /// Rejects exclusions, too: occurrences can only be deleted after they were read.
  func expectAddition(of item: VendorItem) throws(HoldingRefusal) {
    guard !item.isLone else { throw .noSeries }
    guard item.overrides.isEmpty else { throw .overrides }
    guard try excluded(by: item.main.component, item.times).isEmpty else { throw .exclusions }
  }

  /// The start of a series in the form of the vendor; nil without a series.
  func start(of series: Component?, _ times: VendorTimes) throws(HoldingRefusal) -> EventTime? {
    guard let series else { return nil }
    guard let start = Event(series).start else { throw .noStart }
    return try times.vendorTime(start)
  }

  /// The occurrences that a series excludes, by the times that identify them.
  func excluded(
    by component: Component, _ times: VendorTimes
  ) throws(HoldingRefusal) -> [EventTime] {
    let event = Event(component)
    guard let start = event.start, !event.recurrence.excludedDates.isEmpty,
      let series = try? VendorSeries(component.withoutExclusions, [], zones)
    else { return [] }
    var found: [EventTime] = []
    for date in event.recurrence.excludedDates {
      guard let time = try? times.identifier(date, likeStart: start), !found.contains(time),
        series.occurrence(at: time) != nil
      else { continue }
      found.append(time)
    }
    return found.sorted { $0.wallTime < $1.wallTime }
  }

  /// The fields of a component, without its stash.
  func fields(
    of component: Component, _ times: VendorTimes, overriding master: Component?
  ) throws(HoldingRefusal) -> GraphFields {
    let event = Event(component)
    guard let time = event.start else { throw .noStart }
    let start = try times.vendorTime(time)
    var fields = GraphFields()
    fields.subject = event.summary ?? ""
    fields.body = .init(content: event.descriptionText ?? "")
    fields.location = .init(displayName: event.location ?? "")
    fields.start = Self.time(start)
    fields.end = Self.time(try times.end(of: event, from: time))
    fields.isAllDay = start.isAllDay
    if event.status == .tentative {
      fields.showAs = "tentative"
    } else {
      fields.showAs = event.transparency == .transparent ? "free" : "busy"
    }
    fields.sensitivity =
      switch event.classification {
      case .private: "private"
      case .confidential: "confidential"
      default: "normal"
      }
    fields.importance = event.priority == 1 ? "high" : event.priority == 9 ? "low" : "normal"
    fields.categories = Array(event.categories)
    let minutes = event.alarms.lazy.filter { $0.action == AlarmAction.display }
      .compactMap(\.minutesBeforeStart).first
    fields.isReminderOn = minutes != nil
    fields.reminderMinutesBeforeStart = minutes
    if writesPeople { fields.attendees = event.attendees.compactMap(Self.person) }
    if master == nil { fields.recurrence = try recurrence(of: component, event, start, times) }
    return fields
  }

  /// A time in Graph's form; a day is from midnight to midnight in UTC.
  static func time(_ time: EventTime) -> GraphEvent.Time {
    switch time {
    case .date, .utc, .floating: .init(dateTime: time.wallTime.iso8601, timeZone: "UTC")
    case .zoned(let wall, let name): .init(dateTime: wall.iso8601, timeZone: name)
    }
  }

  private static func person(_ attendee: Attendee) -> GraphEvent.Person? {
    guard let email = attendee.address.email, !email.isEmpty else { return nil }
    let isPlace = [.resource, .room].contains(attendee.userType)
    return .init(
      emailAddress: .init(name: attendee.commonName ?? email, address: email),
      type: isPlace ? "resource" : attendee.role == .optional ? "optional" : "required")
  }

  private func recurrence(
    of component: Component, _ event: Event, _ start: EventTime, _ times: VendorTimes
  ) throws(HoldingRefusal) -> GraphRecurrence? {
    if let date = component[.rDate] { throw .recurrence("RDATE:\(date.rawValue)") }
    if let rule = component["EXRULE"] { throw .recurrence("EXRULE:\(rule.rawValue)") }
    let lines = component.properties(named: .rRule)
    guard let line = lines.first else { return nil }
    guard lines.count == 1, let rule = event.recurrence.rules.first else {
      throw .recurrence("RRULE:\(lines.last?.rawValue ?? line.rawValue)")
    }
    let until = try lastDay(of: rule, start, times)
    do throws(HoldingRefusal) {
      return try GraphRecurrence(rule, start: start, until: until)
    } catch {
      throw .recurrence("RRULE:\(line.rawValue)")
    }
  }

  /// The last day on which the rule can give an occurrence; nil if it has no end.
  private func lastDay(
    of rule: RecurrenceRule, _ start: EventTime, _ times: VendorTimes
  ) throws(HoldingRefusal) -> CivilDate? {
    let wall: CivilDateTime
    switch rule.until {
    case nil: return nil
    case .date(let date)?: return date
    case .local(let local)?: wall = local
    case .utc(let utc)?:
      guard case .zoned(_, let name) = start else {
        wall = utc
        break
      }
      wall = zones.time(of: Instant(utc: utc), in: name)?.wallTime ?? utc
    }
    return wall.time < start.wallTime.time && !start.isAllDay
      ? wall.date.adding(days: -1) : wall.date
  }
}

extension Component {
  /// The component without excluded dates.
  fileprivate var withoutExclusions: Component {
    var component = self
    component[.exDate] = nil
    return component
  }

  /// Adds an excluded date in the form of the vendor.
  mutating func exclude(_ time: EventTime) {
    var content = Event()
    content.recurrence.excludedDates = [time]
    if let property = content.component[.exDate] { properties.append(property) }
  }
}
