// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct AlarmWatchTests {
  /// What a watch does: it shows an alarm, or waits for the next one.
  private enum Step: Hashable, Sendable {
    case shown(String, isLate: Bool)
    case waiting(Instant?)
  }

  /// Starts a watch; the steps can be awaited one after the other.
  private func start(
    _ scene: AlarmScene, isPossible: Bool = true
  ) -> (Task<Void, any Error>, AsyncStream<Step>) {
    let (steps, noting) = AsyncStream<Step>.makeStream()
    let task = Task {
      defer { noting.finish() }
      try await scene.watch.run(waiting: { noting.yield(.waiting($0)) }) { due, _ in
        noting.yield(.shown(due.alarm.occurrence.title, isLate: due.isLate))
        return isPossible
      }
    }
    return (task, steps)
  }

  @Test("A declined event has no alarm")
  func declined() throws {
    let scene = try AlarmScene(at: "20260504T080000")
    for (uid, status) in [("no", "DECLINED"), ("yes", "ACCEPTED")] {
      try scene.write(uid, at: "20260504T090000")
      let text = try scene.text(uid).replacing(
        "SUMMARY", with: "ATTENDEE;PARTSTAT=\(status):mailto:me@example.net\r\nSUMMARY")
      try scene.folder.write(text.utf8, to: "home/\(uid).ics")
    }
    var request = ViewRequest(
      [CalendarLocation(path: scene.folder.path(of: "home"))],
      in: try AlarmScene.time("20260504T080000")..<AlarmScene.time("20260504T100000"),
      viewer: AlarmScene.viewer)
    let titles = { (request: ViewRequest) in
      try AlarmView(alarmsOf: request, machine: scene.machine) { _ in }.alarms
        .map(\.occurrence.title).sorted()
    }
    #expect(try titles(request) == ["no", "yes"])
    request.user = [CalendarAddress("mailto:me@example.net")]
    #expect(try titles(request) == ["yes"])
  }

  @Test("An alarm is shown once, whatever the clock does")
  func clock() async throws {
    let scene = try AlarmScene(at: "20260504T080000")
    try scene.write("early", at: "20260504T070000")
    try scene.write("tea", at: "20260504T090000")
    let (task, stream) = start(scene)
    var steps = stream.makeAsyncIterator()
    #expect(try await steps.next() == .waiting(AlarmScene.time("20260504T090000")))
    try scene.report(.clockSet, at: "20260504T090000")
    #expect(await steps.next() == .shown("tea", isLate: false))
    #expect(await steps.next() == .waiting(nil))
    // The clock is set back, and reaches the time of the alarm again.
    try scene.report(.clockSet, at: "20260504T083000")
    #expect(await steps.next() == .waiting(nil))
    try scene.report(.clockSet, at: "20260504T090000")
    #expect(await steps.next() == .waiting(nil))
    task.cancel()
  }

  @Test("Alarms during a suspend are shown late, and once")
  func suspend() async throws {
    let scene = try AlarmScene(at: "20260504T080000")
    for (uid, start) in [("tea", "20260504T090000"), ("walk", "20260504T093000")] {
      try scene.write(uid, at: start)
    }
    let (task, stream) = start(scene)
    var steps = stream.makeAsyncIterator()
    _ = await steps.next()
    try scene.report(.resumed, at: "20260504T093010")
    #expect(await steps.next() == .shown("tea", isLate: true))
    #expect(await steps.next() == .shown("walk", isLate: false))
    #expect(await steps.next() == .waiting(nil))
    try scene.report(.resumed, at: "20260504T120000")
    #expect(await steps.next() == .waiting(nil))
    task.cancel()
    _ = await task.result
    // The next start remembers what the last one showed, and shows what it missed.
    try scene.write("lunch", at: "20260504T113000")
    try scene.write("last-week", at: "20260427T113000")
    let (again, others) = start(scene)
    steps = others.makeAsyncIterator()
    #expect(await steps.next() == .shown("lunch", isLate: true))
    #expect(await steps.next() == .waiting(nil))
    again.cancel()
  }

  @Test func aNewItemIsNoticed() async throws {
    let scene = try AlarmScene(at: "20260504T080000")
    let (task, stream) = start(scene)
    var steps = stream.makeAsyncIterator()
    #expect(await steps.next() == .waiting(nil))
    try scene.write("tea", at: "20260504T090000")
    #expect(await steps.next() == .waiting(try AlarmScene.time("20260504T090000")))
    task.cancel()
  }

  @Test func aFailedAttemptIsRepeatedTwice() async throws {
    let scene = try AlarmScene(at: "20260504T090000")
    try scene.write("tea", at: "20260504T090000")
    let (task, stream) = start(scene, isPossible: false)
    var steps = stream.makeAsyncIterator()
    for minute in 1...3 {
      #expect(await steps.next() == .shown("tea", isLate: minute > 2))
      #expect(await steps.next() == .waiting(nil))
      try scene.report(.clockSet, at: "20260504T090\(minute)00")
    }
    #expect(await steps.next() == .waiting(nil))
    task.cancel()
  }

  @Test func oneWatchRunsAtATime() async throws {
    let scene = try AlarmScene(at: "20260504T090000")
    let (task, stream) = start(scene)
    var steps = stream.makeAsyncIterator()
    _ = await steps.next()
    let error = await #expect(throws: StoreError.self) {
      try await scene.watch.run { _, _ in true }
    }
    #expect(error?.code == .locked)
    task.cancel()
  }
}

