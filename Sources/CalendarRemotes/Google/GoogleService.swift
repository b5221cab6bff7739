// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// The events of a calendar at Google (Calendar API v3, resource Events).
struct GoogleService: VendorInterface {
  /// The largest page that Google returns.
  private static let pageSize = 2_500

  private let session: VendorSession
  /// The path of the calendar's events.
  private let path: String
  /// Whether Google mails the attendees of what is written.
  private let sendsUpdates: String
  private let googleForm: GoogleForm
  /// The name and colour of the calendar; nil if the sign-in does not cover them.
  var properties: (any CollectionPropertyStore)?

  /// Creates the interface of a calendar.
  ///
  /// - Parameters:
  ///   - session: The session, whose base is that of the interface.
  ///   - calendar: The id of the calendar; `primary` is that of the user.
  ///   - form: The form of events.
  ///   - invitations: Whether attendees are mailed.
  init(
    _ session: VendorSession, calendar: String, form: GoogleForm, invitations: InvitationPolicy
  ) {
    self.session = session
    path = Self.path(of: calendar)
    googleForm = form
    sendsUpdates = "sendUpdates=" + (invitations == .send ? "all" : "none")
  }

  static func path(of calendar: String) -> String {
    "calendars/\(PercentEncoding.escapingAll(calendar))/events"
  }

  var form: any VendorForm { googleForm }
  var requestsAtOnce: Int { session.transport.requestsAtOnce }

  // MARK: Reading

  private struct List: Decodable {
    var items: [GoogleEvent]?
    var nextPageToken: String?
    var nextSyncToken: String?
  }

  func page(since token: String?, _ page: String?) async throws -> VendorPage<GoogleEvent>? {
    var query = "maxResults=\(Self.pageSize)&singleEvents=false"
    if let token { query += "&syncToken=\(PercentEncoding.escapingAll(token))" }
    if let page { query += "&pageToken=\(PercentEncoding.escapingAll(page))" }
    let answer = try await session.send(.get, "\(path)?\(query)")
    if token != nil, [400, 410].contains(answer.status) { return nil }
    let list = try answer.content(List.self)
    return VendorPage(
      records: (list.items ?? []).map(Self.record), next: list.nextPageToken,
      token: list.nextSyncToken)
  }

  func records(of ids: [String]) async throws -> [String: [VendorRecord<GoogleEvent>]] {
    let requests = OrderedTasks<String, Result<[VendorRecord<GoogleEvent>], any Error>>(
      limit: requestsAtOnce, ending: .cancel
    ) { id in
      do { return .success(try await records(of: id)) } catch { return .failure(error) }
    }
    let lone = ids.filter { $0.hasPrefix(Self.lonePrefix) }
    var found = lone.isEmpty ? [:] : try await loneRecords(of: lone)
    var rest = ids.filter { !$0.hasPrefix(Self.lonePrefix) }[...]
    try await requests.run({ rest.popFirst() }) { id, records in
      let records = try records.get()
      if !records.isEmpty { found[id] = records }
    }
    return found
  }

  /// The records of an event; empty if it does not exist.
  private func records(of id: String) async throws -> [VendorRecord<GoogleEvent>] {
    let answer = try await session.send(.get, "\(path)/\(PercentEncoding.escapingAll(id))")
    if [404, 410].contains(answer.status) { return [] }
    let event = try answer.content(GoogleEvent.self)
    if event.isCancelled { return [] }
    guard event.recurrence != nil else { return [Self.record(event)] }
    return [Self.record(event)] + (try await occurrences(of: event))
  }

  /// The changed and deleted occurrences of a series, which share its UID.
  private func occurrences(of event: GoogleEvent) async throws -> [VendorRecord<GoogleEvent>] {
    guard let uid = event.iCalUID else { return [] }
    var (records, page): ([VendorRecord<GoogleEvent>], String?) = ([], nil)
    repeat {
      var query = "iCalUID=\(PercentEncoding.escapingAll(uid))&maxResults=\(Self.pageSize)"
      if let page { query += "&pageToken=\(PercentEncoding.escapingAll(page))" }
      let list = try await session.send(.get, "\(path)?\(query)").content(List.self)
      records += (list.items ?? []).map(Self.record).filter { $0.series == event.id }
      guard list.nextPageToken != page else { break }
      page = list.nextPageToken
    } while page != nil
    return records
  }

  /// The beginning of the id of an item of occurrences alone; no id of Google's has a hyphen.
  private static let lonePrefix = "occurrences-of-"

  /// The id that all occurrences of a series share, because they have one UID.
  static func loneID(of record: VendorRecord<GoogleEvent>) -> String {
    lonePrefix + (record.series ?? record.id)
  }

