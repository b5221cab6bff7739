// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import TestSupport
import Testing

/// Random messages about a random meeting.
@Suite("Properties of scheduling") struct SchedulingPropertyTests {
  private typealias Random = TestSupport.SeededGenerator
  private typealias Scene = SchedulingScene

  private struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  private static let guests = ["b@example.com", "C@Example.com", "d@example.com"]
  private static let methods = [
    "PUBLISH", "REQUEST", "REPLY", "ADD", "CANCEL", "REFRESH", "COUNTER", "DECLINECOUNTER", "FOO",
  ]

  private static func stored(_ random: inout Random) throws -> CalendarItem {
    let isSeries = Bool.random(using: &random)
    let main = (isSeries ? Scene.series : Scene.single).map {
      $0.hasPrefix("SEQUENCE") ? "SEQUENCE:\(Int.random(in: 1...3, using: &random))" : $0
    }
    var components = main
    for day in [10, 11, 12] where isSeries && Bool.random(using: &random) {
      components += RequestTests.override(
        day, "SEQUENCE:\(Int.random(in: 1...3, using: &random))", "DTSTAMP:20260101T000000Z",
        "ATTENDEE:mailto:b@example.com", "SUMMARY:day \(day)")
    }
    return try Scene.item(components)
  }

  private static func properties(_ method: String, _ random: inout Random) -> [String] {
    var lines = [
      "SEQUENCE:\(Int.random(in: 0...4, using: &random))",
      "DTSTAMP:2026020\(Int.random(in: 1...9, using: &random))T000000Z",
      "ORGANIZER:mailto:a@example.com", "SUMMARY:message \(Int.random(in: 0...9, using: &random))",
      "DTSTART:202603\(Int.random(in: 10...30, using: &random))T080000Z",
    ]
    if method != "ADD", Bool.random(using: &random) {
      let range = method == "CANCEL" && Int.random(in: 0..<4, using: &random) == 0
      lines.append(
        "RECURRENCE-ID\(range ? ";RANGE=THISANDFUTURE" : "")"
          + ":202603\(Int.random(in: 10...14, using: &random))T080000Z")
    }
    if method != "PUBLISH", Bool.random(using: &random) || method == "REPLY" {
      let status = ["ACCEPTED", "DECLINED", "TENTATIVE"].randomElement(using: &random) ?? ""
      let guest = guests.randomElement(using: &random) ?? ""
      lines.append("ATTENDEE;PARTSTAT=\(status):mailto:\(guest)")
    }
    if Bool.random(using: &random) {
      lines.append("COMMENT:remark \(Int.random(in: 0...9, using: &random))")
    }
    if method == "CANCEL", Bool.random(using: &random) { lines.append("STATUS:CANCELLED") }
    return lines
  }

  private static func require(_ isTrue: Bool, _ parts: Any...) throws {
    guard isTrue else {
      throw Difference(
        description: parts.map { part in
          (part as? CalendarItem).map { String(decoding: $0.serialized(), as: UTF8.self) }
            ?? (part as? SchedulingMessage).map {
              "\($0.method) " + String(decoding: $0.item.serialized(), as: UTF8.self)
            } ?? "\(part)"
        }.joined(separator: "\n"))
    }
  }

  @Test("A message that comes twice is applied once")
  func twice() {
    forAll(400) { random in
      let item = try Self.stored(&random)
      let method = Self.methods.randomElement(using: &random) ?? ""
      let message = try Scene.message(method, Self.properties(method, &random))
      let once = Scene.applying(message, to: item)
      let twice = Scene.applying(message, message, to: item)
      let apart = Scene.applying(message, to: once.item)
      try Self.require(once.item == twice.item, item, message, twice.outcomes)
      try Self.require(once.item == apart.item, item, message, apart.outcomes)
    }
  }

  @Test("A stale message and one that only asks change nothing")
  func stale() {
    forAll(400) { random in
      let item = try Self.stored(&random)
      let method = Self.methods.randomElement(using: &random) ?? ""
      let asks = ["REFRESH", "COUNTER", "DECLINECOUNTER", "FOO"].contains(method)
      var properties = Self.properties(method, &random)
      if !asks {
        properties[0] = "SEQUENCE:0"
        properties[1] = "DTSTAMP:20250101T000000Z"
      }
      let message = try Scene.message(method, properties)
      var scheduled = ScheduledItem(item, zones: Scene.resolver)
      let results = scheduled.apply(message)
      try Self.require(!scheduled.isChanged, item, message, results)
      try Self.require(scheduled.item == item, item, message, results)
    }
  }

