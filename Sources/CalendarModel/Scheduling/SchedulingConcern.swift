// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The origin of a scheduling message: the authors of its mail, and the user's decision.
public struct SchedulingOrigin: Hashable, Sendable {
  /// The authors of the mail (From, RFC 5322 §3.6.2); nil for a message without a mail.
  public var senders: [CalendarAddress]?
  /// Whether the user confirmed the message in spite of its concerns.
  public var isConfirmed: Bool

  /// Creates an origin.
  ///
  /// - Parameters:
  ///   - senders: The authors of the mail; nil for a message without a mail.
  ///   - isConfirmed: Whether the user confirmed the message.
  public init(senders: [CalendarAddress]? = nil, isConfirmed: Bool = false) {
    self.senders = senders
    self.isConfirmed = isConfirmed
  }
}

/// A reason to ask the user before a scheduling message changes an item.
///
/// Only the organizer may change or cancel an item, and only the attendee may answer, each in
/// person or by the calendar user who acts for them (RFC 6047 §2.2.1, SENT-BY). The authors of a
/// mail are not authenticated: a mail without concerns can be forged, too.
public enum SchedulingConcern: Hashable, Sendable {
  /// The mail is from these senders, and not only from the organizer or those who act for them.
  case notFromOrganizer(senders: [CalendarAddress], organizer: [CalendarAddress])
  /// The mail is from these senders, and not only from the attendee who answers.
  case notFromAttendee(senders: [CalendarAddress], attendees: [CalendarAddress])
  /// The message names another organizer than the stored item; nil for none.
  case otherOrganizer(stored: CalendarAddress?, named: CalendarAddress?)
  /// The sender claims that an attendee delegated to them, and that attendee did not say so.
  case claimedDelegation(CalendarAddress, from: CalendarAddress)

  /// The name of the case, for programs.
  public var code: String {
    switch self {
    case .notFromOrganizer: "notFromOrganizer"
    case .notFromAttendee: "notFromAttendee"
    case .otherOrganizer: "otherOrganizer"
    case .claimedDelegation: "claimedDelegation"
    }
  }
}

extension SchedulingConcern: CustomStringConvertible {
  /// The concern in words, in lower case and without a full stop.
  public var description: String {
    switch self {
    case .notFromOrganizer(let senders, let organizer):
      let expected =
        organizer.isEmpty
        ? "the event has no organizer" : "the organizer is \(Self.list(organizer))"
      return "the mail is from \(Self.list(senders)), and \(expected)"
    case .notFromAttendee(let senders, let attendees):
      let expected =
        attendees.count == 1
        ? "the answer is that of \(Self.list(attendees))"
        : "the attendees are \(Self.list(attendees))"
      return "the mail is from \(Self.list(senders)), and \(expected)"
    case .otherOrganizer(let stored, let named):
      let (before, after) = (stored?.shortName, named?.shortName)
      switch (before, after) {
      case (let before?, let after?):
        return "the organizer in the calendar is \(before), the message names \(after)"
      case (let before?, nil):
        return "the organizer in the calendar is \(before), the message names none"
      case (nil, let after?):
        return "the event in the calendar has no organizer, the message names \(after)"
      case (nil, nil): return "the organizer is another one"
      }
    case .claimedDelegation(let delegate, let delegator):
      return "\(delegate.shortName) claims a delegation by \(delegator.shortName), who has not "
        + "delegated"
    }
  }

  private static func list(_ addresses: [CalendarAddress]) -> String {
    addresses.isEmpty ? "an unknown sender" : addresses.map(\.shortName).joined(separator: ", ")
  }
}

/// Comparison of the authors of a message with the persons who may send it (RFC 6047 §2.2.1).
extension ScheduledItem {
  /// Returns the reasons to ask the user before a message is applied, each once.
  ///
  /// The organizer of the message is compared with the stored one. The authors of a mail are
  /// compared with the stored organizer and the SENT-BY of that organizer; if no item is stored,
  /// with those of the message. The author of an answer is compared with the attendee who answers,
  /// and with the EMAIL and the SENT-BY of that attendee in the stored item. What a message claims
  /// about its own sender does not count for a stored item.
  ///
  /// - Parameters:
  ///   - message: A message with the UID of the item.
  ///   - senders: The authors of the mail; nil for a message without a mail.
  /// - Returns: The concerns; empty if there are none.
  public mutating func concerns(
    of message: SchedulingMessage, from senders: [CalendarAddress]?
  ) -> [SchedulingConcern] {
    var found: [SchedulingConcern] = []
    func add(_ concern: SchedulingConcern?) {
      if let concern, !found.contains(concern), found.count < Self.concernLimit {
        found.append(concern)
      }
    }
    let isStored = holderPlace != nil
    let organizer = holderPlace.flatMap { change($0) { $0.organizer } } ?? nil
    for component in message.item.components {
      if isStored { add(Self.organizerConcern(component, organizer, message)) }
      guard let senders else { continue }
      if message.method.isOfAttendee {
        for concern in attendeeConcerns(component, message, senders) { add(concern) }
      } else {
        let organizers = component.properties(named: .organizer)
        add(
          Self.senderConcern(
            isStored ? [organizer].compactMap(\.self) : organizers, senders,
            isStored: isStored))
      }
    }
    return found
  }

  /// The maximum number of concerns of a message.
  private static let concernLimit = 10
  /// The maximum number of attendees that a concern names.
  private static let nameLimit = 5

