// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The item that a series and its changed and deleted occurrences in Microsoft Graph describe.
struct GraphItem {
  private let main: GraphEvent?
  private let occurrences: [VendorRecord<GraphEvent>]
  private let zones: VendorZones

  init(_ records: [VendorRecord<GraphEvent>], _ zones: VendorZones) {
    main = records.first { $0.series == nil }?.event
    occurrences = records.filter { $0.series != nil }.sorted {
      ($0.event.originalStart ?? "", $0.id) < ($1.event.originalStart ?? "", $1.id)
    }
    self.zones = zones
  }

  /// The item, with the definitions of the zones that it uses.
  ///
  /// - Throws: `ItemError` if the records are not one item.
  func item() throws(ItemError) -> CalendarItem {
    guard let main else { return try loneItem() }
    let uid = main.ownUID ?? main.iCalUId ?? main.id
    let bare = GraphReading(main, zones, uid: uid)
    var fields = bare.component
    let series = bare.start
    // Exclusions are fields, so that the stash applies to them, too.
    for record in occurrences where record.isGone {
      let original = GraphReading(record.event, zones, uid: uid, series: series).component
      if let time = Event(original).recurrenceID?.time { fields.exclude(time) }
    }
    let stash = main.property(GraphProperties.stash).flatMap { ComponentStash(text: $0) }
    let read = stash?.splice(into: fields) ?? (component: fields, timeZones: [])
    var components = [read.component]
    let changed = occurrences.filter { !$0.isGone }
    if !changed.isEmpty {
      let compared = try VendorSeries(read.component, read.timeZones, zones)
      for record in changed {
        let component = GraphReading(record.event, zones, uid: uid, series: series).whole.component
        if !compared.gives(component) { components.append(component) }
      }
    }
    return try CalendarItem(components: components, timeZones: read.timeZones)
      .definingTimeZones(zones: zones.resolver)
  }

  /// The item of an occurrence whose series is not in the calendar, with a UID of its own.
  private func loneItem() throws(ItemError) -> CalendarItem {
    guard let event = occurrences.first(where: { !$0.isGone })?.event else {
      throw ItemError(code: .noItem, message: "the series is missing")
    }
    let uid = event.iCalUId ?? event.id
    let start = GraphReading(event, zones, uid: uid).start
    let read = GraphReading(event, zones, uid: uid, series: start).whole
    return try CalendarItem(components: [read.component], timeZones: read.timeZones)
      .definingTimeZones(zones: zones.resolver)
  }
}

/// The occurrences of a series in Microsoft Graph.
struct GraphSeries {
  private let event: GraphEvent
  private let zones: VendorZones

  init(_ event: GraphEvent, _ zones: VendorZones) {
    (self.event, self.zones) = (event, zones)
  }

  /// The start of the occurrence on a date of the series' zone, in UTC.
  ///
  /// - Parameter text: The date, such as `2026-03-02`.
  /// - Returns: The start; nil if the date or the series cannot be read.
  func start(on text: String) -> String? {
    guard let date = try? CivilDate(parsing: text),
      let start = GraphReading(event, zones, uid: "").start
    else { return nil }
    let wall = CivilDateTime(date, start.wallTime.time)
    guard case .zoned(_, let name) = start,
      let rules = try? zones.resolver.rules(of: zones.resolver.resolve(name))
    else { return "\(wall.iso8601)Z" }
    return rules.instant(of: wall).civil().map { "\($0.iso8601)Z" }
  }
}

extension GraphEvent {
  /// The UID that Epact gave the event; nil if it is another program's event.
  ///
  /// A copy of an event may have its extended properties, but not its transaction.
  var ownUID: String? {
    guard let uid = property(GraphProperties.uid),
      transactionId == GraphProperties.transaction(of: UID(uid))
    else { return nil }
    return uid
  }
}