  @Test("An answer changes nothing but its attendee, REQUEST-STATUS and COMMENT")
  func answer() {
    var count = 0
    forAll(400) { random in
      let item = try Self.stored(&random)
      let message = try Scene.message(
        "REPLY", Self.properties("REPLY", &random) + ["REQUEST-STATUS:2.0;Success", "LOCATION:x"])
      let (after, outcomes) = Scene.applying(message, to: item)
      guard case .updated(.answered(let address, _))? = outcomes.first else { return }
      count += 1
      let known = Set(item.components.map(\.self))
      for component in after?.components ?? [] where !known.contains(component) {
        let before = item.components.first {
          $0[.recurrenceID]?.rawValue == component[.recurrenceID]?.rawValue
        }
        for line in Scene.difference(before ?? item.main, component) {
          let ofAttendee =
            line.dropFirst().hasPrefix("ATTENDEE")
            && line.lowercased().hasSuffix(address.canonicalValue)
          let ofRemark = line.hasPrefix("+COMMENT") || line.hasPrefix("+REQUEST-STATUS")
          let ofOccurrence = ["DTSTART", "DTEND", "RRULE", "EXDATE", "RECURRENCE-ID"].contains {
            before == nil && line.dropFirst().hasPrefix($0)
          }
          try Self.require(ofAttendee || ofRemark || ofOccurrence, item, message, line)
        }
      }
    }
    #expect(count > 50)
  }

  @Test("The order of the answers of two attendees does not matter")
  func order() {
    forAll(400) { random in
      let item = try Self.stored(&random)
      func reply(_ guest: String) throws -> SchedulingMessage {
        let lines = Self.properties("REPLY", &random).filter { !$0.hasPrefix("ATTENDEE") }
        return try Scene.message("REPLY", lines + ["ATTENDEE;PARTSTAT=ACCEPTED:mailto:\(guest)"])
      }
      let (first, second) = (try reply(Self.guests[0]), try reply(Self.guests[1]))
      let forward = Scene.applying(first, second, to: item)
      let backward = Scene.applying(second, first, to: item)
      try Self.require(
        forward.item?.fingerprint == backward.item?.fingerprint, item, first, second)
    }
  }

  @Test("The newest version of an event remains, in whatever order the versions arrive")
  func newest() {
    func order(_ component: Component?) -> (Int, String) {
      (
        component?[.sequence].flatMap { Int($0.rawValue) } ?? -1,
        component?[.dtStamp]?.rawValue ?? ""
      )
    }
    forAll(300) { random in
      let method = ["REQUEST", "PUBLISH"].randomElement(using: &random) ?? ""
      var messages = try (0..<4).map { number in
        try Scene.message(
          method,
          [
            "SEQUENCE:\(Int.random(in: 0...3, using: &random))",
            "DTSTAMP:2026020\(Int.random(in: 1...9, using: &random))T000000Z",
            "ORGANIZER:mailto:a@example.com", "ATTENDEE:mailto:b@example.com",
            "DTSTART:20260310T080000Z", "SUMMARY:version \(number)",
          ])
      }
      let newest = messages.map { order($0.item.main) }.max { $0 < $1 }
      messages.shuffle(using: &random)
      var scheduled = ScheduledItem(nil, zones: Scene.resolver)
      for message in messages { _ = scheduled.apply(message) }
      let last = order(scheduled.item?.main)
      try Self.require(last == newest ?? (0, ""), scheduled.item as Any, messages)
      for message in messages { _ = scheduled.apply(message) }
      try Self.require(order(scheduled.item?.main) == last, scheduled.item as Any, messages)
    }
  }

  @Test("Thousands of messages about thousands of occurrences take time in proportion")
  func growth() throws {
    let count = 4000
    var lines = Scene.series.map { $0.replacing("COUNT=31", with: "COUNT=9000") }
    let end = lines.count - 6
    for guest in 0..<count { lines.insert("ATTENDEE:mailto:g\(guest)@example.com", at: end) }
    var scheduled = ScheduledItem(try Scene.item(lines), zones: Scene.resolver)
    for guest in 0..<count {
      let reply = try Scene.message(
        "REPLY", ["SEQUENCE:1", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:g\(guest)@example.com"])
      _ = scheduled.apply(reply)
    }
    let cancelled = try Scene.message("CANCEL", ["SEQUENCE:1", "ATTENDEE:mailto:g7@example.com"])
    #expect(
      scheduled.apply(cancelled).map(\.outcome)
        == [.updated(.uninvited([CalendarAddress("mailto:g7@example.com")]))])
    let attendees = scheduled.item?.main?.properties(named: .attendee) ?? []
    #expect(attendees.filter { $0[.participationStatus] == "ACCEPTED" }.count == count - 1)
  }
}
