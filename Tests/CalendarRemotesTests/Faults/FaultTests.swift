// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Foundation
import TestSupport
import Testing

/// Every fault that a CalDAV client has to survive, in one story: two sides that agree, are edited, and
/// sync while something goes wrong; what must not be lost meanwhile, and that all is well afterwards.
@Suite(.timeLimit(.minutes(60))) struct FaultTests {
  static let all =
    Fault.ofTransport + Fault.ofStatuses + Fault.ofItems + Fault.ofBodies + Fault.ofXML
    + Fault.ofTokens + Fault.ofRedirects

  @Test(arguments: all) func `A fault loses nothing, and is told`(_ fault: Fault) async throws {
    try await play(fault)
  }

  @Test(arguments: all.filter { !$0.hasTokens })
  func `Nor does it on a server that tells what changed`(_ fault: Fault) async throws {
    var fault = fault.withTokens
    // A way round a fault is as good as telling it.
    if fault.expectation != .ok { fault = fault.expecting(.either) }
    try await play(fault)
  }

  private func play(_ fault: Fault) async throws {
    let scene = try FaultScene(fault)
    defer { scene.stop() }
    try await scene.begin()
    scene.edit()
    let outcome = await scene.sync()
    expect(fault.expectation, outcome)
    expectNothingLost(scene, outcome)
    #expect(scene.requestCount <= fault.mostRequests, "\(scene.requestCount) requests")
    #expect(scene.evil.requests.isEmpty, "something was sent to another server")
    scene.mend()
    try await expectAgreement(scene, isVerifying: fault.isBelieved)
  }

  private func expect(_ expectation: Fault.Expectation, _ outcome: FaultScene.Outcome) {
    switch expectation {
    case .ok: #expect(outcome.isComplete, "\(outcome.told)")
    case .fail: #expect(!outcome.isComplete, "the fault is not told")
    case .guarded:
      #expect(outcome.error != nil || outcome.summary?.stoppedByGuard ?? false, "not stopped")
    case .either: break
    }
    #expect(!outcome.told.contains(FaultScene.password))
    let controls = outcome.told.unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n"
    }
    #expect(controls.isEmpty, "what a server says is made harmless")
  }

  /// What nobody deleted is there, and no edit is gone.
  private func expectNothingLost(_ scene: FaultScene, _ outcome: FaultScene.Outcome) {
    let (here, there) = (scene.localTitles, scene.serverTitles)
    for number in 5...12 {
      #expect(here["i\(number)@x"] == "Event \(number)", "here: \(outcome.told)")
      #expect(there["i\(number)@x"] == "Event \(number)", "there: \(outcome.told)")
    }
    #expect(here["i1@x"] == "Edited here")
    #expect(here["new-here@x"] == "New here")
    #expect(there["i3@x"] == "Edited there")
    #expect(there["new-there@x"] == "New there")
  }

  /// The fault over, both sides come to agree and then to rest.
  private func expectAgreement(_ scene: FaultScene, isVerifying: Bool) async throws {
    var last = await scene.sync(isVerifying: isVerifying)
    for _ in 0..<2 where !last.isComplete { last = await scene.sync() }
    #expect(last.isComplete, "\(last.told)")
    #expect(scene.localTitles == FaultScene.agreed)
    #expect(scene.serverTitles == FaultScene.agreed)
    let files = scene.local.contents
    let rest = await scene.sync()
    #expect(rest.summary == RunSummary(), "\(rest.told)")
    #expect(scene.local.contents == files)
  }

  @Test func `The article names every fault, and no other`() throws {
    let article = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/CalendarRemotes/CalendarRemotes.docc/Faults.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let named = text.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("| `") else { return nil }
      return String(line.dropFirst(3).prefix { $0 != "`" })
    }
    #expect(named.count == Set(named).count)
    #expect(Set(named) == Set(Self.all.map(\.name)))
  }
}

extension Fault {
  /// The fault where something else is expected.
  func expecting(_ expectation: Expectation) -> Fault {
    var fault = Fault(
      name: name, expectation: expectation, idle: idle, hasTokens: hasTokens,
      isBelieved: isBelieved, mostRequests: mostRequests)
    fault.style = style
    fault.instead = instead
    fault.after = after
    return fault
  }
}
