// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

@Suite("The planner")
struct PlannerTests {
  /// One item: what each side holds, what is remembered, and what is planned.
  ///
  /// A side is a summary, `nil` if it is without the item, `"?"` if it cannot be read. The tag of
  /// the remote is its summary, unless `tag` says otherwise.
  struct Case: CustomTestStringConvertible {
    let why: String
    let local: String?
    let remote: String?
    var base: String?
    var tag: String?
    var intents: [(action: Intent.Action, summary: String?)] = []
    var hasConflict = false
    let verb: String
    var testDescription: String { why }

    init(
      _ why: String, local: String?, remote: String?, base: String? = nil, tag: String? = nil,
      intents: [(action: Intent.Action, summary: String?)] = [], hasConflict: Bool = false,
      _ verb: String
    ) {
      self.why = why
      self.local = local
      self.remote = remote
      self.base = base
      self.tag = tag
      self.intents = intents
      self.hasConflict = hasConflict
      self.verb = verb
    }
  }

  static let known = [
    Case("nothing changed", local: "1", remote: "1", base: "1", "nothing"),
    Case("only the tag changed", local: "1", remote: "1", base: "1", tag: "new", "record"),
    Case("changed here", local: "2", remote: "1", base: "1", "update-remote"),
    Case("changed there", local: "1", remote: "2", base: "1", "update-local"),
    Case("changed on both sides alike", local: "2", remote: "2", base: "1", "record"),
    Case("changed on both sides", local: "2", remote: "3", base: "1", "conflict"),
    Case("deleted here", local: nil, remote: "1", base: "1", "delete-remote"),
    Case("deleted there", local: "1", remote: nil, base: "1", "delete-local"),
    Case("deleted on both sides", local: nil, remote: nil, base: "1", "forget"),
    Case("deleted here, changed there", local: nil, remote: "2", base: "1", "create-local"),
    Case("changed here, deleted there", local: "2", remote: nil, base: "1", "create-remote"),
    Case("unreadable here", local: "?", remote: "1", base: "1", "skip"),
    Case("unreadable here, deleted there", local: "?", remote: nil, base: "1", "skip"),
    Case("unreadable there", local: "1", remote: "?", base: "1", "skip"),
    Case("unreadable there, deleted here", local: nil, remote: "?", base: "1", "skip"),
    Case("unreadable there, changed here", local: "2", remote: "?", base: "1", "skip"),
    Case("withheld there", local: "1", remote: "!", base: "1", "skip"),
    Case("left out of the answer", local: "1", remote: "-", base: "1", "skip"),
    Case("changed here, no tag", local: "2", remote: "1", base: "1", tag: "", "skip"),
    Case("deleted here, no tag", local: nil, remote: "1", base: "1", tag: "", "skip"),
    Case("deleted here, weak tag", local: nil, remote: "1", base: "1", tag: "W/1", "delete-remote"),
  ]

  static let new = [
    Case("new here", local: "1", remote: nil, "create-remote"),
    Case("new there", local: nil, remote: "1", "create-local"),
    Case("new on both sides alike", local: "1", remote: "1", "record"),
    Case("new on both sides", local: "1", remote: "2", "conflict"),
    Case("new there and unreadable", local: nil, remote: "?", "nothing"),
    Case("new here and unreadable", local: "?", remote: nil, "nothing"),
  ]

