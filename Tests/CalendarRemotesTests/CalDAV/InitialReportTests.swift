// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Synchronization
import Testing

@Suite("The first run of a sync with a server")
struct InitialReportTests {
  typealias Script = CalDAVScript
  typealias Answer = ScriptedTransport.Answer

  /// A server that gives one answer to each kind of request, in whatever order they come.
  private final class Server: HTTPTransport {
    let answers: [String: Answer]
    let requestsAtOnce: Int
    private let received = Mutex<[(kind: String, body: String)]>([])

    init(_ answers: [String: Answer], requestsAtOnce: Int = 4) {
      (self.answers, self.requestsAtOnce) = (answers, requestsAtOnce)
    }

    /// The kinds of requests that came, sorted, and the bodies of some.
    var log: [String] { received.withLock { $0.map(\.kind).sorted() } }

    func bodies(_ kind: String) -> [String] {
      received.withLock { $0.filter { $0.kind == kind }.map(\.body) }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      let kind = Self.kind(request, body)
      received.withLock { $0.append((kind, body)) }
      // The answer to a report comes after that to the opening, which was sent before.
      if kind == "report" { for _ in 0..<50 { await Task.yield() } }
      let answer = answers[kind] ?? .status(404)
      return try await ScriptedTransport(
        [.init(request.method, request.url.description, answer: answer)]
      ).send(request)
    }

    private static func kind(_ request: HTTPRequest, _ body: String) -> String {
      if body.contains("sync-collection") { return "report" }
      if request.headers["Depth"] == "1" { return "list" }
      return body.contains("resourcetype") ? "open" : "state"
    }
  }

  private static func open(_ state: String = Script.state(ctag: "c2", token: nil)) -> Answer {
    .multiStatus(Script.calendarResponse.replacing("</d:prop>", with: state + "</d:prop>"))
  }

  private static func report(_ responses: String, token: String? = "t2") -> Answer {
    .multiStatus(responses + (token.map { "<d:sync-token>\($0)</d:sync-token>" } ?? ""))
  }

  private static let members = Script.member("/cal/x.ics") + Script.member("/cal/y.ics")

  /// The answers of a server whose report is this one.
  private static func answers(_ report: Answer) -> [String: Answer] {
    [
      "open": open(), "report": report, "list": .multiStatus(Script.own + members),
      "state": .multiStatus(Script.response("/cal/", Script.state(ctag: "c2", token: "t2"))),
    ]
  }

  /// The answers to an opening request that also asks for the token.
  private static var oldAnswers: [String: Answer] {
    answers(report(members)).merging(["open": open(Script.state(ctag: "c2", token: "t2"))]) { $1 }
  }

  private static func calendar(
    _ server: Server, name: String? = nil
  ) async throws -> any RemoteCalendar {
    try await CalDAVRemote(
      address: try RemoteURL(parsing: Script.root), calendar: name,
      credentials: Credentials(user: "alice", password: "s3cret"), transport: server
    ).openNewCalendar()
  }

  /// What a run is told, with the cursor confirmed as a run does it.
  private static func told(_ calendar: any RemoteCalendar) async throws -> String {
    let changes = try await calendar.changes(since: nil)
    guard case .complete(let entries, let next?) = changes else { return "\(changes)" }
    let lines = entries.map { "\($0.href) \($0.etag?.quoted ?? "-")" }.joined(separator: ", ")
    let cursor = await calendar.confirm(next)?.rawValue.split(separator: "\n").dropFirst(2) ?? []
    return "\(lines) then \(cursor.joined(separator: " "))"
  }

  private static let all = "/cal/x.ics \"1\", /cal/y.ics \"1\" then count=2 ctag=c2 token=t2"

  @Test func `Opening and a report are all that is asked`() async throws {
    let server = Server(Self.answers(Self.report(Self.members)))
    #expect(try await Self.told(Self.calendar(server)) == Self.all)
    #expect(server.log == ["open", "report"])
    #expect(server.bodies("open").allSatisfy { !$0.contains("sync-token") })
    #expect(server.bodies("report").allSatisfy { $0.contains("<d:sync-token></d:sync-token>") })
  }

  @Test(arguments: ["t2", "t3"])
  func `The next run asks for the changes since the token of the report`(
    _ token: String
  ) async throws {
    var answers = Self.answers(Self.report(Self.members))
    answers["state"] = .multiStatus(
      Script.response("/cal/", Script.state(ctag: "c2", token: token)))
    let server = Server(answers)
    let calendar = try await Self.calendar(server)
    guard case .complete(_, let cursor?) = try await calendar.changes(since: nil) else {
      Issue.record("nothing is listed")
      return
    }
    let next = try await calendar.changes(since: cursor)
    if token == "t2" {
      #expect(next == .none(cursor))
      #expect(server.log == ["open", "report", "state"])
    } else {
      let asked = server.bodies("report").last ?? ""
      #expect(asked.contains("<d:sync-token>t2</d:sync-token>"))
    }
  }

  @Test func `A server without a tag`() async throws {
    var answers = Self.answers(Self.report(Self.members))
    answers["open"] = Self.open("")
    let told = try await Self.told(Self.calendar(Server(answers)))
    #expect(told == Self.all.replacing(" ctag=c2", with: ""))
  }