  /// The occurrences of series that are not in the calendar; only a complete listing has them.
  private func loneRecords(
    of ids: [String]
  ) async throws -> [String: [VendorRecord<GoogleEvent>]] {
    var (records, next): ([VendorRecord<GoogleEvent>], String?) = ([], nil)
    repeat {
      guard let answer = try await page(since: nil, next) else { break }
      records += answer.records
      guard answer.next != next else { break }
      next = answer.next
    } while next != nil
    let series = Set(records.filter { $0.series == nil }.map(\.id))
    let lone = records.filter { record in
      !record.isGone && record.series.map { !series.contains($0) } ?? false
    }
    let found = Dictionary(grouping: lone) { Self.loneID(of: $0) }
    return found.filter { ids.contains($0.key) }
  }

  static func record(_ event: GoogleEvent) -> VendorRecord<GoogleEvent> {
    VendorRecord(
      id: event.id, series: event.recurringEventId, tag: event.etag ?? "\"\"",
      isGone: event.isCancelled, isSeries: event.recurrence?.isEmpty == false, event: event)
  }

  func item(of records: [VendorRecord<GoogleEvent>]) throws -> CalendarItem {
    try GoogleItem(records.map(\.event), googleForm.zones).item()
  }

  // MARK: Writing

  func insert(_ item: VendorItem) async throws -> WriteOutcome {
    let id = GoogleID.id(of: item.item.uid)
    let answer = try await creation(of: item, id)
    switch answer.status {
    case 409: return try await insertAgain(item, id)
    case 400...499: return .refused(reason: answer.refusal)
    default:
      let main = Self.record(
        try await settled(item.main, try answer.content(GoogleEvent.self)))
      return try await added(try await writeOverrides(of: item, beside: [main]), main)
    }
  }

  /// Sends the request that adds an event with an id.
  func creation(of item: VendorItem, _ id: String) async throws -> VendorAnswer {
    var fields = try fields(of: item.main, item, nil)
    fields.id = id
    return try await session.send(
      .post, "\(path)?\(sendsUpdates)", body: fields, .creation)
  }

  /// Adds an event whose id is taken: by the same event, or by one that was deleted.
  private func insertAgain(
    _ item: VendorItem, _ id: String
  ) async throws -> WriteOutcome {
    let answer = try await session.send(.get, "\(path)/\(id)")
    guard answer.isSuccess, let event = try? answer.content(GoogleEvent.self), event.isCancelled
    else { return .conditionFailed }
    return try await change([Self.record(event)], to: item)
  }

  func change(
    _ records: [VendorRecord<GoogleEvent>], to item: VendorItem
  ) async throws -> WriteOutcome {
    guard let main = records.first(where: { $0.series == nil }) else {
      return .refused(reason: "the series of these occurrences is not in this calendar")
    }
    let fields = try fields(of: item.main, item, main.event)
    switch try await patch(main, fields) {
    case .failure(let outcome): return outcome.value
    case .success(let event):
      let event = try await settled(item.main, event)
      // A change of the times or the rules may remove occurrences that were changed, and these may
      // inherit other fields.
      let isSame =
        (main.event.start, main.event.end) == (event.start, event.end)
        && main.event.recurrence == event.recurrence
      let changed = records.filter { $0.series != nil }
      let known =
        isSame && changed.allSatisfy(\.isGone) || event.recurrence == nil
        ? changed : try await occurrences(of: event)
      return try Self.begun(
        try await writeOverrides(of: item, beside: [Self.record(event)] + known))
    }
  }

  func remove(_ record: VendorRecord<GoogleEvent>) async throws -> WriteOutcome {
    let answer = try await session.send(
      .delete, "\(path)/\(PercentEncoding.escapingAll(record.id))?\(sendsUpdates)",
      .ifMatch(record.tag))
    switch answer.status {
    case 404, 410: return .deleted
    case 412: return .conditionFailed
    case 400...499: return .refused(reason: answer.refusal)
    default: return .deleted
    }
  }

  private func patch(
    _ record: VendorRecord<GoogleEvent>, _ fields: some Encodable
  ) async throws -> Result<GoogleEvent, VendorRefusal> {
    let answer = try await session.send(
      .patch, "\(path)/\(PercentEncoding.escapingAll(record.id))?\(sendsUpdates)", body: fields,
      .ifMatch(record.tag))
    switch answer.status {
    case 404, 410, 412: return .failure(VendorRefusal(value: .conditionFailed))
    case 400...499: return .failure(VendorRefusal(value: .refused(reason: answer.refusal)))
    default: return .success(try answer.content(GoogleEvent.self))
    }
  }

  // MARK: Occurrences

