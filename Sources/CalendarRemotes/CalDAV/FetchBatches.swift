// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// Fetches items in batches, which are divided at the limits of the server or this program.
///
///     batch ── too large, too slow, status 500 ──► parts of the batch ──► … ──► one item
///                                                                              │ the same
///                                                                              ▼
///                                                                   unreadable alone, by name
struct FetchBatches {
  /// The reason for a failed batch that may succeed in smaller parts.
  private enum Fault {
    case size, time, server

    init?(_ error: RemoteError) {
      if error.code == .tooLarge {
        self = .size
      } else if error.isTimeout {
        self = .time
      } else if error.code == .failed {
        self = .server
      } else {
        return nil
      }
    }
  }

  /// The maximum size of the items in a part, in bytes, if their lengths are known.
  private static let partLength = 16 << 20
  /// The maximum number of timeouts.
  private static let timeoutLimit = 16
  /// The maximum number of consecutive failures before the server is no longer contacted.
  private static let failureLimit = 24

  private let calendar: CalDAVCalendar
  private var timeouts = 0
  private var failures = 0

  init(of calendar: CalDAVCalendar) {
    self.calendar = calendar
  }

  /// Returns the results of a requested batch; a failure of one item does not affect the others.
  ///
  /// - Throws: `RemoteError` if the server returns none of the items or is unreachable.
  mutating func results(
    of hrefs: [Href], _ result: Result<[RemoteFetch], any Error>
  ) async throws -> [RemoteFetch] {
    do {
      let results = try result.get()
      failures = 0
      return results
    } catch let error as RemoteError {
      guard let fault = Fault(error), hrefs.count > 1 || fault != .server else { throw error }
      let results = try await fetch(hrefs, after: fault, error)
      let isAnswered = results.contains { if case .unreadable = $0 { false } else { true } }
      guard isAnswered || fault != .server else { throw error }
      return results
    }
  }

  /// Fetches a failed batch in parts.
  private mutating func fetch(
    _ hrefs: [Href], after fault: Fault, _ error: RemoteError
  ) async throws -> [RemoteFetch] {
    try await look(after: fault, error)
    if hrefs.count == 1 { return [try await alone(hrefs[0], fault, error)] }
    guard timeouts < Self.timeoutLimit else {
      return hrefs.map { .unreadable(href: $0, reason: error.message) }
    }
    calendar.memory.limitBatchSize(to: hrefs.count / 2)
    var results: [RemoteFetch] = []
    for part in try await parts(of: hrefs, fault) {
      do {
        results += try await calendar.fetchBatch(part)
        failures = 0
      } catch let error as RemoteError {
        guard let fault = Fault(error) else { throw error }
        results += try await fetch(part, after: fault, error)
      }
    }
    return results
  }

  /// Fetches the only item of a failed request.
  private mutating func alone(
    _ href: Href, _ fault: Fault, _ error: RemoteError
  ) async throws -> RemoteFetch {
    guard fault == .server else { return .unreadable(href: href, reason: error.message) }
    do {
      return try await calendar.get(href)
    } catch let error as RemoteError where error.isTimeout {
      return .unreadable(href: href, reason: error.message)
    }
  }

  /// Counts a fault, and checks whether the server is reachable.
  private mutating func look(after fault: Fault, _ error: RemoteError) async throws {
    switch fault {
    case .size: return
    case .server:
      failures += 1
      guard failures < Self.failureLimit else { throw error }
    case .time:
      timeouts += 1
      do {
        _ = try await calendar.session.propfind(
          [.dav("resourcetype")], of: calendar.collection, depth: 0)
      } catch is RemoteError {
        throw error
      }
    }
  }

  /// Divides a batch into halves, or into parts with limited size if lengths are known.
  private func parts(of hrefs: [Href], _ fault: Fault) async throws -> [[Href]] {
    let half = hrefs.count / 2
    let halves = [Array(hrefs[..<half]), Array(hrefs[half...])]
    guard fault == .size else { return halves }
    let lengths = try await calendar.lengths()
    let sizes = hrefs.map { href in
      (try? calendar.url(of: href).normalized).flatMap { lengths[$0] } ?? 0
    }
    guard sizes.contains(where: { $0 > 0 }) else { return halves }
    var parts: [[Href]] = []
    var rest = 0
    for (href, size) in zip(hrefs, sizes) {
      if parts.isEmpty || size > rest {
        parts.append([])
        rest = Self.partLength
      }
      parts[parts.count - 1].append(href)
      rest -= min(size, Self.partLength)
    }
    return parts.count > 1 ? parts : halves
  }
}

extension CalDAVCalendar {
  /// The lengths of items by normalized URL, as far as the server provides them (RFC 4918 §15.4).
  func lengths() async throws -> [String: Int] {
    if let known = memory.lengths { return known }
    var lengths: [String: Int] = [:]
    do {
      let response = try await session.propfind(
        [.dav("getcontentlength")], of: collection, depth: 1)
      try DAVSession.responses(of: response) { item in
        guard let text = item.properties[.dav("getcontentlength")]?.trimmedText,
          let length = Int(text), length > 0,
          let address = try? response.url.resolvingPath(item.href)
        else { return }
        lengths[address.normalized] = length
      }
    } catch is RemoteError {
      // Without lengths, batches are halved.
      lengths = [:]
    }
    memory.lengths = lengths
    return lengths
  }
}
