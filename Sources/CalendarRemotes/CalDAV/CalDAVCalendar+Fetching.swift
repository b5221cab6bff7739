// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax

extension CalDAVCalendar {
  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    var results: [RemoteFetch] = []
    results.reserveCapacity(hrefs.count)
    try await fetch(hrefs) { results += $0 }
    return results
  }

  func fetch(
    _ hrefs: [Href], _ take: ([RemoteFetch]) async throws -> Void
  ) async throws {
    var batches = FetchBatches(of: self)
    var rest = hrefs[...]
    let reports = OrderedTasks<[Href], Result<[RemoteFetch], any Error>>(
      limit: min(session.transport.requestsAtOnce, memory.reportsAtOnce),
      waiting: CalendarMemory.mostReports, ending: .cancel,
      runsAhead: session.transport.requestsAtOnce > 1
    ) { batch in
      do { return .success(try await fetchBatch(batch)) } catch { return .failure(error) }
    }
    // While the results of a batch are taken, the next batches are on the way.
    try await reports.run({
      guard !rest.isEmpty else { return nil }
      let batch = Array(rest.prefix(memory.batchSize))
      rest = rest.dropFirst(batch.count)
      return batch
    }) { batch, result in
      try await take(try await batches.results(of: batch, result))
    }
  }

  /// Fetches items with one report, and individually those that the report omits.
  func fetchBatch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    let (answers, time) = try await multiget(hrefs)
    // The size stays the same if no time was measured.
    if time > .zero { memory.adaptBatchSize(to: time, of: hrefs.count) }
    var results: [RemoteFetch] = []
    for href in hrefs {
      // The href is usually returned unchanged; otherwise normalized URLs are compared.
      let answer =
        answers[href.rawValue] ?? (try? url(of: href).normalized).flatMap { answers[$0] }
      if let answer, let fetch = Self.fetch(href, from: answer) {
        results.append(fetch)
      } else {
        results.append(try await get(href))
      }
    }
    return results
  }

  /// Requests a report and returns the responses by requested href or by normalized URL.
  ///
  /// - Parameter hrefs: The requested hrefs.
  /// - Returns: The responses, and the time that the server took. There are no responses and no
  ///   time if the server does not support the report.
  /// - Throws: `RemoteError`.
  private func multiget(
    _ hrefs: [Href]
  ) async throws -> (answers: [String: MultiStatus.Response], time: Duration) {
    let response = try await session.send(
      .report, to: collection, headers: [("Depth", "1")],
      content: .xml(DAVBody.multiget(hrefs.map(\.rawValue))))
    do {
      let answers = try Self.answersByAddress(
        DAVSession.multiStatus(of: response), from: response.url, asked: Set(hrefs.map(\.rawValue)))
      return (answers, response.duration)
    } catch {
      // Some servers do not support this report. A single item with a character that XML cannot
      // represent makes the whole report invalid. Individual requests isolate such an item.
      let isUseless =
        [400, 403, 405, 413, 415, 501, 507].contains(response.status)
        || error.code == .malformed
      guard isUseless else { throw error }
      return ([:], .zero)
    }
  }

  static func answersByAddress(
    _ answer: MultiStatus, from url: RemoteURL, asked: Set<String>
  ) -> [String: MultiStatus.Response] {
    var answers: [String: MultiStatus.Response] = [:]
    for item in answer.responses {
      guard !asked.contains(item.href) else {
        answers[item.href] = item
        continue
      }
      guard let address = try? url.resolvingPath(item.href) else { continue }
      answers[address.normalized] = item
    }
    return answers
  }

  /// The result for an item in a report; nil if the report has neither the item nor an error.
  ///
  /// Status 404 for a listed href is not conclusive: a server may not recognize its own spelling of
  /// the href in a report.
  private static func fetch(_ href: Href, from answer: MultiStatus.Response) -> RemoteFetch? {
    if let data = answer.properties[.caldav("calendar-data")] {
      return item(
        href, restoringLineEnds(data.text),
        etag: answer.properties[.dav("getetag")].flatMap { EntityTag(received: $0.text) })
    }
    let status = answer.status ?? answer.failures[.caldav("calendar-data")]
    guard let status, !(200...299).contains(status), status != 404, status != 410 else {
      return nil
    }
    return .unreadable(href: href, reason: "the server does not return it (status \(status))")
  }

  /// Fetches a single item; an invalid response makes only this item unreadable.
  func get(_ href: Href) async throws -> RemoteFetch {
    let url: RemoteURL
    do {
      url = try self.url(of: href)
    } catch {
      return .unreadable(href: href, reason: error.message)
    }
    let response: HTTPResponse
    do {
      response = try await session.send(.get, to: url)
    } catch let error as RemoteError where [.tooLarge, .malformed].contains(error.code) {
      return .unreadable(href: href, reason: error.message)
    }
    switch response.status {
    case 200: return Self.item(href, response.body, etag: EntityTag(answer: response))
    case 404, 410: return .missing(href: href)
    default: return .unreadable(href: href, reason: DAVRefusal(response).reason)
    }
  }

  private static func item(_ href: Href, _ bytes: [UInt8], etag: EntityTag?) -> RemoteFetch {
    do {
      return .item(href: href, etag: etag, item: try CalendarItem(parsing: bytes))
    } catch {
      return .unreadable(href: href, reason: ServerText.escaped(error.message))
    }
  }

  /// Returns calendar data from XML with restored line endings, because XML replaces CRLF by LF.
  private static func restoringLineEnds(_ text: String) -> [UInt8] {
    let bytes = text.utf8.span
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 16)
    var start = 0
    for end in bytes.indices where bytes[end] == 0x0A {
      result.append(copying: bytes.extracting(start..<end))
      if result.last != 0x0D { result.append(0x0D) }
      result.append(0x0A)
      start = end + 1
    }
    result.append(copying: bytes.extracting(start..<bytes.count))
    return result
  }
}