  /// Writes the overrides of an item, and restores the occurrences that it has not.
  ///
  /// - Parameters:
  ///   - item: The item, whose series is written.
  ///   - records: The series, and its changed and deleted occurrences.
  /// - Returns: The outcome of the item.
  /// - Throws: `RemoteError`.
  private func writeOverrides(
    of item: VendorItem, beside records: [VendorRecord<GoogleEvent>]
  ) async throws -> WriteOutcome {
    guard let main = records.first else { return .conditionFailed }
    var known = Dictionary(records.dropFirst().map { ($0.id, $0) }) { $1 }
    var written = [main]
    for (original, part) in item.overrides {
      let id = "\(main.id)_\(try GoogleID.suffix(of: original, item.times))"
      let before = known.removeValue(forKey: id)
      let fields = try fields(of: part, item, before?.event ?? main.event)
      let record =
        before
        ?? VendorRecord(
          id: id, series: main.id, tag: "", isGone: false, isSeries: false, event: main.event)
      switch try await patch(record, fields) {
      case .failure(let outcome): return outcome.value
      case .success(let event): written.append(Self.record(try await settled(part, event)))
      }
    }
    let series = try item.series(googleForm.zones)
    for record in known.values.sorted(by: { $0.id < $1.id }) {
      // A deleted occurrence that the series excludes is as it should be, and so is one that it has not.
      guard
        let original = record.event.originalStartTime.flatMap({
          GoogleReading.time($0, googleForm.zones)
        }), !series.excludes(original), let given = series.occurrence(at: original)
      else {
        written.append(record)
        continue
      }
      let fields = try occurrenceFields(given, of: item, record.event, main.event)
      switch try await patch(record, fields) {
      case .failure(let outcome): return outcome.value
      case .success(let event): written.append(Self.record(event))
      }
    }
    return .written(href: Href(main.id), etag: Self.tag(of: written))
  }

  /// The fields of an occurrence as the series gives it, with the stash of the series.
  private func occurrenceFields(
    _ given: Component, of item: VendorItem, _ current: GoogleEvent, _ main: GoogleEvent
  ) throws -> GoogleFields {
    var fields = try googleForm.fields(
      of: given, item.times, overriding: item.main.component)
    let inherited = main.extendedProperties?.private ?? [:]
    fields.properties = GoogleStash.inherited(
      inherited, replacing: current.extendedProperties?.private ?? [:])
    return fields
  }

  func original(of record: VendorRecord<GoogleEvent>, _ times: VendorTimes) -> Instant? {
    record.event.originalStartTime.flatMap { GoogleReading.time($0, googleForm.zones) }
      .flatMap { try? times.instant(of: $0) }
  }

  func change(
    _ record: VendorRecord<GoogleEvent>, to part: VendorItem.Part, of item: VendorItem
  ) async throws -> VendorRefusal? {
    switch try await patch(record, try fields(of: part, item, record.event)) {
    case .failure(let refusal): return refusal
    case .success(let event):
      _ = try await settled(part, event)
      return nil
    }
  }

  // MARK: Fields

  /// The fields of a part with its stash, and without the properties of an earlier stash.
  private func fields(
    of part: VendorItem.Part, _ item: VendorItem, _ current: GoogleEvent?
  ) throws(HoldingRefusal) -> GoogleFields {
    let isMain = part.component[.recurrenceID] == nil
    var fields = try googleForm.knowing(current).fields(
      of: part.component, item.times, overriding: isMain ? nil : item.main.component)
    // A calendar's own alarms stay, if the item has none.
    if current?.reminders?.useDefault == true, part.event.alarms.isEmpty { fields.reminders = nil }
    let uid = isMain ? item.item.uid.rawValue : nil
    fields.properties = GoogleStash.properties(
      of: part.stash, uid: uid, replacing: current?.extendedProperties?.private ?? [:])
    return fields
  }

  private struct Properties: Encodable {
    struct Extended: Encodable {
      var `private`: [String: String?]
    }
    var extendedProperties: Extended
  }

  /// Writes the stash again, if Google returned other fields than expected.
  private func settled(_ part: VendorItem.Part, _ event: GoogleEvent) async throws -> GoogleEvent {
    let uid = part.component[.uid]?.text ?? ""
    let held = GoogleReading(event, googleForm.zones, uid: uid).component
    let stash = part.stash(heldAs: held)
    guard stash.text != part.stash.text else { return event }
    let current = event.extendedProperties?.private ?? [:]
    let wanted = GoogleStash.properties(
      of: stash, uid: current[GoogleStash.uidName], replacing: current)
    let body = Properties(extendedProperties: .init(private: wanted))
    switch try await patch(Self.record(event), body) {
    case .failure: return event
    case .success(let event): return event
    }
  }
}
