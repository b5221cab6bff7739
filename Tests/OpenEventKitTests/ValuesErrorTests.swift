// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EventKit
import Foundation
import OpenEventKit
import Testing

@Suite("Values: errors")
struct ValuesErrorTests {
  /// The names and numbers of Apple's header.
  static let table: [(name: String, number: Int)] = [
    ("eventNotMutable", 0), ("noCalendar", 1), ("noStartDate", 2), ("noEndDate", 3),
    ("datesInverted", 4), ("internalFailure", 5), ("calendarReadOnly", 6),
    ("durationGreaterThanRecurrence", 7), ("alarmGreaterThanRecurrence", 8),
    ("startDateTooFarInFuture", 9), ("startDateCollidesWithOtherOccurrence", 10),
    ("objectBelongsToDifferentStore", 11), ("invitesCannotBeMoved", 12), ("invalidSpan", 13),
    ("calendarHasNoSource", 14), ("calendarSourceCannotBeModified", 15),
    ("calendarIsImmutable", 16), ("sourceDoesNotAllowCalendarAddDelete", 17),
    ("recurringReminderRequiresDueDate", 18), ("structuredLocationsNotSupported", 19),
    ("reminderLocationsNotSupported", 20), ("alarmProximityNotSupported", 21),
    ("calendarDoesNotAllowEvents", 22), ("calendarDoesNotAllowReminders", 23),
    ("sourceDoesNotAllowReminders", 24), ("sourceDoesNotAllowEvents", 25),
    ("priorityIsInvalid", 26), ("invalidEntityType", 27), ("procedureAlarmsNotMutable", 28),
    ("eventStoreNotAuthorized", 29), ("osNotSupported", 30), ("invalidInviteReplyCalendar", 31),
    ("notificationsCollectionFlagNotSet", 32), ("sourceMismatch", 33),
    ("notificationCollectionMismatch", 34), ("notificationSavedWithoutCollection", 35),
    ("reminderAlarmContainsEmailOrUrl", 36), ("last", 37),
  ]

  @Test("The 38 codes have Apple's names and numbers")
  func codes() {
    #expect(Self.table.count == 38)
    #expect(EKError.Code.allCases.map { "\($0)" } == Self.table.map(\.name))
    #expect(EKError.Code.allCases.map(\.rawValue) == Self.table.map(\.number))
  }

  @Test("An error has its number and domain as an NSError too")
  func bridging() {
    for code in EKError.Code.allCases {
      let error: any Error = EKError(code)
      #expect((error as NSError).code == code.rawValue)
      #expect((error as NSError).domain == "EKErrorDomain")
      #expect((error as NSError).localizedDescription == error.localizedDescription)
      #expect((error as? EKError)?.errorCode == code.rawValue)
    }
    #expect(EKErrorDomain == "EKErrorDomain")
    #expect(EKError.errorDomain == "EKErrorDomain")
  }

  @Test("Every code has a sentence of its own")
  func descriptions() {
    let texts = EKError.Code.allCases.map { EKError($0).localizedDescription }
    #expect(Set(texts).count == 38)
    for text in texts {
      #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(text)")
    }
    #expect(EKError(.noCalendar).localizedDescription == "No calendar is set.")
    #expect(EKError(.datesInverted).localizedDescription == "The end is before the start.")
    #expect(texts.filter { $0 == "The error is unknown." }.count == 1)
    #expect(texts.last == "The error is unknown.")
  }

