// SPDX-License-Identifier: Apache-2.0

import EventKit
import Testing

@Suite("Values: enumerations")
struct ValuesEnumerationTests {
  @Test("The raw values are those of Apple's headers, in order of the cases")
  func rawValues() {
    func values<Case: RawRepresentable>(_ cases: Case...) -> [Case.RawValue] {
      cases.map(\.rawValue)
    }
    #expect(
      values(
        EKAuthorizationStatus.notDetermined, .restricted, .denied, .fullAccess, .writeOnly)
        == [0, 1, 2, 3, 4])
    #expect(values(EKEntityType.event, .reminder) == [0, 1])
    #expect(values(EKEntityMask.event, .reminder) == [1, 2])
    #expect(values(EKSpan.thisEvent, .futureEvents) == [0, 1])
    #expect(
      values(
        EKWeekday.sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday)
        == [1, 2, 3, 4, 5, 6, 7])
    #expect(values(EKRecurrenceFrequency.daily, .weekly, .monthly, .yearly) == [0, 1, 2, 3])
    #expect(
      values(EKParticipantType.unknown, .person, .room, .resource, .group) == [0, 1, 2, 3, 4])
    #expect(
      values(EKParticipantRole.unknown, .required, .optional, .chair, .nonParticipant)
        == [0, 1, 2, 3, 4])
    #expect(
      values(
        EKParticipantStatus.unknown, .pending, .accepted, .declined, .tentative, .delegated,
        .completed, .inProcess) == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(
      values(
        EKParticipantScheduleStatus.none, .pending, .sent, .delivered, .recipientNotRecognized,
        .noPrivileges, .deliveryFailed, .cannotDeliver, .recipientNotAllowed)
        == [0, 1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test("The raw values of calendars, alarms and reminders are those of Apple's headers")
  func rawValuesOfCalendars() {
    func values<Case: RawRepresentable>(_ cases: Case...) -> [Case.RawValue] {
      cases.map(\.rawValue)
    }
    #expect(
      values(EKCalendarType.local, .calDAV, .exchange, .subscription, .birthday)
        == [0, 1, 2, 3, 4])
    #expect(
      values(EKSourceType.local, .exchange, .calDAV, .mobileMe, .subscribed, .birthdays)
        == [0, 1, 2, 3, 4, 5])
    #expect(
      values(EKCalendarEventAvailabilityMask.busy, .free, .tentative, .unavailable)
        == [1, 2, 4, 8])
    #expect(
      values(EKEventAvailability.notSupported, .busy, .free, .tentative, .unavailable)
        == [-1, 0, 1, 2, 3])
    #expect(values(EKEventStatus.none, .confirmed, .tentative, .canceled) == [0, 1, 2, 3])
    #expect(values(EKAlarmProximity.none, .enter, .leave) == [0, 1, 2])
    #expect(values(EKAlarmType.display, .audio, .procedure, .email) == [0, 1, 2, 3])
    #expect(values(EKReminderPriority.none, .high, .medium, .low) == [0, 1, 5, 9])
  }

  @Test("No number beside the table is a case")
  func otherNumbers() {
    #expect(EKAuthorizationStatus(rawValue: 5) == nil)
    #expect(EKWeekday(rawValue: 0) == nil)
    #expect(EKWeekday(rawValue: 8) == nil)
    #expect(EKReminderPriority(rawValue: 2) == nil)
    #expect(EKEventAvailability(rawValue: -2) == nil)
  }

  @Test("Masks are sets")
  func masks() {
    let both: EKEntityMask = [.event, .reminder]
    #expect(both.rawValue == 3)
    #expect(both.contains(.reminder))
    #expect(EKCalendarEventAvailabilityMask().isEmpty)
  }

  // The former names compile with a warning, which the tests turn into an error otherwise.
  @available(*, deprecated)
  @Test("The former names stand for the new ones")
  func formerNames() {
    #expect(EKAuthorizationStatus.authorized == .fullAccess)
    #expect(EKAuthorizationStatus.authorized != .writeOnly)
    #expect(
      [
        EKWeekday.EKSunday, .EKMonday, .EKTuesday, .EKWednesday, .EKThursday, .EKFriday,
        .EKSaturday,
      ].map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test("A switch over all known statuses compiles with an unknown default")
  func unknownDefault() {
    func text(_ status: EKAuthorizationStatus) -> String {
      switch status {
      case .fullAccess: "all"
      case .writeOnly: "add"
      case .notDetermined: "ask"
      case .denied, .restricted: "no"
      @unknown default: "new"
      }
    }
    #expect(text(.writeOnly) == "add")
  }
}
