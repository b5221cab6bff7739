// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// A value that is one of several words, in any case (RFC 5545 §2).
protocol Word: RawRepresentable, Hashable, Sendable where RawValue == String {
  /// The words of the RFC, at most 24 letters and hyphens each; other words may be valid, too.
  static var named: [Self] { get }
}

extension Word {
  /// Creates a value from a word in any case.
  init?(ignoringCase word: String) {
    self.init(rawValue: word.asciiUppercased)
  }
}

extension Word where Self: CaseIterable, AllCases == [Self] {
  static var named: [Self] { allCases }
}

extension EventStatus: Word {}
extension JournalStatus: Word {}
extension ReminderStatus: Word {}
extension Transparency: Word {}

extension AlarmAction: Word {
  static let named = [audio, display, email]
}

extension CalendarUserType: Word {
  static let named = [individual, group, resource, room, unknown]
}

extension Classification: Word {
  static let named = [everyone, owner, confidential]
}

extension ParticipationStatus: Word {
  static let named = [
    needsAction, accepted, declined, tentative, delegated, completed, inProcess,
  ]
}

extension Role: Word {
  static let named = [chair, required, optional, nonParticipant]
}

extension AlarmProximity: Word {
  static let named = [arrive, depart, connect, disconnect]
}

extension ParticipantType: Word {
  static let named = [
    active, inactive, sponsor, contact, bookingContact, emergencyContact, publicityContact,
    plannerContact, performer, speaker,
  ]
}

extension ScheduleAgent: Word {
  static let named = [server, client, none]
}
