// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The events of a calendar in Microsoft Graph (v1.0).
struct GraphService: VendorInterface {
  /// The number of requests at once that Microsoft accepts for a mailbox.
  private static let requestLimit = 4
  /// The header fields of each request: ids that stay, times in UTC, and plain text.
  static let preferences = [
    (name: "Prefer", value: #"IdType="ImmutableId""#),
    (name: "Prefer", value: #"outlook.timezone="UTC""#),
    (name: "Prefer", value: #"outlook.body-content-type="text""#),
  ]

  let session: VendorSession
  /// The path of the calendar.
  private let path: String
  let graphForm: GraphForm
  private let invitations: InvitationPolicy

  /// Creates the interface of a calendar.
  ///
  /// - Parameters:
  ///   - session: The session, whose base is that of the interface.
  ///   - calendar: The id of the calendar; `primary` is the default one of the user.
  ///   - form: The form of events.
  ///   - invitations: Whether attendees are mailed; if not, nothing is written that would mail them.
  init(
    _ session: VendorSession, calendar: String, form: GraphForm, invitations: InvitationPolicy
  ) {
    self.session = session
    path = Self.path(of: calendar)
    graphForm = form
    self.invitations = invitations
  }

  static func path(of calendar: String) -> String {
    calendar == "primary" ? "me/calendar" : "me/calendars/\(PercentEncoding.escapingAll(calendar))"
  }

  var form: any VendorForm { graphForm }
  var requestsAtOnce: Int { min(session.transport.requestsAtOnce, Self.requestLimit) }
  var properties: (any CollectionPropertyStore)? { GraphCalendarProperties(session, path: path) }
  /// A listing has no extended properties, so that each item is fetched.
  static var listsContents: Bool { false }

  // MARK: Reading

  private struct List: Decodable {
    var value: [GraphEvent]
    var next: String?
    var delta: String?

    enum CodingKeys: String, CodingKey {
      case value
      case next = "@odata.nextLink"
      case delta = "@odata.deltaLink"
    }
  }

  func page(since token: String?, _ page: String?) async throws -> VendorPage<GraphEvent>? {
    // The links are addresses, which must stay at the origin of the session.
    let target = page ?? token ?? "\(path)/events/delta"
    let answer = try await session.send(
      .get, target, VendorOptions(headers: [(name: "Prefer", value: "odata.maxpagesize=200")]))
    if token != nil, answer.status == 410 || answer.status == 400 { return nil }
    let list = try answer.content(List.self)
    return VendorPage(
      records: list.value.map(Self.record), next: list.next, token: list.delta)
  }

  static func record(_ event: GraphEvent) -> VendorRecord<GraphEvent> {
    VendorRecord(
      id: event.id, series: event.seriesMasterId, tag: event.etag ?? "",
      isGone: event.removed != nil, isSeries: event.isSeries, event: event)
  }

  func records(of ids: [String]) async throws -> [String: [VendorRecord<GraphEvent>]] {
    let events = try await GraphBatch(session).events(
      ids.map { (id: $0, path: Self.address(of: $0)) })
    var found = events.mapValues { [Self.record($0)] }
    // The fields of changed occurrences, and their stashes, are read one by one.
    let changed = events.values.flatMap { event in
      (event.exceptionOccurrences ?? []).map { (id: $0.id, path: Self.address(of: $0.id)) }
    }
    let occurrences = try await GraphBatch(session).events(changed)
    for (id, event) in events {
      for occurrence in event.exceptionOccurrences ?? [] {
        if let read = occurrences[occurrence.id] { found[id]?.append(Self.record(read, of: id)) }
      }
      for name in event.cancelledOccurrences ?? [] {
        found[id]?.append(cancelled(name, of: event))
      }
    }
    return found
  }

  private static func record(_ event: GraphEvent, of series: String) -> VendorRecord<GraphEvent> {
    VendorRecord(
      id: event.id, series: series, tag: event.etag ?? "", isGone: false, isSeries: false,
      event: event)
  }

  static func address(of id: String) -> String {
    let select = (GraphEvent.selection + ["cancelledOccurrences", "exceptionOccurrences"])
      .joined(separator: ",")
    let expand = GraphProperties.expansion + ",exceptionOccurrences($select=id,originalStart,type)"
    return "me/events/\(PercentEncoding.escapingAll(id))?$select=\(select)"
      + "&$expand=\(PercentEncoding.escapingAll(expand))"
  }

  /// The record of an occurrence that was deleted, whose name ends with its date.
  private func cancelled(_ name: String, of event: GraphEvent) -> VendorRecord<GraphEvent> {
    var occurrence = GraphEvent(id: name)
    occurrence.originalStart = GraphSeries(event, graphForm.zones).start(
      on: String(name.suffix(10)))
    return VendorRecord(
      id: name, series: event.id, tag: "", isGone: true, isSeries: false, event: occurrence)
  }

  func item(of records: [VendorRecord<GraphEvent>]) throws -> CalendarItem {
    try GraphItem(records, graphForm.zones).item()
  }

  // MARK: Writing

  func insert(_ item: VendorItem) async throws -> WriteOutcome {
    let attempt = UID.random().rawValue
    let answer = try await creation(of: item, attempt)
    switch answer.status {
    case 409: return .conditionFailed
    case 400...499: return .refused(reason: answer.refusal)
    default:
      let created = try answer.content(GraphEvent.self)
      // A repeated request is answered with the event of the first one.
      guard let records = try await records(of: [created.id])[created.id], let main = records.first,
        main.event.property(GraphProperties.attempt) == attempt
      else { return .conditionFailed }
      let settled = try await settle(item.main, of: item, main.event)
      let parts = [Self.record(settled)] + records.dropFirst()
      let outcome = try await GraphOccurrences(self).write(item, beside: parts)
      return try await added(outcome, Self.record(settled))
    }
  }

  /// Sends the request that adds an event.
  func creation(of item: VendorItem, _ attempt: String) async throws -> VendorAnswer {
    var fields = try graphForm.fields(of: item.main.component, item.times, overriding: nil)
    fields.transactionId = GraphProperties.transaction(of: item.item.uid)
    let stored = properties(item.main.stash, uid: item.item.uid.rawValue, replacing: nil) ?? []
    fields.singleValueExtendedProperties =
      stored + [.init(id: GraphProperties.attempt, value: attempt)]
    return try await session.send(.post, "\(path)/events", body: fields, .creation)
  }

  func change(
    _ records: [VendorRecord<GraphEvent>], to item: VendorItem
  ) async throws -> WriteOutcome {
    guard let main = records.first(where: { $0.series == nil }) else {
      return .refused(reason: "the series of these occurrences is not in this calendar")
    }
    if let refusal = mailRefusal(main.event) { return .refused(reason: refusal) }
    switch try await patch(main, item.main, item, overriding: nil) {
    case .failure(let outcome): return outcome.value
    case .success(let event):
      let isChanged = event != main.event
      let current = Self.record(try await settle(item.main, of: item, event))
      var parts = [current] + records.filter { $0.series != nil }
      // A new time or rule removes changed occurrences, and they inherit fields that they have not.
      if isChanged, event.recurrence != nil, parts.count > 1 || event.isMoved(from: main.event) {
        guard let fresh = try await self.records(of: [event.id])[event.id] else {
          return try Self.begun(.conditionFailed)
        }
        parts = fresh
      }
      let outcome = try await GraphOccurrences(self).write(item, beside: parts)
      return isChanged ? try Self.begun(outcome) : outcome
    }
  }

  func remove(_ record: VendorRecord<GraphEvent>) async throws -> WriteOutcome {
    if let refusal = mailRefusal(record.event) { return .refused(reason: refusal) }
    let answer = try await session.send(
      .delete, "me/events/\(PercentEncoding.escapingAll(record.id))", .ifMatch(record.tag))
    switch answer.status {
    case 404, 410: return .deleted
    case 412: return .conditionFailed
    case 400...499: return .refused(reason: answer.refusal)
    default: return .deleted
    }
  }

  /// The id of the occurrence itself: each occurrence has a UID of its own at Microsoft.
  static func loneID(of record: VendorRecord<GraphEvent>) -> String { record.id }

  func original(of record: VendorRecord<GraphEvent>, _ times: VendorTimes) -> Instant? {
    record.event.originalStart.flatMap(InternetTime.init)?.instant
  }

  func change(
    _ record: VendorRecord<GraphEvent>, to part: VendorItem.Part, of item: VendorItem
  ) async throws -> VendorRefusal? {
    if let refusal = mailRefusal(record.event) {
      return VendorRefusal(value: .refused(reason: refusal))
    }
    let series = item.main.component
    switch try await patch(record, part, item, overriding: series) {
    case .failure(let refusal): return refusal
    case .success(let event):
      let start = try graphForm.start(of: series, item.times)
      _ = try await settle(part, of: item, event, series: start)
      return nil
    }
  }

  /// The end of the tag of an item whose attendees would be mailed.
  ///
  /// The ledger keeps the tag, so that a dry run knows it without a request.
  private static let mailMark = " mails"

  static func tag(of records: [VendorRecord<GraphEvent>]) -> EntityTag {
    let tag = joinedTag(of: records)
    let main = records.first { $0.series == nil } ?? records.first
    return main?.event.isMailed == true ? EntityTag(tag.rawValue + mailMark) : tag
  }

  /// Whether Microsoft would mail the attendees of the item with a tag after a change.
  static func isMailed(_ tag: EntityTag) -> Bool { tag.rawValue.hasSuffix(mailMark) }

  /// Why a change is not sent: Microsoft mails the attendees of each one, and has no switch for it.
  private func mailRefusal(_ event: GraphEvent) -> String? {
    guard invitations != .send, event.isMailed else { return nil }
    return "the server would mail the attendees; to allow that, set invitations = \"send\""
  }

  // MARK: Fields

  /// Changes the fields of a record that differ from those of a part.
  func patch(
    _ record: VendorRecord<GraphEvent>, _ part: VendorItem.Part, _ item: VendorItem,
    overriding master: Component?
  ) async throws -> Result<GraphEvent, VendorRefusal> {
    let wanted = try graphForm.fields(of: part.component, item.times, overriding: master)
    var fields = wanted
    if let current = try? currentFields(record.event, item, overriding: master) {
      fields = wanted.changes(from: current)
    }
    fields.singleValueExtendedProperties = properties(
      part.stash, uid: master == nil ? item.item.uid.rawValue : nil, replacing: record.event)
    guard fields != GraphFields() else { return .success(record.event) }
    return try await patch(record, fields)
  }

  func patch(
    _ record: VendorRecord<GraphEvent>, _ fields: GraphFields
  ) async throws -> Result<GraphEvent, VendorRefusal> {
    let answer = try await session.send(
      .patch, "me/events/\(PercentEncoding.escapingAll(record.id))", body: fields,
      .ifMatch(record.tag))
    switch answer.status {
    case 404, 410, 412: return .failure(VendorRefusal(value: .conditionFailed))
    case 400...499: return .failure(VendorRefusal(value: .refused(reason: answer.refusal)))
    default:
      var event = try answer.content(GraphEvent.self)
      event.singleValueExtendedProperties =
        fields.singleValueExtendedProperties ?? record.event.singleValueExtendedProperties
      event.cancelledOccurrences = record.event.cancelledOccurrences
      event.exceptionOccurrences = record.event.exceptionOccurrences
      if event.originalStart == nil { event.originalStart = record.event.originalStart }
      return .success(event)
    }
  }

  /// The fields as they would be written for what the record says now.
  private func currentFields(
    _ event: GraphEvent, _ item: VendorItem, overriding master: Component?
  ) throws -> GraphFields {
    let series = try graphForm.start(of: master, item.times)
    let component = GraphReading(
      event, graphForm.zones, uid: item.item.uid.rawValue, series: series
    ).component
    return try graphForm.fields(of: component, item.times, overriding: master)
  }

  /// The extended properties of a part; nil if they are there already.
  ///
  /// There is no request that removes one, so that an empty text stands for none.
  private func properties(
    _ stash: ComponentStash, uid: String?, replacing event: GraphEvent?
  ) -> [GraphEvent.Property]? {
    var result: [GraphEvent.Property] = []
    let text = stash.isEmpty ? "" : stash.text
    if (event?.property(GraphProperties.stash) ?? "") != text {
      result.append(.init(id: GraphProperties.stash, value: text))
    }
    if let uid, event?.property(GraphProperties.uid) != uid, event == nil || event?.ownUID != nil {
      result.append(.init(id: GraphProperties.uid, value: uid))
    }
    return result.isEmpty ? nil : result
  }

  /// Writes the stash again, if Microsoft returned other fields than expected.
  ///
  /// - Parameters:
  ///   - part: The part that was written.
  ///   - item: The item.
  ///   - event: The event that Microsoft returned.
  ///   - series: The start of the series, if the part is an override.
  /// - Returns: The event.
  /// - Throws: `RemoteError`.
  func settle(
    _ part: VendorItem.Part, of item: VendorItem, _ event: GraphEvent, series: EventTime? = nil
  ) async throws -> GraphEvent {
    let uid = part.component[.uid]?.text ?? ""
    var held = GraphReading(event, graphForm.zones, uid: uid, series: series).component
    if series == nil {
      // Deleted occurrences are written after the series.
      for time in try graphForm.excluded(by: part.component, item.times) { held.exclude(time) }
    }
    let stash = part.stash(heldAs: held)
    let text = stash.isEmpty ? "" : stash.text
    guard text != (event.property(GraphProperties.stash) ?? "") else { return event }
    var fields = GraphFields()
    fields.singleValueExtendedProperties = [.init(id: GraphProperties.stash, value: text)]
    switch try await patch(Self.record(event), fields) {
    case .failure: return event
    case .success(let event): return event
    }
  }
}
