// SPDX-License-Identifier: Apache-2.0

import EventKit
import Testing

// Code as it is written for Apple's systems: only `EventKit` is imported.

@Suite("Values: source for Apple's systems")
struct ValuesSourceTests {
  @Test("Test doubles of sources and participants compile, and belong to no store")
  func doubles() throws {
    final class Account: EKSource, @unchecked Sendable {
      private let name: String

      init(name: String) {
        self.name = name
        super.init()
      }

      override var title: String { name }
      override var sourceType: EKSourceType { .calDAV }
    }
    final class Guest: EKParticipant, @unchecked Sendable {
      override var name: String? { "Ada" }
      override var participantStatus: EKParticipantStatus { .accepted }
    }
    let account = Account(name: "Work")
    #expect(account.title == "Work" && account.sourceType == .calDAV)
    #expect(account.calendars(for: .event).isEmpty && !account.sourceIdentifier.isEmpty)
    #expect(account != Account(name: "Work") && account == account)
    let guest = Guest()
    #expect(guest.name == "Ada" && guest.participantStatus == .accepted)
    #expect(guest.url.scheme == "mailto" && guest.participantRole == .unknown)
  }

  @Test("A test double of the store compiles, and has the objects that a test gives it")
  func store() throws {
    final class Store: EKEventStore, @unchecked Sendable {
      private var saved: [EKEvent] = []

      override init() { super.init() }

      override func save(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
        saved.append(event)
      }

      override func predicateForEvents(
        withStart startDate: Date, end endDate: Date, calendars: [EKCalendar]?
      ) -> NSPredicate { NSPredicate(value: true) }

      override func events(matching predicate: NSPredicate) -> [EKEvent] { saved }
    }
    final class Meeting: EKEvent, @unchecked Sendable {
      override var status: EKEventStatus { .canceled }
    }
    final class Task: EKReminder, @unchecked Sendable {
      override var calendarItemIdentifier: String { "task" }
    }
    final class Holidays: EKCalendar, @unchecked Sendable {
      override var type: EKCalendarType { .subscription }
    }
    final class Yearly: EKRecurrenceRule, @unchecked Sendable {
      override var frequency: EKRecurrenceFrequency { .yearly }
    }
    let store = Store()
    let meeting = Meeting(eventStore: store)
    meeting.calendar = Holidays(for: .event, eventStore: store)
    try store.save(meeting, span: .thisEvent, commit: true)
    let found = store.events(
      matching: store.predicateForEvents(withStart: Date(), end: Date(), calendars: nil))
    #expect(found.map(\.status) == [.canceled] && found.first?.calendar.type == .subscription)
    #expect(Task(eventStore: store).calendarItemIdentifier == "task")
    #expect(Yearly(recurrenceWith: .daily, interval: 2, end: nil).frequency == .yearly)
  }

  @Test("A booking tool's rules, alarms and locations compile and have their values")
  func objects() {
    let rule = EKRecurrenceRule(
      recurrenceWith: .weekly, interval: 1, daysOfTheWeek: [EKRecurrenceDayOfWeek(.monday)],
      daysOfTheMonth: nil, monthsOfTheYear: nil, weeksOfTheYear: nil, daysOfTheYear: nil,
      setPositions: nil, end: nil)
    #expect(rule.daysOfTheWeek?.map { $0.dayOfTheWeek.rawValue } == [2])
    rule.recurrenceEnd = EKRecurrenceEnd(end: Date(timeIntervalSinceNow: 86_400))
    if let end = rule.recurrenceEnd?.endDate { #expect(end > Date()) }

    let monthly = EKRecurrenceRule(
      recurrenceWith: .monthly, interval: 1,
      daysOfTheWeek: [EKRecurrenceDayOfWeek(dayOfTheWeek: .friday, weekNumber: -1)],
      daysOfTheMonth: nil, monthsOfTheYear: nil, weeksOfTheYear: nil, daysOfTheYear: nil,
      setPositions: nil, end: EKRecurrenceEnd(occurrenceCount: 12))
    #expect(monthly.daysOfTheWeek?.first?.weekNumber == -1)
    #expect(EKRecurrenceRule(recurrenceWith: .daily, interval: 2, end: nil).interval == 2)
    #expect(
      EKRecurrenceRule(recurrenceWithFrequency: .daily, interval: 2, end: nil).interval == 2)

    let alarm = EKAlarm(relativeOffset: -15 * 60)
    let location = EKStructuredLocation(title: "Office")
    location.geoLocation = CLLocation(latitude: 37.33, longitude: -122.03)
    location.radius = 100
    alarm.structuredLocation = location
    alarm.proximity = .enter
    #expect(alarm.structuredLocation?.geoLocation?.coordinate.latitude == 37.33)
    #expect(alarm.absoluteDate == nil)
    let text =
      switch alarm.type {
      case .display: "display"
      case .audio: "audio"
      case .procedure: "procedure"
      case .email: "email"
      @unknown default: "unknown"
      }
    #expect(text == "display")
  }