struct AlarmEditorTests {
  private func editor(_ scene: AlarmScene) -> AlarmEditor {
    AlarmEditor(
      CalendarLibrary(machine: scene.machine, configuration: scene.folder.path(of: "config.toml")),
      viewer: AlarmScene.viewer)
  }

  @Test func theLastAlarmOfAnItemIsSnoozedAndAcknowledged() throws {
    let scene = try AlarmScene(at: "20260504T090100")
    try scene.write("dentist@example.org", at: "20260504T090000")
    let editor = editor(scene)
    try editor.snooze(
      try editor.lastAlarm(of: "Dentist"), until: try AlarmScene.time("20260504T091100"))
    let text = try scene.text("dentist@example.org")
    #expect(text.contains("ACKNOWLEDGED:20260504T090100Z"))
    #expect(text.contains("TRIGGER;VALUE=DATE-TIME:20260504T091100Z"))
    // Before it is triggered again, a snoozed alarm has another time, or none.
    try editor.snooze(
      try editor.lastAlarm(of: "dentist"), until: try AlarmScene.time("20260504T090500"))
    let earlier = try scene.text("dentist@example.org")
    #expect(earlier.contains("TRIGGER;VALUE=DATE-TIME:20260504T090500Z"))
    #expect(!earlier.contains("20260504T091100Z"))
    try scene.report(.clockSet, at: "20260504T091200")
    try editor.acknowledge(try editor.lastAlarm(of: "dentist@"))
    #expect(!(try scene.text("dentist@example.org").contains("SNOOZE")))
    let error = #expect(throws: EpactError.self) { try editor.lastAlarm(of: "dentist") }
    #expect(error?.message == "no alarm of \"dentist\" was triggered in the last week")
  }

  @Test("An acknowledgement covers all alarms that were triggered")
  func several() throws {
    for isSnoozed in [false, true] {
      let scene = try AlarmScene(at: "20260504T090100")
      try scene.write("dentist", at: "20260504T090000")
      let hourBefore = [
        "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:dentist", "TRIGGER:-PT1H", "END:VALARM",
        "END:VEVENT",
      ].joined(separator: "\r\n")
      let text = try scene.text("dentist").replacing("END:VEVENT", with: hourBefore)
      try scene.folder.write(text.utf8, to: "home/dentist.ics")
      let editor = editor(scene)
      let last = try editor.lastAlarm(of: "dentist")
      #expect(last.alarm.instant == (try AlarmScene.time("20260504T090000")))
      if isSnoozed {
        try editor.snooze(last, until: try AlarmScene.time("20260504T091100"))
        #expect(try editor.lastAlarm(of: "dentist").alarm.snoozedAlarm != nil)
        try editor.acknowledge(try editor.lastAlarm(of: "dentist"))
      } else {
        try editor.acknowledge(last)
      }
      #expect(try scene.text("dentist").ranges(of: "ACKNOWLEDGED:20260504T090100Z").count == 2)
      #expect(throws: EpactError.self) { try editor.lastAlarm(of: "dentist") }
    }
  }

  @Test func anItemIsNamedUnambiguously() throws {
    let scene = try AlarmScene(at: "20260504T090100")
    try scene.write("tea", at: "20260504T090000")
    try scene.write("tea-for-two", at: "20260504T090000")
    let editor = editor(scene)
    #expect(try editor.lastAlarm(of: "tea").entry.item.uid == "tea")
    let several = #expect(throws: EpactError.self) { try editor.lastAlarm(of: "te") }
    #expect(several?.details == ["tea (tea)", "tea-for-two (tea-for-two)"])
    let none = #expect(throws: EpactError.self) { try editor.lastAlarm(of: "coffee") }
    #expect(none?.message == "there is no item \"coffee\" in the calendars")
  }
}
