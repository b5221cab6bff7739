// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import Epact
import Synchronization
import TestSupport
import Testing

/// Answers the questions about access, and keeps them.
final class ScriptedPrompt: AccessPrompt {
  let canAsk: Bool
  private let tier: AccessTier?
  private let confirms: Bool
  private let asked = Mutex<[AccessQuestion]>([])

  init(tier: AccessTier? = nil, confirms: Bool = false, canAsk: Bool = true) {
    (self.tier, self.confirms, self.canAsk) = (tier, confirms, canAsk)
  }

  var questions: [AccessQuestion] { asked.withLock { $0 } }

  func choose(_ question: AccessQuestion) -> AccessTier? {
    asked.withLock { $0.append(question) }
    return tier
  }

  func confirm(_ question: AccessQuestion, raising earlier: AccessGrant) -> Bool {
    asked.withLock { $0.append(question) }
    return confirms
  }
}

struct RemoteAccessTests {
  @Test func theUserIsAskedOnceAndTheAnswerIsStored() async throws {
    let scene = try SyncScene()
    let prompt = ScriptedPrompt(tier: .writeOnly)
    try await scene.set.askForAccess(prompt)
    try await scene.set.askForAccess(prompt)
    let question = try #require(prompt.questions.first)
    #expect(prompt.questions.count == 1)
    #expect(question.tiers == [.full, .writeOnly, .none])
    #expect(question.purpose == "Keeps the calendar \"home\" in step with this remote.")
    let access = try await scene.set.access(to: "home")
    #expect((access.status, access.wanted) == (.writeOnly, .full))
    #expect(access.grant?.grantedBy == "ada")
  }

  @Test func withoutAnAnswerNothingIsGranted() async throws {
    let scene = try SyncScene()
    for prompt in [ScriptedPrompt(), ScriptedPrompt(tier: .full, canAsk: false)] {
      var access = try await scene.set.access(to: "home")
      let error = try await #require(throws: EpactError.self) { try await access.ask(prompt) }
      #expect(error.code == .noAccess)
      #expect(try await scene.set.access(to: "home").status == .notDetermined)
    }
  }

  @Test func aHigherTierNeedsAConfirmation() async throws {
    let scene = try SyncScene()
    var access = try await scene.set.access(to: "home")
    try await access.store(.writeOnly, purpose: SyncScene.purpose)
    for prompt in [ScriptedPrompt(confirms: false), ScriptedPrompt(confirms: true, canAsk: false)] {
      let error = try await #require(throws: EpactError.self) {
        try await access.store(.full, purpose: SyncScene.purpose, confirming: prompt)
      }
      #expect(error.code == .noAccess)
      #expect(try await scene.set.access(to: "home").status == .writeOnly)
    }
    try await access.store(
      .full, purpose: SyncScene.purpose, confirming: ScriptedPrompt(confirms: true))
    #expect(try await scene.set.access(to: "home").status == .full)
    try await access.revoke()
    #expect(try await scene.set.access(to: "home").status == .notDetermined)
  }

  @Test func anAdministratorsPolicyLimitsTheTiers() async throws {
    let scene = try SyncScene()
    let policy = try scene.folder.write(
      lines: ["decided-by = \"the IT department\"", "max-tier = \"write-only\""], to: "policy.toml")
    var machine = scene.machine
    machine.policyPaths = [policy]
    var access = try await RemoteAccess(
      to: "home", in: scene.set.configuration, machine: machine)
    #expect(access.wanted == .writeOnly)
    let error = try await #require(throws: EpactError.self) {
      try await access.store(.full, purpose: SyncScene.purpose)
    }
    #expect(error.code == .noAccess)
    #expect(
      error.message == "access to home is restricted to write-only by the IT department "
        + "(\(policy):2), and cannot be granted")
    let prompt = ScriptedPrompt(tier: AccessTier.none)
    try await access.ask(prompt)
    #expect(prompt.questions.map(\.tiers) == [[.writeOnly, .none]])
    #expect(access.status == .denied)
  }

  @Test("The log keeps every decision with its requests, also if all are of one second")
  func theLogKeepsEveryDecisionWithItsRequests() async throws {
    let scene = try SyncScene()
    var machine = scene.machine
    machine.now = { Instant(secondsSinceEpoch: 1_780_000_000) }
    let prompt = ScriptedPrompt(confirms: true)
    var access = try await RemoteAccess(
      to: "home", in: scene.set.configuration, machine: machine)
    try await access.store(.writeOnly, purpose: "Adds the classes.")
    let ledger = try LedgerFolder(machine: machine, isReadOnly: false).openLedger()
    let first = try #require(access.grant)
    let request = AccessLogEntry(
      remote: first.remote, tier: .writeOnly, grantedAt: first.grantedAt,
      request: AccessRequest(.add, "add", of: "item"), count: 2, firstAt: first.grantedAt,
      lastAt: first.grantedAt)
    try await ledger.log([request])
    try await access.revoke()
    try await access.store(.full, purpose: SyncScene.purpose, confirming: prompt)
    let log = try await LoggedRequests(
      to: "home", in: scene.set.configuration, machine: machine
    ).log
    #expect(log.sections.map(\.decision?.tier) == [.writeOnly, nil, .full])
    #expect(log.sections.map(\.decision?.decidedBy) == ["ada", "ada", "ada"])
    #expect(log.sections.map(\.entries) == [[request], [], []])
  }

  @Test func requestsUnderAGrantWithoutADecisionAreFirst() {
    let remote = RemoteIdentity(kind: "folder", location: "/x", user: "")
    let (old, new) = (Instant(secondsSinceEpoch: 1), Instant(secondsSinceEpoch: 2))
    let decision = AccessDecision(
      about: .remote(remote), tier: .full, purpose: "", at: new, by: "ada")
    let log = DecisionLog([decision], [(new, "b"), (old, "a"), (new, "c")]) {
      (.remote(remote), $0.0, .full)
    }
    #expect(log.sections.map(\.decision) == [nil, decision])
    let refusal = AccessDecision(
      about: .remote(remote), tier: AccessTier.none, purpose: "", at: new, by: "ada")
    let both = DecisionLog([refusal, decision], [(new, "b")]) { (.remote(remote), $0.0, .full) }
    #expect(both.sections.map { $0.entries.map(\.1) } == [[], ["b"]])
    #expect(log.sections.map { $0.entries.map(\.1) } == [["a"], ["b", "c"]])
  }
}
