// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import EpactServe
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

/// A home folder with calendars, and the pages over it, on 1 December 2026 at 10:00 in Berlin.
///
/// Requests are handed to the router as the server hands them to it. The client of HummingbirdTesting
/// has one host for all requests, and the host is what has to be tested.
struct PageScene {
  static let key = String(repeating: "0123456789abcdef", count: 4)
  static let port = 8338
  static let host = "127.0.0.1:8338"
  static let now = instant("20261201T090000Z")
  static let configuration = """
    default-calendar = "private"

    [calendar.family]
    path = "~/calendars/family"

    [calendar.private]
    path = "~/calendars/private"

    [calendar.tasks]
    components = ["VTODO"]
    path = "~/calendars/tasks"

    [calendar.holidays]
    path = "~/calendars/holidays"

    [remote.holidays]
    kind = "webcal"
    url = "webcal://cal.example.org/holidays.ics"

    [[sync]]
    name = "holidays"
    calendar = "holidays"
    remote = "holidays"

    """

  let folder: TemporaryFolder
  let clock: PageClock
  let machine: Machine
  let library: CalendarLibrary
  /// All that was logged.
  let logs: RecordedLogs
  private var responder: RouterResponder<PageContext>

  /// Makes a scene with four calendars without items.
  ///
  /// - Parameters:
  ///   - locale: The locale of dates.
  ///   - change: Changes the options of the server.
  /// - Throws: An error of the file system or of a template.
  init(
    locale: String = "en_GB", _ change: (inout PageServer.Options) -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    let clock = PageClock()
    var machine = Machine.live()
    machine.environment = [
      "PATH": folder.path(of: "bin") + ":" + (machine.environment["PATH"] ?? ""), "LC_ALL": locale,
    ]
    (machine.homeFolder, machine.currentFolder) = (folder.path, folder.path)
    machine.policyPaths = []
    machine.userName = { "ada" }
    machine.localZone = "Europe/Berlin"
    machine.now = { clock.now }
    machine.stopwatch = { clock.seconds }
    let logs = RecordedLogs()
    machine.note = { logs.add($0) }
    for name in ["family", "private", "tasks", "holidays"] {
      try folder.makeFolder("calendars/\(name)")
    }
    try folder.makeFolder(".config/epact")
    try folder.write(Self.configuration.utf8, to: ".config/epact/config.toml")
    try self.init(folder, clock, logs, machine, change)
  }

  /// Another server over the calendars and the state of a scene.
  init(over scene: PageScene, _ change: (inout PageServer.Options) -> Void) throws {
    try self.init(scene.folder, scene.clock, scene.logs, scene.machine, change)
  }

  private init(
    _ folder: TemporaryFolder, _ clock: PageClock, _ logs: RecordedLogs, _ machine: Machine,
    _ change: (inout PageServer.Options) -> Void
  ) throws {
    (self.folder, self.clock, self.logs, self.machine) = (folder, clock, logs, machine)
    library = CalendarLibrary(machine: machine)
    var options = PageServer.Options()
    (options.port, options.key) = (Self.port, Self.key)
    change(&options)
    let server = try PageServer(library: library, machine: machine, options: options)
    responder = server.router(port: ServerPort(Self.port)).buildResponder()
  }

  /// The scene with the routes of another server over its folders.
  func serving(_ router: Router<PageContext>) -> PageScene {
    var scene = self
    scene.responder = router.buildResponder()
    return scene
  }