  static let cutOff = [
    Case(
      "an upload got through", local: "1", remote: "1", intents: [(.createRemote, "1")], "record"),
    Case(
      "an upload got through, changed here since", local: "2", remote: "1",
      intents: [(.createRemote, "1")], "update-remote"),
    Case(
      "an upload got through, changed there since", local: "1", remote: "2",
      intents: [(.createRemote, "1")], "update-local"),
    Case(
      "an upload got through, deleted here since", local: nil, remote: "1",
      intents: [(.createRemote, "1")], "delete-remote"),
    Case(
      "an upload got through, unreadable here since", local: "?", remote: "1",
      intents: [(.createRemote, "1")], "skip"),
    Case(
      "an upload was never sent", local: "1", remote: nil, intents: [(.createRemote, "1")],
      "create-remote"),
    Case(
      "an upload was never sent, deleted here since", local: nil, remote: nil,
      intents: [(.createRemote, "1")], "forget"),
    Case(
      "a change got through", local: "2", remote: "2", base: "1", intents: [(.updateRemote, "2")],
      "record"),
    Case(
      "a change got through, another here since", local: "3", remote: "2", base: "1",
      intents: [(.updateRemote, "2")], "update-remote"),
    Case(
      "a change got through, deleted here since", local: nil, remote: "2", base: "1",
      intents: [(.updateRemote, "2")], "delete-remote"),
    Case(
      "a change was never sent", local: "2", remote: "1", base: "1",
      intents: [(.updateRemote, "2")], "update-remote"),
    Case(
      "the first of two changes got through", local: "3", remote: "2", base: "1",
      intents: [(.updateRemote, "2"), (.updateRemote, "3")], "update-remote"),
    Case(
      "a deletion got through", local: nil, remote: nil, base: "1",
      intents: [(.deleteRemote, nil)], "forget"),
    Case(
      "a deletion got through, put back here since", local: "1", remote: nil, base: "1",
      intents: [(.deleteRemote, nil)], "create-remote"),
    Case(
      "a deletion was never sent, put back here since", local: "1", remote: "1", base: "1",
      intents: [(.deleteRemote, nil)], "record"),
    Case(
      "a deletion is uncertain", local: "1", remote: "?", base: "1",
      intents: [(.deleteRemote, nil)], "skip"),
    Case(
      "a local deletion was made, put back there since", local: nil, remote: "1", base: "1",
      intents: [(.deleteLocal, nil)], "create-local"),
    Case(
      "a local deletion is uncertain", local: "?", remote: "1", base: "1",
      intents: [(.deleteLocal, nil)], "skip"),
    Case(
      "a download was made", local: "1", remote: "1", intents: [(.createLocal, "1")], "record"),
    Case(
      "a download was made, changed here since", local: "2", remote: "1",
      intents: [(.createLocal, "1")], "conflict"),
    Case(
      "a download was made, deleted there since", local: "1", remote: nil,
      intents: [(.createLocal, "1")], "delete-local"),
    Case(
      "a download was made, unreadable there since", local: "1", remote: "?",
      intents: [(.createLocal, "1")], "skip"),
    Case(
      "a download was not made", local: nil, remote: "1", intents: [(.createLocal, "1")],
      "create-local"),
    Case(
      "an add under write-only access got through", local: "2", remote: "1",
      intents: [(.append, "1")], "update-remote"),
  ]

  static let conflicts = [
    Case("waits", local: "2", remote: "3", base: "1", hasConflict: true, "conflict"),
    Case(
      "the other's was taken here", local: "3", remote: "3", base: "1", hasConflict: true, "record"),
    Case("both are as before", local: "1", remote: "1", base: "1", hasConflict: true, "record"),
    Case("taken back here", local: "1", remote: "3", base: "1", hasConflict: true, "update-local"),
    Case(
      "taken back there", local: "2", remote: "1", base: "1", hasConflict: true, "update-remote"),
    Case("deleted here", local: nil, remote: "3", base: "1", hasConflict: true, "create-local"),
    Case("deleted there", local: "2", remote: nil, base: "1", hasConflict: true, "create-remote"),
    Case("deleted on both sides", local: nil, remote: nil, hasConflict: true, "forget"),
    Case("unreadable there", local: "2", remote: "?", base: "1", hasConflict: true, "skip"),
  ]

  @Test("Each item has its verb", arguments: [known, new, cutOff].joined())
  func verbs(_ row: Case) async throws {
    #expect(try await Self.plan(row).verb == row.verb)
  }

  @Test("Of an item with a waiting conflict, too", arguments: conflicts)
  func waiting(_ row: Case) async throws {
    let planned = try await Self.plan(row)
    #expect(planned.verb == row.verb)
    #expect(planned.plan.conflicts == (["conflict", "skip"].contains(row.verb) ? 1 : 0))
  }

  @Test("Without anything to remember, no operation deletes")
  func nothingToRemember() async throws {
    for local in [nil, "1", "2", "?"] {
      for remote in [nil, "1", "2", "?", "!", "-"] {
        let verb = try await Self.plan(Case("", local: local, remote: remote, "")).verb
        #expect(!verb.hasPrefix("delete"), "\(local ?? "nothing") and \(remote ?? "nothing")")
      }
    }
  }

