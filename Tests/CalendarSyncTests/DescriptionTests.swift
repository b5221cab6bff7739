// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// The texts of plans, events and results, as logs show them.
@Suite("Descriptions of plans and results")
struct DescriptionTests {
  private let lunch = PlannedOperation(
    uid: UID("lunch"), title: "Lunch", action: .deleteRemote(Href("/a"), ifMatch: EntityTag("1")),
    reason: .deleted(.local))

  @Test("A summary has the numbers that are not 0")
  func summaries() {
    var summary = RunSummary()
    #expect("\(summary)" == "unchanged")
    summary.uploaded = 2
    summary.deletedLocally = 1
    summary.conflicts = 3
    #expect("\(summary)" == "uploaded 2, deleted-locally 1, conflicts 3")
    summary = RunSummary()
    summary.stoppedByGuard = true
    #expect("\(summary)" == "stopped-by-guard")
  }

  @Test("An operation is one line, which the plan and the events contain")
  func operations() {
    let line = #"delete-remote "Lunch" (lunch): deleted-local"#
    #expect("\(lunch)" == line)
    let forgotten = PlannedOperation(
      uid: UID("tea"), title: "Tea", action: .forget, reason: .deletedOnBothSides)
    #expect("\(SyncPlan(operations: [lunch, forgotten]))" == line)
    #expect("\(SyncEvent.planned(SyncPlan(operations: [lunch])))" == line)
    #expect("\(SyncEvent.done(lunch))" == "done: \(line)")
    #expect(
      "\(SyncEvent.failed(lunch, .reported("status 500")))"
        == "failed: \(line); reported (status 500)")
  }

  @Test("Progress has a total only if it is known")
  func progress() {
    #expect("\(SyncProgress(.fetching, done: 3, total: 10))" == "fetching 3 of 10")
    #expect("\(SyncEvent.progress(SyncProgress(.reading, done: 3, total: 0)))" == "reading 3")
  }

  @Test("A change of a property names its side and its value")
  func properties() {
    let color = CollectionChange(property: .color, action: .setLocal("#3f7fbf"))
    #expect("\(color)" == "set-local (color; #3f7fbf)")
    #expect(
      "\(SyncEvent.property(color, .failed(.reported("read-only"))))"
        == "failed: set-local (color; #3f7fbf); reported (read-only)")
    let removal = CollectionChange(property: .order, action: .setRemote(nil))
    #expect("\(removal)" == "remove-remote (order)")
    #expect("\(CollectionChange(property: .name, action: .leave))" == "leave (name)")
  }

  @Test("A merge has a line for each conflict, and a loss names its part")
  func merges() {
    let base = TestItem.make(uid: "a", summary: "Tea")
    let result = ThreeWayMerge().merge(
      base: base, local: TestItem.make(uid: "a", summary: "Tea and cake"),
      remote: TestItem.make(uid: "a", summary: "Coffee"))
    #expect(
      "\(result)" == """
        merged "Tea and cake" (a)
          VEVENT: SUMMARY: edits, waits
        """)
    let loss = RemoteLoss(
      uid: UID("a"), title: "Tea", component: "VEVENT", property: "COLOR", sent: "COLOR:red",
      kept: nil)
    #expect("\(SyncEvent.lost(loss))" == #"lost: VEVENT: COLOR of "Tea" (a)"#)
  }
}