  /// Radicale and Nextcloud report what was deleted long ago.
  @Test func `Items that are gone are none, and one with an error is fetched`() async throws {
    let report = Self.report(
      Script.response("/cal/gone.ics", status: 404) + Script.response("/cal/z.ics", status: 500)
        + Self.members + Script.response("/other/z.ics", "<d:getetag>\"1\"</d:getetag>"))
    let told = try await Self.told(Self.calendar(Server(Self.answers(report))))
    #expect(
      told == "/cal/z.ics -, " + Self.all.replacing("count=2", with: "count=3"))
  }

  static let doubtful: [(String, Answer)] =
    [400, 403, 404, 405, 409, 412, 415, 422, 500, 501, 502, 507].map {
      ("status \($0)", .status($0))
    } + [
      ("a page of several", report(members + Script.response("/cal/", status: 507))),
      ("an error of the calendar", report(members + Script.response("/cal/", status: 403))),
      ("no token", report(members, token: nil)), ("a web page", .status(200, body: "<html>")),
      ("half an answer", .status(207, body: "<d:multistatus xmlns:d=\"DAV:\"><d:resp")),
      ("no items, though there are some", report("")),
      ("items of the past alone", report(Script.response("/cal/x.ics", status: 404))),
      ("another address", .moved(to: "https://h/other/", report(members))),
      ("no answer", .failure(.timeout)),
    ]

  @Test(arguments: doubtful)
  func `A report that is refused or doubtful is replaced by a listing`(
    _ description: String, _ report: Answer
  ) async throws {
    let server = Server(Self.answers(report))
    let calendar = try await Self.calendar(server)
    #expect(try await Self.told(calendar) == Self.all)
    let lists = description.hasPrefix("no items") || description.hasPrefix("items") ? 2 : 1
    #expect(
      server.log == Array(repeating: "list", count: lists) + ["open", "report", "state", "state"])
    #expect(try await calendar.isWhole([]))
    #expect(server.log.count(where: { $0 == "list" }) == lists)
  }

  @Test func `A server that stops in the middle of a report is not asked for a listing`()
    async throws
  {
    let server = Server(Self.answers(.stalled))
    let calendar = try await Self.calendar(server)
    let error = await #expect(throws: RemoteError.self) { try await Self.told(calendar) }
    #expect(error?.message == "the server sent nothing")
    #expect(server.log == ["open", "report"])
  }

  @Test func `SOGo counts in seconds, and is asked in the old way`() async throws {
    var answers = Self.answers(Self.report(Self.members))
    answers["open"] = .multiStatus(Script.calendarResponse, fields: ["Server": "SOPE/4.9"])
    let server = Server(answers)
    #expect(try await Self.told(Self.calendar(server)).hasPrefix("/cal/x.ics \"1\", /cal/y.ics"))
    // The report is cancelled, perhaps before it was sent.
    #expect(server.log.filter { $0 != "report" } == ["list", "open", "state", "state"])
  }

  @Test func `A calendar that is empty is seen to be`() async throws {
    var answers = Self.answers(Self.report(""))
    answers["list"] = .multiStatus(Script.own)
    let server = Server(answers)
    #expect(try await Self.told(Self.calendar(server)) == " then count=0 ctag=c2 token=t2")
    #expect(server.log == ["list", "open", "report"])
  }

  @Test func `A listing shows whether the report was whole`() async throws {
    var answers = Self.answers(Self.report(Self.members))
    answers["list"] = .multiStatus(
      Script.own + Script.member("https://h/cal/%78.ics") + Script.member("/cal/y.ics"))
    let calendar = try await Self.calendar(Server(answers))
    guard case .complete(let entries, _) = try await calendar.changes(since: nil) else {
      Issue.record("nothing is listed")
      return
    }
    #expect(try await calendar.isWhole(entries))
    #expect(try await !calendar.isWhole(Array(entries.dropFirst())))
  }

  @Test func `With one request at a time nothing is asked in advance`() async throws {
    let server = Server(Self.oldAnswers, requestsAtOnce: 1)
    let calendar = try await Self.calendar(server)
    #expect(try await Self.told(calendar) == Self.all)
    #expect(server.log == ["list", "open", "state"])
  }

  @Test func `The address of an account is not asked for a report`() async throws {
    let server = Server(Self.oldAnswers)
    let calendar = try await Self.calendar(server, name: "Work")
    #expect(try await Self.told(calendar) == Self.all)
    #expect(server.log == ["list", "open", "state"])
  }

  /// Some servers block a client after a few failures.
  @Test func `A wrong password is sent twice at most`() async throws {
    let server = Server(["open": .status(401), "report": .status(401), "list": .status(401)])
    let error = await #expect(throws: RemoteError.self) { try await Self.calendar(server) }
    #expect(error?.code == .credentials)
    #expect(server.log == ["open"] || server.log == ["open", "report"])
  }

  @Test func `An error of the opening is that of the run`() async throws {
    var answers = Self.answers(Self.report(Self.members))
    answers["open"] = .status(404)
    let server = Server(answers)
    let error = await #expect(throws: RemoteError.self) { try await Self.calendar(server) }
    #expect(error?.code == .notFound)
    // The report is cancelled, perhaps before it was sent.
    #expect(server.log.filter { $0 != "report" } == ["open"])
  }
}