  /// An instant from its form in UTC, such as `20261201T090000Z`.
  static func instant(_ text: String) -> Instant {
    let digits = text.compactMap(\.wholeNumberValue)
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    guard
      let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    else { preconditionFailure("no date: \(text)") }
    let seconds = number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)
    let days = date.dayNumber - (CivilDate(year: 1970, month: 1, day: 1)?.dayNumber ?? 0)
    return Instant(secondsSinceEpoch: Int64(days * 86_400 + seconds))
  }

  /// Writes an event as another program would.
  ///
  /// - Parameters:
  ///   - uid: The UID, which is also the name of the file.
  ///   - calendar: The folder.
  ///   - lines: The content lines; lines without a time begin today at noon.
  /// - Throws: An error of the file system.
  func add(_ uid: String, to calendar: String = "private", _ lines: String...) throws {
    let kind = calendar == "tasks" ? "VTODO" : "VEVENT"
    let isTimed = lines.contains { $0.hasPrefix("DTSTART") } || kind == "VTODO"
    let times = isTimed ? [] : ["DTSTART:20261201T110000Z", "DURATION:PT1H"]
    try folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:\(kind)",
        "UID:\(uid)", "DTSTAMP:20261101T000000Z",
      ] + times + lines + ["END:\(kind)", "END:VCALENDAR"],
      to: "calendars/\(calendar)/\(uid).ics")
  }

  /// Adds a program to those that the server starts, as a script for `sh`.
  func addProgram(_ name: String, _ script: String) throws {
    try folder.makeFolder("bin")
    try folder.write("#!/bin/sh\n\(script)\n".utf8, to: "bin/\(name)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path(of: "bin/\(name)"))
  }

  /// The text of an item's file without line folds.
  func text(of uid: String, in calendar: String = "private") throws -> String {
    let bytes = try folder.bytes(of: "calendars/\(calendar)/\(uid).ics")
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
      .replacing("\r\n", with: "\n")
  }

  /// All items of a calendar in one text, without line folds.
  func texts(in calendar: String = "private") throws -> String {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "calendars/\(calendar)"))
      .filter { $0.hasSuffix(".ics") }.sorted()
      .map { try text(of: String($0.dropLast(4)), in: calendar) }.joined(separator: "\n")
  }

  /// A calendar by its name.
  func calendar(_ name: String) throws -> CalendarInfo {
    try #require(try library.calendars().first { $0.name == name })
  }

  /// Sends a request, and returns the complete response.
  func send(
    _ method: HTTPRequest.Method, _ path: String, host: String? = host,
    _ headers: HTTPFields = [:], body: [UInt8]? = nil
  ) async throws -> Answer {
    let head = HTTPRequest(
      method: method, scheme: "http", authority: host, path: path, headerFields: headers)
    let request = Request(
      head: head, body: RequestBody(buffer: ByteBuffer(bytes: body ?? [])))
    let logs = logs
    let context = PageContext(
      source: ApplicationRequestContextSource(
        channel: EmbeddedChannel(), logger: Logger(label: "pages") { _ in logs.handler }))
    let response = try await responder.respond(to: request, context: context)
    let collector = BodyCollector()
    try await response.body.write(collector)
    return Answer(
      status: response.status.code, headers: response.headers, bytes: collector.bytes)
  }

  /// Sends a GET request.
  func get(_ path: String, host: String? = host, _ headers: HTTPFields = [:]) async throws
    -> Answer
  {
    try await send(.get, path, host: host, headers)
  }

  /// A browser that is signed in by the key.
  func signIn() async throws -> Visitor {
    let answer = try await get("/?key=\(Self.key)")
    #expect(answer.status == 302 || answer.status == 303, "\(answer.text)")
    let cookie = try #require(answer.headers[.setCookie]?.split(separator: ";").first)
    var visitor = Visitor(scene: self, cookie: String(cookie), csrf: "")
    let page = try await visitor.page("/feeds")
    visitor.csrf = try #require(page.value(of: "csrf"))
    return visitor
  }
}

/// The clocks of a scene, which stand still until a test sets them.
final class PageClock: Sendable {
  private let state = Mutex((now: PageScene.now, seconds: 1000.0))

  /// The time of day.
  var now: Instant {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// The seconds of a clock that only goes forward.
  var seconds: Double {
    get { state.withLock { $0.seconds } }
    set { state.withLock { $0.seconds = newValue } }
  }
}

/// The lines of a log with all levels.
final class RecordedLogs: Sendable {
  private let state = Mutex([String]())

  /// The lines.
  var lines: [String] { state.withLock { $0 } }

  /// Adds a line.
  func add(_ line: String) { state.withLock { $0.append(line) } }

  /// A handler that adds what is logged.
  var handler: any LogHandler { Handler(logs: self) }

  private struct Handler: LogHandler {
    let logs: RecordedLogs
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      logs.add("\(event.message) \(metadata) \(event.metadata ?? [:])")
    }
  }
}

/// The complete body of a response.
final class BodyCollector: ResponseBodyWriter, Sendable {
  private let state = Mutex([UInt8]())

  /// The bytes.
  var bytes: [UInt8] { state.withLock { $0 } }

  func write(_ buffer: ByteBuffer) async throws {
    state.withLock { $0 += buffer.readableBytesView }
  }

  func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// A response.
struct Answer: Sendable {
  let status: Int
  let headers: HTTPFields
  let bytes: [UInt8]

  /// The body as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The body as a page.
  var page: HTMLPage { HTMLPage(bytes) }
}

/// A browser that is signed in.
struct Visitor: Sendable {
  let scene: PageScene
  /// The cookie with its name.
  let cookie: String
  /// The token of its forms.
  var csrf: String

  /// Gets an address with the cookie.
  func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> Answer {
    var headers = headers
    headers[.cookie] = cookie
    return try await scene.get(path, headers)
  }

  /// A page, which has no error in its HTML.
  func page(_ path: String, status: Int = 200) async throws -> HTMLPage {
    let answer = try await get(path)
    #expect(answer.status == status, "\(path): \(answer.text.prefix(2000))")
    let page = answer.page
    #expect(page.problems == [], "\(path)")
    return page
  }

  /// Sends a form with its token.
  func post(
    _ path: String, _ form: KeyValuePairs<String, String>, _ headers: HTTPFields = [:],
    csrf: String? = nil
  ) async throws -> Answer {
    var fields = form.map { ($0.key, $0.value) }
    fields.append(("csrf", csrf ?? self.csrf))
    let body = fields.map { "\(FormText.escaped($0))=\(FormText.escaped($1))" }
      .joined(separator: "&")
    var headers = headers
    headers[.cookie] = cookie
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await scene.send(.post, path, headers, body: Array(body.utf8))
  }

  /// Sends a form, and follows it to the page that says what it did.
  func submit(
    _ path: String, _ form: KeyValuePairs<String, String>
  ) async throws -> HTMLPage {
    let answer = try await post(path, form)
    #expect(answer.status == 303 || answer.status == 302, "\(path): \(answer.text.prefix(2000))")
    return try await page(answer.headers[.location] ?? "")
  }
}

/// Values of a form in a body.
enum FormText {
  /// The text with all bytes escaped but letters and digits.
  static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      if byte < 128, Character(scalar).isLetter || Character(scalar).isNumber {
        return String(Character(scalar))
      }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