  @Test("What cannot be read is reported by its name, whatever becomes of the item")
  func reports() async throws {
    let plan = try await Self.plan(Case("", local: "?", remote: "?", base: "1", "skip")).plan
    #expect(
      Set(plan.operations.map(\.reason)) == [
        .obstacle(.localFile(Self.problem)), .obstacle(.remoteItem(Self.problem)),
        .obstacle(
          .unreadable([
            UnreadablePlace(side: .local, name: "x.ics"),
            UnreadablePlace(side: .remote, name: "x.ics"),
          ])),
      ])
  }

  @Test("What a cut-off run added here, and cannot be read on the remote, is not added there again")
  func unknownWithoutBase() async throws {
    for (fetched, intent) in [("?", "1"), ("!", "1"), ("-", "1"), ("?", "2")] {
      let row = Case(
        "", local: "2", remote: fetched, base: nil, intents: [(.createLocal, intent)], "")
      #expect(try await Self.plan(row).plan.operations.filter(\.isChange) == [], "\(row)")
    }
  }

  @Test("A waiting conflict about another base does not keep the other edits from being merged")
  func otherBase() async throws {
    for (base, verb) in [("1", "conflict"), ("0", "merge")] {
      let scene = SyncScene()
      let local = TestItem.make(uid: "x", summary: "2")
      let remote = TestItem.make(uid: "x", summary: "3", location: "there")
      scene.local.write(local)
      scene.remote.write(remote, at: Self.href.rawValue, tag: EntityTag("3"))
      let conflict = StoredConflict(
        uid: UID("x"), title: "2", base: Self.item(base).serialized(), remoteBase: nil,
        local: local.serialized(), remote: remote.serialized(), href: Self.href,
        etag: EntityTag("3"))
      try await scene.remember([Self.entry("1")], conflicts: [conflict])
      #expect(try await scene.plan().operations.map(\.verb) == [verb], "\(base)")
    }
  }

  /// The plan of a run for an item.
  private static func plan(_ row: Case) async throws -> (verb: String, plan: SyncPlan) {
    let scene = SyncScene(quirks: row.tag == "" ? .noTags : [])
    switch row.local {
    case nil: break
    case "?"?: scene.local.write(broken, as: "x.ics")
    case let summary?: scene.local.write(item(summary))
    }
    switch row.remote {
    case nil: break
    case "?"?: scene.remote.write(broken, at: href.rawValue, tag: EntityTag("?"))
    case "!"?:
      scene.remote.write(item("1"), at: href.rawValue, tag: EntityTag("?"))
      scene.remote.withhold(href.rawValue)
    case "-"?:
      scene.remote.write(item("1"), at: href.rawValue, tag: EntityTag("?"))
      scene.remote.leaveOut(href.rawValue)
    case let summary?:
      scene.remote.write(item(summary), at: href.rawValue, tag: EntityTag(row.tag ?? summary))
    }
    try await scene.remember(
      row.base.map { [entry($0)] } ?? [], conflicts: row.hasConflict ? [conflict(row)] : [],
      intents: row.intents.map(intent))
    let plan = try await scene.plan()
    return (plan.operations.first { $0.uid == UID("x") }?.verb ?? "nothing", plan)
  }

  /// A file that is not a calendar.
  private static let broken = Array("broken".utf8)

  /// What the reader says of it.
  private static var problem: String {
    do {
      _ = try CalendarItem(parsing: broken)
      return ""
    } catch {
      return error.message
    }
  }

  private static let href = Href("x.ics")

  private static func item(_ summary: String) -> CalendarItem {
    TestItem.make(uid: "x", summary: summary)
  }

  private static func entry(_ base: String) -> LedgerEntry {
    let item = item(base)
    return LedgerEntry(
      uid: item.uid, localName: "x.ics", localBase: item.fingerprint, href: href,
      etag: EntityTag(base), remoteBase: item.fingerprint, base: item.serialized())
  }

  private static func intent(_ action: Intent.Action, _ summary: String?) -> Intent {
    let item = summary.map(item)
    let isUpload = action == .createRemote || action == .append
    return Intent(
      uid: UID("x"), action: action, content: item?.serialized(), fingerprint: item?.fingerprint,
      before: nil, href: isUpload ? nil : href, etag: nil)
  }

  private static func conflict(_ row: Case) -> StoredConflict {
    StoredConflict(
      uid: UID("x"), title: "x", base: row.base.map { item($0).serialized() },
      local: item("2").serialized(), remote: item("3").serialized(), etag: EntityTag("3"))
  }
}
