// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import TestSupport
import Testing

/// The examples of RFC 5546 §4, applied in order as a calendar program receives them.
@Suite("The examples of RFC 5546") struct SchedulingExampleTests {
  /// A sequence of messages about one item.
  struct Scenario: CustomTestStringConvertible {
    let name: String
    /// The sections of the RFC whose messages are applied.
    let sections: [String]

    var testDescription: String { name }
  }

  private static let scenarios = [
    Scenario(name: "published", sections: ["4.1.1", "4.1.2", "4.1.3", "4.1.4"]),
    Scenario(name: "anniversary", sections: ["4.1.5"]),
    Scenario(name: "group", sections: ["4.2.1", "4.2.2", "4.2.3"]),
    Scenario(name: "counter", sections: ["4.2.4"]),
    Scenario(name: "delegation", sections: ["4.2.1", "4.2.5", "4.2.6"]),
    Scenario(name: "delegation-declined", sections: ["4.2.1", "4.2.5", "4.2.7"]),
    Scenario(name: "cancellation", sections: ["4.2.1", "4.2.2", "4.2.9"]),
    Scenario(name: "removal", sections: ["4.2.1", "4.2.10"]),
    Scenario(name: "organizer", sections: ["4.2.11"]),
    Scenario(name: "busy-time", sections: ["4.3.1", "4.3.2", "4.3.3"]),
    Scenario(name: "zones", sections: ["4.4.1"]),
    Scenario(name: "series", sections: ["4.4.2", "4.4.3", "4.4.4"]),
    Scenario(name: "future", sections: ["4.4.2", "4.4.5"]),
    Scenario(name: "addition", sections: ["4.4.7", "4.4.6"]),
    Scenario(name: "rescheduling", sections: ["4.4.7"]),
    Scenario(name: "refresh", sections: ["4.4.8", "4.7.1"]),
    Scenario(name: "counter-instance", sections: ["4.4.2", "4.4.9"]),
    Scenario(name: "error-reply", sections: ["4.4.10"]),
    Scenario(
      name: "reminder", sections: ["4.5.1", "4.5.2", "4.5.3", "4.5.4", "4.5.5", "4.5.6"]),
    Scenario(name: "recurring-reminder", sections: ["4.5.7.1", "4.5.7.2"]),
    Scenario(name: "journal", sections: ["4.6"]),
  ]

  /// The messages of a section; nil in the place of one that is not an item.
  private static func messages(_ section: String) throws -> [SchedulingMessage?] {
    let name = try #require(
      try names().first { $0.hasPrefix("\(section)-") }, "there is no file for §\(section)")
    let stream = try CalendarStream(parsing: try Fixture("rfc5546/\(name)").bytes)
    #expect(!stream.calendars.isEmpty)
    return stream.calendars.map { calendar in
      (try? CalendarItem(parsing: Serializer().bytes(of: calendar))).flatMap(SchedulingMessage.init)
    }
  }

  private static func names() throws -> [String] {
    try Fixture.calendars(in: "rfc5546").map { String($0.path.dropFirst("rfc5546/".count)) }
  }

  @Test("Each scenario has its recorded effect", arguments: scenarios)
  func effect(of scenario: Scenario) throws {
    var stored: CalendarItem?
    var lines: [String] = []
    for section in scenario.sections {
      for message in try Self.messages(section) {
        guard let message else {
          lines.append("§\(section): no item")
          continue
        }
        // Some examples have another UID than the event that they are about.
        let other = stored.map { $0.uid != message.item.uid } ?? false
        var scheduled = ScheduledItem(other ? nil : stored, zones: SchedulingScene.resolver)
        for result in scheduled.apply(message) {
          let occurrence = result.recurrenceID.map { " \($0)" } ?? ""
          let effect = Self.words(result.outcome)
          lines.append(
            "§\(section): \(message.method.rawValue)\(other ? " of another UID" : "")"
              + "\(occurrence): \(effect)")
        }
        if !other { stored = scheduled.item }
      }
    }
    if let stored {
      let bytes = Serializer(lineEnds: .refolded).bytes(of: stored.calendar)
      lines += ["", String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")]
    }
    try Golden("rfc5546/\(scenario.name).applied").expect(lines.joined(separator: "\n"))
  }

  @Test("Each file belongs to a scenario")
  func files() throws {
    let sections = Set(Self.scenarios.flatMap(\.sections))
    for name in try Self.names() {
      #expect(sections.contains { name.hasPrefix("\($0)-") }, "\(name)")
    }
  }

  @Test("Each scenario applied twice has the effect of once", arguments: scenarios)
  func twice(_ scenario: Scenario) throws {
    for section in scenario.sections {
      for message in try Self.messages(section).compactMap(\.self) {
        let once = SchedulingScene.applying(message, to: nil)
        let twice = SchedulingScene.applying(message, message, to: nil)
        #expect(once.item == twice.item)
      }
    }
  }

  private static func words(_ outcome: SchedulingOutcome) -> String {
    switch outcome {
    case .added: "added"
    case .updated(.revised): "revised"
    case .updated(.answered(let attendee, let status)): "\(attendee) answers \(status.rawValue)"
    case .updated(.cancelled): "cancelled"
    case .updated(.cancelledFuture): "cancelled from there on"
    case .updated(.uninvited(let attendees)):
      "uninvited: \(attendees.map(\.rawValue).joined(separator: ", "))"
    case .updated(.occurrenceAdded(let isComplete)):
      isComplete ? "occurrence added" : "occurrence added, revisions missing"
    case .unchanged: "unchanged"
    case .stale(let stored, let incoming): "stale: \(incoming) after \(stored)"
    case .informative: "the user decides"
    case .refused(let refusal): "refused: \(refusal)"
    }
  }
}
