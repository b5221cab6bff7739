// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import EventKit
import Foundation
import Testing

/// Forms of calls that programs for Apple's systems contain, and that are easy to leave out.
@Suite("Clients: forms of use")
struct ClientsUsageTests {
  @Test("An alarm without a time gets a location")
  func locationAlarm() {
    let location = EKStructuredLocation(title: "Office")
    location.geoLocation = CLLocation(latitude: 52.5, longitude: 13.4)
    location.radius = 150
    let alarm = EKAlarm()
    alarm.structuredLocation = location
    alarm.proximity = .enter
    #expect(alarm.relativeOffset == 0)
    #expect(alarm.absoluteDate == nil)
    #expect(alarm.structuredLocation?.radius == 150)
    #expect(alarm.proximity == .enter)
  }

  @Test("Initializers are functions")
  func initializers() {
    let date: Date? = Date(timeIntervalSince1970: 0)
    let alarms = [date.map(EKAlarm.init(absoluteDate:)), EKAlarm()].compactMap { $0 }
    #expect(alarms.compactMap(\.absoluteDate) == [Date(timeIntervalSince1970: 0)])
    #expect(UInt(exactly: 5).flatMap(EKReminderPriority.init) == .medium)
    #expect(
      [2, 9].compactMap { EKWeekday(rawValue: $0).map { EKRecurrenceDayOfWeek($0) } }.count == 1)
  }
}