  @Test("A description of its own replaces the sentence")
  func ownDescription() {
    let error = EKError(.calendarReadOnly, userInfo: [NSLocalizedDescriptionKey: "Holidays is"])
    #expect(error.localizedDescription == "Holidays is")
    #expect((error as NSError).localizedDescription == "Holidays is")
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == "Holidays is")
    #expect(error != EKError(.calendarReadOnly))
    #expect(EKError(.calendarReadOnly) == EKError(.calendarReadOnly))
  }

  /// What a program does with an error: the number of the branch that catches it.
  private func branch(_ error: any Error) -> Int {
    do {
      throw error
    } catch EKError.noCalendar {
      return 1
    } catch EKError.datesInverted, EKError.eventStoreNotAuthorized {
      return 2
    } catch let error as EKError where error.code == .priorityIsInvalid {
      return 3
    } catch {
      return 4
    }
  }

  @Test("Patterns catch errors by their code")
  func patterns() {
    #expect(branch(EKError(.noCalendar)) == 1)
    #expect(branch(EKError(.datesInverted)) == 2)
    #expect(branch(EKError(.eventStoreNotAuthorized)) == 2)
    #expect(branch(EKError(.priorityIsInvalid)) == 3)
    #expect(branch(EKError(.noEndDate)) == 4)
    #expect(branch(CancellationError()) == 4)
  }

  @Test("An NSError with the domain and number counts as the error; one of another domain does not")
  func foreign() {
    #expect(branch(NSError(domain: EKErrorDomain, code: 1)) == 1)
    #expect(branch(EKError(.datesInverted) as NSError) == 2)
    #expect(branch(NSError(domain: NSCocoaErrorDomain, code: 1)) == 4)
    #expect(branch(NSError(domain: EKErrorDomain, code: 99)) == 4)
  }

  @Test("Each constant of the error is the code of its name")
  func constants() {
    let constants: [EKError.Code] = [
      EKError.eventNotMutable, EKError.noCalendar, EKError.noStartDate, EKError.noEndDate,
      EKError.datesInverted, EKError.internalFailure, EKError.calendarReadOnly,
      EKError.durationGreaterThanRecurrence, EKError.alarmGreaterThanRecurrence,
      EKError.startDateTooFarInFuture, EKError.startDateCollidesWithOtherOccurrence,
      EKError.objectBelongsToDifferentStore, EKError.invitesCannotBeMoved, EKError.invalidSpan,
      EKError.calendarHasNoSource, EKError.calendarSourceCannotBeModified,
      EKError.calendarIsImmutable, EKError.sourceDoesNotAllowCalendarAddDelete,
      EKError.recurringReminderRequiresDueDate, EKError.structuredLocationsNotSupported,
      EKError.reminderLocationsNotSupported, EKError.alarmProximityNotSupported,
      EKError.calendarDoesNotAllowEvents, EKError.calendarDoesNotAllowReminders,
      EKError.sourceDoesNotAllowReminders, EKError.sourceDoesNotAllowEvents,
      EKError.priorityIsInvalid, EKError.invalidEntityType, EKError.procedureAlarmsNotMutable,
      EKError.eventStoreNotAuthorized, EKError.osNotSupported,
      EKError.invalidInviteReplyCalendar, EKError.notificationsCollectionFlagNotSet,
      EKError.sourceMismatch, EKError.notificationCollectionMismatch,
      EKError.notificationSavedWithoutCollection, EKError.reminderAlarmContainsEmailOrUrl,
      EKError.last,
    ]
    #expect(constants.map(\.rawValue) == Array(0...37))
  }

  @Test("Errors of saving have the code of the same name, and mixed times none")
  func savingErrors() throws {
    for code in SaveError.Code.allCases {
      let expected = code == .mixedTimes ? "internalFailure" : code.description
      #expect("\(EKError.Code(code))" == expected)
    }
    var event = Event()
    event.start = nil
    let error = SavingRules().errors(in: event).first.map { EKError($0) }
    #expect(error?.code == .noStartDate)
    #expect(error?.localizedDescription == "The event has no start.")
    #expect(error?.failureReason == "expected a start, found none")
    let day = try #require(CivilDate(year: 2026, month: 3, day: 10))
    event.start = .date(day)
    let end = try #require(CivilDateTime(year: 2026, month: 3, day: 10, hour: 9, minute: 0))
    event.end = .time(.utc(end))
    let mixed = SavingRules().errors(in: event).first.map { EKError($0) }
    #expect(mixed?.code == .internalFailure)
    #expect(
      mixed?.localizedDescription
        == "One of the start and the end is a date, and the other a time.")
  }

  @Test("Events and reminders are kinds of items; journals are not")
  func entityTypes() {
    #expect(EKEntityType(ItemKind.event) == .event)
    #expect(EKEntityType(ItemKind.reminder) == .reminder)
    #expect(EKEntityType(ItemKind.journal) == nil)
    #expect(EKEntityType.event.kind == .event)
    #expect(EKEntityType.reminder.kind == .reminder)
  }
}
