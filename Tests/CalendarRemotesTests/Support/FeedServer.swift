// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

/// A feed on a server without a network, and a sync of it with a local calendar.
final class FeedServer: HTTPTransport {
  struct State {
    var status = 200
    var body: [UInt8] = []
    var headers: HTTPHeaders = [:]
    /// Makes the lines of the calendar for each request anew, given how many came.
    var make: (@Sendable (Int) -> [String])?
    /// Where each address has moved for good.
    var moved: [String: String] = [:]
    /// The addresses that there is nothing at.
    var gone: Set<String> = []
    var requests: [HTTPRequest] = []
    /// The clock, at first 2026-11-21T09:00:00Z.
    var now: Int64 = 1_795_251_600
  }

  static let address = "https://cal.example.org/private-s3cret/feed.ics"

  let state = Mutex(State())
  let local = MemoryLocalCalendar()
  let ledger = MemoryLedger()

  /// Publishes a calendar of these lines.
  func publish(_ lines: [String], headers: HTTPHeaders = [:]) {
    publish(raw: String(decoding: Self.bytes(lines), as: UTF8.self), headers: headers)
  }

  private static func bytes(_ lines: [String]) -> [UInt8] {
    let all = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + lines + ["END:VCALENDAR"]
    return Array(all.map { $0 + "\r\n" }.joined().utf8)
  }

  func publish(raw text: String, status: Int = 200, headers: HTTPHeaders = [:]) {
    publish(bytes: Array(text.utf8), status: status, headers: headers)
  }

  func publish(bytes: [UInt8], status: Int = 200, headers: HTTPHeaders = [:]) {
    state.withLock { state in
      state.status = status
      state.body = bytes
      state.headers = headers
    }
  }

  /// An event as lines; no UID if it is nil.
  static func event(
    _ uid: String?, _ summary: String, day: Int = 1, extra: [String] = [],
    stamp: String = "20260101T000000Z"
  ) -> [String] {
    let start = "DTSTART:202603\(day < 10 ? "0" : "")\(day)T090000Z"
    return ["BEGIN:VEVENT"] + (uid.map { ["UID:\($0)"] } ?? []) + ["DTSTAMP:\(stamp)", start]
      + ["SUMMARY:\(summary)"] + extra + ["END:VEVENT"]
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try state.withLock { state in
      state.requests.append(request)
      var url = request.url
      var permanent: RemoteURL?
      while let next = state.moved[url.description] {
        url = try RemoteURL(parsingFeed: next)
        permanent = url
      }
      if state.gone.contains(url.description) { return HTTPResponse(status: 404, url: url) }
      let tag = state.headers["ETag"]
      if let tag, request.headers["If-None-Match"] == tag {
        return HTTPResponse(status: 304, url: url, permanentURL: permanent)
      }
      if let make = state.make { state.body = Self.bytes(make(state.requests.count)) }
      return HTTPResponse(
        status: state.status, headers: state.headers, body: state.body, url: url,
        permanentURL: permanent)
    }
  }

  /// Takes the requests that came since the last call.
  func takeRequests() -> [HTTPRequest] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  func wait(seconds: Int64) { state.withLock { $0.now += seconds } }

  var now: Instant { Instant(secondsSinceEpoch: state.withLock { $0.now }) }

  func remote(_ address: String = address, credentials: Credentials? = nil) throws -> WebcalRemote {
    WebcalRemote(
      address: try RemoteURL(parsingFeed: address), credentials: credentials, transport: self,
      now: { self.now },
      charsets: { bytes, charset in
        switch charset?.lowercased() {
        case "iso-8859-1":
          var text = ""
          for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
          return Array(text.utf8)
        case "utf-16le":
          let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
          }
          return Array(String(decoding: units, as: UTF16.self).utf8)
        default: return nil
        }
      })
  }

  /// What a run did, and what it told.
  struct Outcome {
    var summary: RunSummary
    var told: [String]
  }

  func sync(
    allowing deletions: Int = 0, credentials: Credentials? = nil, isVerifying: Bool = false,
    direction: SyncDirection = .both
  ) async throws -> Outcome {
    let told = Mutex<[String]>([])
    var options = SyncOptions()
    options.isVerifying = isVerifying
    options.direction = direction
    options.safeguards.allowed = deletions
    let runner = SyncEngine(
      name: "feed", local: local, remote: try remote(credentials: credentials), tier: .full,
      ledger: ledger, options: options, now: { self.now },
      report: { event in
        if case .failed(let operation, .reported(let reason)) = event {
          told.withLock { $0.append("\(operation.verb) \(operation.uid): \(reason)") }
        }
      })
    let summary = try await runner.run()
    return Outcome(summary: summary, told: told.withLock { $0 })
  }

  /// The titles of the local items in order.
  var titles: [String] { local.items.values.map(\.title).sorted() }
}
