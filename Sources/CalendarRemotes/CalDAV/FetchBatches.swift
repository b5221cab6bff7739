// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// Fetches items in batches, and in smaller ones where a batch is more than a server or a limit takes.
///
///     batch ── too large, too slow, status 500 ──► parts of the batch ──► … ──► one item
///                                                                              │ the same
///                                                                              ▼
///                                                                   unreadable alone, by name
struct FetchBatches {
  /// Why a batch did not come, where a smaller one may.
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

  /// How many items are asked for at once: servers answer so many within about a tenth of a second, and
  /// each report more costs a third of a millisecond here.
  private static let most = 100
  /// The bytes that the items of a part have together, as far as their lengths are known.
  private static let partLength = 16 << 20
  /// After how many batches in a row that came whole a larger one is tried.
  private static let calmLimit = 8
  /// The most answers that are waited for in vain.
  private static let timeoutLimit = 16
  /// After how many failures in a row the server is not asked any more.
  private static let failureLimit = 24

  private let calendar: CalDAVCalendar
  /// How many items the next batch has.
  private(set) var size = most
  private var calm = 0
  private var timeouts = 0
  private var failures = 0

  init(of calendar: CalDAVCalendar) {
    self.calendar = calendar
  }

  /// Fetches a batch; what one item gives never stops the others.
  ///
  /// - Throws: `RemoteError` of a server that gives none of them, or that is not there.
  mutating func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    do {
      let results = try await calendar.fetchBatch(hrefs)
      failures = 0
      calm += 1
      if calm >= Self.calmLimit { (size, calm) = (min(size * 2, Self.most), 0) }
      return results
    } catch let error as RemoteError {
      guard let fault = Fault(error), hrefs.count > 1 || fault != .server else { throw error }
      let results = try await fetch(hrefs, after: fault, error)
      let isAnswered = results.contains { if case .unreadable = $0 { false } else { true } }
      guard isAnswered || fault != .server else { throw error }
      return results
    }
  }

  /// Fetches in parts what did not come as a whole.
  private mutating func fetch(
    _ hrefs: [Href], after fault: Fault, _ error: RemoteError
  ) async throws -> [RemoteFetch] {
    calm = 0
    try await look(after: fault, error)
    if hrefs.count == 1 { return [try await alone(hrefs[0], fault, error)] }
    guard timeouts < Self.timeoutLimit else {
      return hrefs.map { .unreadable(href: $0, reason: error.message) }
    }
    size = min(size, max(1, hrefs.count / 2))
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

  /// The item of a request that asked for nothing else.
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

  /// Counts a fault, and finds out whether the server is there at all.
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

  /// Two halves, or where lengths are known parts that are not too long.
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
  /// How long the items are that the server names a length of (RFC 4918 §15.4), by normalized address.
  func lengths() async throws -> [String: Int] {
    if let known = memory.lengths { return known }
    var lengths: [String: Int] = [:]
    do {
      let response = try await session.propfind(
        [.dav("getcontentlength")], of: collection, depth: 1)
      try DAVSession.responses(of: response) { item in
        guard let text = item.properties[.dav("getcontentlength")]?.trimmedText,
          let length = Int(text), length > 0, let address = try? response.url.resolving(item.href)
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
