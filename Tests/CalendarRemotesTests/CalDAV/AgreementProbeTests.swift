// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Synchronization
import Testing

@Suite("A server that reaches the same token again")
struct AgreementProbeTests {
  typealias Script = CalDAVScript
  typealias Answer = ScriptedTransport.Answer

  /// A server that gives one answer to each kind of request, in whatever order they come.
  private final class Server: HTTPTransport {
    let answers: [String: Answer]
    let requestsAtOnce: Int
    private let received = Mutex<[String]>([])

    init(_ answers: [String: Answer], requestsAtOnce: Int = 4) {
      (self.answers, self.requestsAtOnce) = (answers, requestsAtOnce)
    }

    var log: [String] { received.withLock { $0.sorted() } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      let kind =
        if body.contains("sync-collection") {
          "report"
        } else if body.contains("calendar-multiget") {
          body.contains("calendar-data") ? "fetch" : "probe"
        } else if request.headers["Depth"] == "1" {
          "list"
        } else {
          request.url.description == Script.root ? "open" : "item"
        }
      received.withLock { $0.append(kind) }
      let answer = answers[kind] ?? .status(500)
      return try await ScriptedTransport(
        [.init(request.method, request.url.description, answer: answer)]
      ).send(request)
    }
  }

  private static let digest = "http://radicale.org/ns/sync/" + String(repeating: "0a1b", count: 16)
  private static let agreed = [
    RemoteEntry(href: Href("/cal/x.ics"), etag: EntityTag("\"1\"")),
    RemoteEntry(href: Href("/cal/y.ics"), etag: EntityTag("\"1\"")),
    RemoteEntry(href: Href("/cal/gone.ics"), etag: nil),
  ]

  private static func open(token: String) -> Answer {
    .multiStatus(
      Script.calendarResponse.replacing(
        "</d:prop>", with: Script.state(ctag: nil, token: token) + "</d:prop>"))
  }

  /// Opens the calendar with a probe, and asks for changes and differences.
  private static func differing(
    _ server: Server, token: String = "data:,17", name: String? = nil
  ) async throws -> [String] {
    let cursor = CalDAVChangesTests.cursor(ctag: nil, token: token)
    let probe = CursorProbe(cursor, agreed: agreed)
    let calendar = try await CalDAVRemote(
      address: try RemoteURL(parsing: Script.root), calendar: name,
      credentials: Credentials(user: "alice", password: "s3cret"), transport: server
    ).openCalendar(probing: probe)
    #expect(try await calendar.changes(since: cursor) == .none(cursor))
    #expect(calendar.cursorRecognition == .recognized)
    return try await calendar.differing(from: probe).map(\.rawValue)
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let probe: Answer
    var item = Answer.status(404)
    var requests = ["open", "probe"]
    let expected: [String]
  }

  static let cases = [
    Case(
      testDescription: "all agreed versions are there",
      probe: .multiStatus(
        Script.member("/cal/x.ics") + Script.member("/cal/y.ics")
          + Script.response("/cal/gone.ics", status: 404)), expected: []),
    Case(
      testDescription: "one has another tag",
      probe: .multiStatus(
        Script.member("/cal/x.ics", etag: "\"0\"") + Script.member("/cal/y.ics")),
      expected: ["/cal/x.ics"]),
    Case(
      testDescription: "a deleted one is back",
      probe: .multiStatus(Script.member("/cal/gone.ics")), expected: ["/cal/gone.ics"]),
    Case(
      testDescription: "one does not exist, as the server says again",
      probe: .multiStatus(Script.response("/cal/y.ics", status: 404)),
      requests: ["item", "open", "probe"], expected: ["/cal/y.ics"]),
    Case(
      testDescription: "one is not recognized in a report",
      probe: .multiStatus(Script.response("/cal/y.ics", status: 404)),
      item: .multiStatus(Script.member("/cal/y.ics")), requests: ["item", "open", "probe"],
      expected: []),
    Case(testDescription: "the server fails", probe: .status(500), expected: []),
    Case(testDescription: "the server refuses the report", probe: .status(403), expected: []),
  ]

  @Test("The versions that were agreed last are compared, in one request", arguments: cases)
  func compared(_ row: Case) async throws {
    let server = Server(
      ["open": Self.open(token: "data:,17"), "probe": row.probe, "item": row.item])
    #expect(try await Self.differing(server) == row.expected)
    #expect(server.log == row.requests)
  }

  @Test("Nothing is asked of a server whose token identifies its state")
  func identified() async throws {
    let server = Server(["open": Self.open(token: Self.digest)])
    #expect(try await Self.differing(server, token: Self.digest) == [])
    #expect(server.log == ["open"])
  }

  @Test("The request follows where only one may be in flight")
  func alone() async throws {
    let server = Server(
      ["open": Self.open(token: "data:,17"), "probe": Self.cases[1].probe], requestsAtOnce: 1)
    #expect(try await Self.differing(server) == ["/cal/x.ics"])
    #expect(server.log == ["open", "probe"])
  }

  @Test(
    "A token counts unless it ends in a digest",
    arguments: [
      ("http://sabre.io/ns/sync/123", true), ("1394553600-38", true),
      ("http://cyrusimap.org/ns/sync/0123456789abcdef0123456789abcdef-38", true),
      (String(repeating: "1", count: 40), true), (digest, false),
      ("\"\(String(repeating: "0a1b", count: 10))\"", false),
    ])
  func counters(_ token: String, _ isCounting: Bool) async throws {
    let server = Server(["open": Self.open(token: token), "probe": Self.cases[0].probe])
    _ = try await Self.differing(server, token: token)
    #expect(server.log == (isCounting ? ["open", "probe"] : ["open"]))
  }

  // MARK: Whether the server knows the cursor

  @Test("A refused token, and an empty report of another state, show that the cursor is unknown")
  func refused() async throws {
    let listing = Answer.multiStatus(Script.own + Script.member("/cal/x.ics"))
    let empty = Answer.multiStatus("<d:sync-token>t9</d:sync-token>")
    let whole = Answer.multiStatus(
      Script.member("/cal/x.ics") + "<d:sync-token>t2</d:sync-token>")
    let rows: [(Answer, String, CursorRecognition)] = [
      (.status(403), "t1", .refused), (.status(410), "t1", .refused), (empty, "t1", .refused),
      (whole, "t1", .unknown), (whole, Self.digest, .recognized),
    ]
    for (report, token, expected) in rows {
      let server = Server(["open": Self.open(token: "t2"), "report": report, "list": listing])
      let cursor = CalDAVChangesTests.cursor(ctag: nil, token: token, count: 1)
      let calendar = try await CalDAVRemote(
        address: try RemoteURL(parsing: Script.root),
        credentials: Credentials(user: "alice", password: "s3cret"), transport: server
      ).openCalendar()
      guard case .complete = try await calendar.changes(since: cursor) else {
        Issue.record("everything is listed")
        continue
      }
      #expect(calendar.cursorRecognition == expected)
    }
  }
}