  @Test("A day of the week from the weekday of Calendar, as programs compute it")
  func weekdays() {
    let calendar = Calendar(identifier: .gregorian)
    let weekday = calendar.component(.weekday, from: Date(timeIntervalSince1970: 0))
    let day = EKWeekday(rawValue: weekday).map { EKRecurrenceDayOfWeek($0) }
    #expect(day?.dayOfTheWeek == .thursday || day?.dayOfTheWeek == .wednesday)
  }

  @Test("Colours of calendars are read by their components")
  func colors() {
    let cgColor: CGColor! = CGColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    guard let components = cgColor.components, components.count >= 3 else {
      Issue.record("no components")
      return
    }
    let hex = String(
      format: "#%02X%02X%02X", Int(components[0] * 255), Int(components[1] * 255),
      Int(components[2] * 255))
    #expect(hex == "#FF7F00")
    #expect(cgColor.numberOfComponents == 4)
    #expect(CGColor(gray: 0.5, alpha: 1).components == [0.5, 1])
    #expect(cgColor == CGColor(srgbRed: 1, green: 0.5, blue: 0, alpha: 1))
    #expect(cgColor.copy(alpha: 0.5)?.alpha == 0.5)
    #expect(CGColor.white.copy(alpha: 0)?.components == [1, 0])
    #expect(String(describing: CGColor.black) == "CGColor(0.0, 1.0)")
  }

  @Test("Locations of the map have distances and accuracies")
  func coordinates() {
    let berlin = CLLocation(latitude: 52.52, longitude: 13.405)
    let paris = CLLocation(
      coordinate: CLLocationCoordinate2DMake(48.8566, 2.3522), altitude: 35,
      horizontalAccuracy: 5, verticalAccuracy: 3, timestamp: Date(timeIntervalSince1970: 0))
    let distance: CLLocationDistance = berlin.distance(from: paris)
    #expect(abs(distance - 877_500) < 1_000)
    #expect(berlin.distance(from: berlin) == 0)
    #expect(paris.altitude == 35)
    #expect(paris.course == -1 && paris.speed == -1)
    #expect(berlin.verticalAccuracy == -1)
    #expect(CLLocationCoordinate2DIsValid(berlin.coordinate))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }

  @Test("A location is the same after archiving")
  func archivedLocation() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 3,
      horizontalAccuracy: 4, verticalAccuracy: 5, course: 6, speed: 7,
      timestamp: Date(timeIntervalSinceReferenceDate: 8))
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: location, requiringSecureCoding: true)
    let back = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    #expect(
      [
        back.coordinate.latitude, back.coordinate.longitude, back.altitude,
        back.horizontalAccuracy, back.verticalAccuracy, back.course, back.speed,
        back.timestamp.timeIntervalSinceReferenceDate,
      ] == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(back.copy() as? CLLocation === back)
  }
}

/// What a program shows.
private protocol Titled {
  var title: String { get }
}

/// Source that adds to the types, as programs do.
extension EKRecurrenceFrequency: Titled {
  fileprivate var title: String {
    switch self {
    case .daily: "day"
    case .weekly: "week"
    case .monthly: "month"
    case .yearly: "year"
    @unknown default: "period"
    }
  }
}

extension EKAlarm {
  fileprivate convenience init(minutesBefore minutes: Int) {
    self.init(relativeOffset: TimeInterval(-60 * minutes))
  }
}

@Suite("Values: extensions of programs")
struct ValuesExtensionTests {
  @Test("Programs extend and subclass the types")
  func extensions() {
    final class Snooze: EKAlarm, @unchecked Sendable {
      override var proximity: EKAlarmProximity {
        get { .leave }
        set {}
      }
    }
    #expect(EKRecurrenceFrequency.weekly.title == "week")
    #expect(EKAlarm(minutesBefore: 5).relativeOffset == -300)
    #expect(Snooze(relativeOffset: -60).proximity == .leave)
  }
}
