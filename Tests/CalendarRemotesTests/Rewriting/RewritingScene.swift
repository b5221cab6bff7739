// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import ICalSyntax
import Synchronization
import TestSupport
import Testing

/// A local calendar with one rich event, and a server that rewrites what it is sent.
final class RewritingScene: Sendable {
  private let store: Mutex<DAVStore>
  private let server = Mutex<LoopbackServer?>(nil)
  private let local = MemoryLocalCalendar()
  private let ledger = MemoryLedger()
  private let found = Mutex<[RemoteLoss]>([])

  static let uid = "rich"
  static let event = [
    "UID:rich", "DTSTAMP:20260102T030405Z", "DTSTART:20260302T090000Z", "DURATION:PT1H",
    "RRULE:FREQ=WEEKLY;COUNT=10;BYDAY=MO", "SUMMARY:Before", "CATEGORIES:Work,Plan",
    "LOCATION;X-ROOM=\"5\":Mill", "x-lower:kept", "X-KEPT;X-P=\"a;b\":as it is", "COLOR:tomato",
    "ATTENDEE;CN=Jim:mailto:jim@example.org",
    "DESCRIPTION:Käthe brings the papers\\, the plan and what else there is for the meeting",
    "BEGIN:VALARM", "UID:alarm@x", "ACTION:DISPLAY", "DESCRIPTION:Soon", "TRIGGER:-PT5M",
    "END:VALARM", "BEGIN:PARTICIPANT", "UID:participant@x", "PARTICIPANT-TYPE:SPEAKER",
    "SUMMARY:Jim", "END:PARTICIPANT",
  ]

  init(_ habit: ServerHabit, hasTokens: Bool, hasTagAfterWrite: Bool = true) throws {
    var store = DAVStore(hasTokens: hasTokens)
    store.style.hasTagAfterWrite = hasTagAfterWrite
    store.keeps = habit.stored
    self.store = Mutex(store)
    let server = try LoopbackServer { [unowned self] request in
      self.store.withLock { $0.reply(to: request).steps }
    }
    self.server.withLock { $0 = server }
  }

  func stop() { server.withLock { $0?.stop() } }

  /// How many items were sent.
  var uploads: Int {
    server.withLock { $0?.requests ?? [] }.count { $0.method == "PUT" }
  }

  /// The losses that were reported since the last call, by component and property.
  func takeLosses() -> Set<String> {
    found.withLock { losses in
      defer { losses = [] }
      return Set(losses.map { "\($0.component) \($0.property)" })
    }
  }

  /// The local bytes.
  var bytes: [UInt8] { here?.serialized() ?? [] }

  // MARK: What people do

  /// Writes the local event with other lines, of which the first word tells what they replace.
  func writeHere(_ changes: [String: String] = [:]) {
    let known = bytes.isEmpty ? Self.text(Self.event) : String(decoding: bytes, as: UTF8.self)
    local.write(TestItem.parse(Self.text(known, changes)))
  }

  /// Edits what the server holds, as another client does.
  func writeThere(_ changes: [String: String]) {
    store.withLock { $0.write(Self.uid, Self.text($0.contents[Self.uid] ?? "", changes)) }
  }

  private static func text(_ event: [String]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Test//EN", "BEGIN:VEVENT"] + event
      + ["END:VEVENT", "END:VCALENDAR"]).map { $0 + "\r\n" }.joined()
  }

  /// The text with the first line of each name replaced; one that is not there is added.
  ///
  /// A DURATION takes the place of an end that a server wrote for it.
  private static func text(_ text: String, _ changes: [String: String]) -> String {
    var lines = text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    for (name, line) in changes.sorted(by: { $0.key < $1.key }) {
      let isThere = lines.contains { $0.uppercased().hasPrefix(name) }
      let name = name == "DURATION" && !isThere ? "DTEND" : name
      if let place = lines.firstIndex(where: { $0.uppercased().hasPrefix(name) }) {
        lines[place] = line
      } else {
        let end = lines.firstIndex {
          ["BEGIN:VALARM", "BEGIN:PARTICIPANT", "END:VEVENT"].contains($0)
        }
        lines.insert(line, at: end ?? lines.endIndex)
      }
    }
    return lines.filter { !$0.isEmpty }.map { $0 + "\r\n" }.joined()
  }

  // MARK: What is there

  /// The local event.
  var here: CalendarItem? { local.items[Self.uid] }

  /// What the event on the server says, line by line.
  var there: Set<String> {
    let text = store.withLock { $0.contents[Self.uid] ?? "" }
    let item = try? CalendarItem(parsing: Array(text.utf8))
    return Set(item?.main?.contentLines ?? [])
  }

  /// How many hours the event takes on the server, however that is written.
  var hoursThere: Int? {
    (1...3).first { hours in
      !there.isDisjoint(with: ["DURATION:PT\(hours)H", "DTEND:20260302T1\(hours - 1)0000Z"])
    }
  }

  /// What the event was at first, with some lines replaced.
  static func item(_ changes: [String: String]) -> CalendarItem {
    TestItem.parse(text(text(event), changes))
  }

  /// Runs the sync once.
  @discardableResult
  func sync(isVerifying: Bool = false) async throws -> RunSummary {
    var options = SyncOptions()
    options.isVerifying = isVerifying
    let port = server.withLock { $0?.port } ?? 0
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: "http://127.0.0.1:\(port)/cal/"),
      credentials: Credentials(user: "ada", password: "secret"),
      transport: try NetworkTransport(userAgent: "epact-tests/1"))
    return try await SyncEngine(
      name: "rich", local: local, remote: remote, tier: .full, ledger: ledger, options: options,
      now: { Instant(secondsSinceEpoch: 1_795_251_600) },
      report: { event in
        if case .lost(let loss) = event { self.found.withLock { $0.append(loss) } }
      }
    ).run()
  }

  /// Expects that runs change nothing any more, whether they look at dates or at contents.
  func expectRest(
    _ words: String, conflicts: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (bytes, there, uploads) = (bytes, there, uploads)
    for isVerifying in [false, true, false] {
      let summary = try await sync(isVerifying: isVerifying)
      #expect(summary.conflicts == conflicts, "\(words)", sourceLocation: sourceLocation)
      #expect(self.uploads == uploads, "\(words): sent again", sourceLocation: sourceLocation)
      #expect(self.bytes == bytes, "\(words): changed here", sourceLocation: sourceLocation)
      #expect(self.there == there, "\(words): changed there", sourceLocation: sourceLocation)
    }
  }
}
