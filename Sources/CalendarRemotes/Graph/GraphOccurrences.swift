// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// Writes the overrides and the exclusions of a series to Microsoft Graph.
struct GraphOccurrences {
  private struct List: Decodable {
    var value: [GraphEvent.Occurrence]
  }

  private let service: GraphService

  init(_ service: GraphService) {
    self.service = service
  }

  private var zones: VendorZones { service.graphForm.zones }

  /// The remaining work on a series.
  private struct Work {
    let item: VendorItem
    /// The series, and its start.
    let main: VendorRecord<GraphEvent>
    let start: EventTime
    /// The changed and deleted occurrences that no step has looked at, by their original starts.
    var known: [Instant: VendorRecord<GraphEvent>]
    var isChanged = false
  }

  /// Writes the occurrences of an item, whose series is written.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - records: The series, and its changed and deleted occurrences.
  /// - Returns: The outcome of the item.
  /// - Throws: `RemoteError`.
  func write(
    _ item: VendorItem, beside records: [VendorRecord<GraphEvent>]
  ) async throws -> WriteOutcome {
    guard let main = records.first else { return .conditionFailed }
    guard main.isSeries else {
      return .written(href: Href(main.id), etag: GraphService.tag(of: [main]))
    }
    guard let start = GraphReading(main.event, zones, uid: "").start else {
      return .conditionFailed
    }
    let known = records.dropFirst().compactMap { record in
      record.event.originalStart.flatMap(InternetTime.init).map { ($0.instant, record) }
    }
    var work = Work(
      item: item, main: main, start: start, known: Dictionary(known) { $1 })
    for step in [writeOverrides, writeExclusions, restoreOthers] {
      guard let outcome = try await step(&work) else { continue }
      return work.isChanged ? try GraphService.begun(outcome) : outcome
    }
    guard work.isChanged else {
      return .written(href: Href(main.id), etag: GraphService.tag(of: records))
    }
    let now = try await service.records(of: [main.id])[main.id]
    return .written(href: Href(main.id), etag: now.map(GraphService.tag))
  }

  /// Changes the occurrences that have overrides; returns the outcome if one is not changed.
  private func writeOverrides(_ work: inout Work) async throws -> WriteOutcome? {
    for (original, part) in work.item.overrides {
      let time = try work.item.times.instant(of: original)
      let before = work.known.removeValue(forKey: time)
      if before?.isGone == true { return .refused(reason: Self.noReturn) }
      guard let record = try await occurrence(of: work.main, at: time, known: before) else {
        return .refused(reason: "the server has no occurrence at \(original.spelled)")
      }
      let series = work.item.main.component
      switch try await service.patch(record, part, work.item, overriding: series) {
      case .failure(let outcome): return outcome.value
      case .success(let event):
        if event != record.event { work.isChanged = true }
        _ = try await service.settle(part, of: work.item, event, series: work.start)
      }
    }
    return nil
  }

  /// Deletes the occurrences that the series excludes; returns the outcome if one is not deleted.
  private func writeExclusions(_ work: inout Work) async throws -> WriteOutcome? {
    let item = work.item
    for time in try service.graphForm.excluded(by: item.main.component, item.times) {
      let instant = try item.times.instant(of: time)
      let before = work.known.removeValue(forKey: instant)
      if before?.isGone == true { continue }
      guard let record = try await occurrence(of: work.main, at: instant, known: before) else {
        continue
      }
      let outcome = try await service.remove(record.unconditional)
      guard outcome == .deleted else { return outcome }
      work.isChanged = true
    }
    return nil
  }

  /// Gives all other occurrences the fields of the series; returns the outcome if one cannot have them.
  private func restoreOthers(_ work: inout Work) async throws -> WriteOutcome? {
    for record in work.known.values.sorted(by: { $0.id < $1.id }) {
      if record.isGone { return .refused(reason: Self.noReturn) }
      if try await restore(record, of: work.item, work.start) { work.isChanged = true }
    }
    return nil
  }

  private static let noReturn =
    "an occurrence that was deleted at Microsoft cannot come back; only a new series has it again"

  /// The occurrence of a series at a time; the known one if it was changed.
  private func occurrence(
    of main: VendorRecord<GraphEvent>, at time: Instant, known: VendorRecord<GraphEvent>?
  ) async throws -> VendorRecord<GraphEvent>? {
    if let known { return known }
    let day: Int64 = 86_400
    guard let from = time.adding(seconds: -day)?.civil(),
      let to = time.adding(seconds: day)?.civil()
    else { return nil }
    let id = PercentEncoding.escapingAll(main.id)
    let path =
      "me/events/\(id)/instances?startDateTime=\(from.iso8601)Z&endDateTime=\(to.iso8601)Z"
      + "&$select=id,originalStart,type&$top=50"
    let answer = try await service.session.send(.get, path)
    if [404, 410].contains(answer.status) { return nil }
    let found = try answer.content(List.self).value.first {
      $0.originalStart.flatMap(InternetTime.init)?.instant == time
    }
    guard let found else { return nil }
    return try await service.records(of: [found.id])[found.id]?.first.map { record in
      VendorRecord(
        id: record.id, series: main.id, tag: "", isGone: false, isSeries: false,
        event: record.event)
    }
  }

  /// Gives a changed occurrence the fields of its series again; false if the series has none then.
  private func restore(
    _ record: VendorRecord<GraphEvent>, of item: VendorItem, _ start: EventTime
  ) async throws -> Bool {
    let reading = GraphReading(record.event, zones, uid: "", series: start).component
    guard let original = Event(reading).recurrenceID?.time,
      let given = try item.series(zones).occurrence(at: original)
    else { return false }
    var fields = try service.graphForm.fields(
      of: given, item.times, overriding: item.main.component)
    fields.singleValueExtendedProperties = [
      .init(id: GraphProperties.stash, value: item.main.stash.inheritedText)
    ]
    guard case .success = try await service.patch(record, fields) else { return false }
    return true
  }
}

extension ComponentStash {
  /// The stash of an occurrence that says the same as its series.
  var inheritedText: String {
    let rest = withoutTimes
    return rest.isEmpty ? "" : rest.text
  }
}

extension VendorRecord {
  /// The record for an unconditional request.
  var unconditional: VendorRecord {
    VendorRecord(
      id: id, series: series, tag: "", isGone: isGone, isSeries: isSeries, event: event)
  }
}