  private static func organizerConcern(
    _ component: Component, _ organizer: Property?, _ message: SchedulingMessage
  ) -> SchedulingConcern? {
    let stored = organizer?.address
    let named = component.properties(named: .organizer).map(\.address)
    guard !named.isEmpty else {
      guard message.bringsItem, !component.isOverride, stored != nil else { return nil }
      return .otherOrganizer(stored: stored, named: nil)
    }
    let other = named.first { address in stored.map { !$0.isSamePerson(as: address) } ?? true }
    return other.map { .otherOrganizer(stored: stored, named: $0) }
  }

  /// The concern about the sender of a message of the organizer.
  private static func senderConcern(
    _ organizers: [Property], _ senders: [CalendarAddress], isStored: Bool
  ) -> SchedulingConcern? {
    // A new item without an organizer claims to be of no other person.
    guard isStored || !organizers.isEmpty else { return nil }
    let expected =
      organizers.count == 1 ? organizers[0].persons : organizers.prefix(1).map(\.address)
    guard !expected.covers(senders) else { return nil }
    return .notFromOrganizer(senders: senders, organizer: expected)
  }

  /// The concerns about the sender of a message of an attendee.
  private mutating func attendeeConcerns(
    _ component: Component, _ message: SchedulingMessage, _ senders: [CalendarAddress]
  ) -> [SchedulingConcern] {
    var attendees = component.properties(named: .attendee)
    guard message.method == .reply else {
      // A COUNTER contains all attendees, one of whom sends it.
      if senders.count == 1, storedAttendee(senders[0]) != nil { return [] }
      let holder = holderPlace.flatMap { parts[$0]?.component }
      let known = holder?.properties(named: .attendee) ?? attendees
      guard !known.contains(where: { $0.persons.covers(senders) }) else { return [] }
      return [
        .notFromAttendee(
          senders: senders, attendees: known.prefix(Self.nameLimit).map(\.address))
      ]
    }
    if attendees.count > 1 { attendees.removeAll { !$0.isAnswer } }
    return attendees.flatMap { attendee -> [SchedulingConcern] in
      let stored = storedAttendee(attendee.address)
      var concerns: [SchedulingConcern] = []
      if !([attendee.address] + (stored?.persons ?? [])).covers(senders) {
        concerns.append(.notFromAttendee(senders: senders, attendees: [attendee.address]))
      }
      if stored == nil, let delegator = unconfirmedDelegator(of: attendee) {
        concerns.append(.claimedDelegation(attendee.address, from: delegator))
      }
      return concerns
    }
  }

  /// The ATTENDEE with an address in the main component, or in the first one without a main one.
  private mutating func storedAttendee(_ address: CalendarAddress) -> Property? {
    guard let place = holderPlace else { return nil }
    return change(place) { $0.attendee(address) } ?? nil
  }

  private var holderPlace: Int? { places[.series] ?? parts.firstIndex { $0 != nil } }

  /// The invited attendee from whom another one claims to have a delegation.
  private mutating func unconfirmedDelegator(of attendee: Property) -> CalendarAddress? {
    guard let place = holderPlace else { return nil }
    return change(place) { part -> CalendarAddress? in
      guard !part.hasDelegated(to: attendee.address) else { return nil }
      return attendee.addresses(of: .delegatedFrom).first { part.attendee($0) != nil }
    } ?? nil
  }
}

extension SchedulingMethod {
  /// Whether an attendee sends a message with this method (RFC 5546 §1.4).
  var isOfAttendee: Bool { [.reply, .counter, .refresh].contains(self) }
}

extension CalendarAddress {
  /// The mail address, or else the address as written, for display.
  var shortName: String { email ?? rawValue }

  /// Whether two addresses are of the same person: without regard to case, `mailto:` and the header
  /// fields of a `mailto:` URI (RFC 6068 §2).
  package func isSamePerson(as other: CalendarAddress) -> Bool { person == other.person }

  /// Whether one of some addresses is of the same person.
  package func isAny(of addresses: Set<CalendarAddress>) -> Bool {
    addresses.contains(self) || addresses.contains { $0.isSamePerson(as: self) }
  }

  private var person: Substring {
    let scheme = "mailto:"
    let address = canonicalValue.drop(while: \.isWhitespace)
    let mail = address.hasPrefix(scheme) ? address.dropFirst(scheme.count) : address
    let end = mail.lastIndex { !$0.isWhitespace }.map { mail.index(after: $0) } ?? mail.startIndex
    let trimmed = mail[..<end]
    return mail.startIndex == address.startIndex ? trimmed : trimmed.prefix { $0 != "?" }
  }
}

extension [CalendarAddress] {
  /// Whether there are senders, and all of them are among these persons.
  fileprivate func covers(_ senders: [CalendarAddress]) -> Bool {
    !senders.isEmpty && senders.allSatisfy { sender in contains { $0.isSamePerson(as: sender) } }
  }
}

extension Property {
  /// The addresses of the person that an ORGANIZER or an ATTENDEE is, and of the calendar user who
  /// acts for that person.
  ///
  /// EMAIL is the mail address of a person whose calendar address is none (RFC 7986 §6.2).
  fileprivate var persons: [CalendarAddress] {
    let isMail = address.email != nil || !address.rawValue.contains(":")
    let email = isMail ? nil : self[.email].map { CalendarAddress("mailto:\($0)") }
    return [address] + [email].compactMap(\.self) + addresses(of: .sentBy)
  }
}
