// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

extension PropertyCodec where Value == Attendee {
  private static let parameters = ParameterMapping<Attendee>([
    .text(.commonName) { swap(&$0.commonName, &$1) },
    .word(.calendarUserType, otherwise: .individual) { swap(&$0.userType, &$1) },
    .word(.role, otherwise: .required) { swap(&$0.role, &$1) },
    .word(.participationStatus, otherwise: .needsAction) { swap(&$0.participationStatus, &$1) },
    .boolean(.rsvp) { swap(&$0.expectsReply, &$1) },
    .addresses(.member) { swap(&$0.memberships, &$1) },
    .addresses(.delegatedTo) { swap(&$0.delegatedTo, &$1) },
    .addresses(.delegatedFrom) { swap(&$0.delegatedFrom, &$1) },
    .address(.sentBy) { swap(&$0.sentBy, &$1) },
    .text(.directory) { swap(&$0.directory, &$1) },
    .text(.email) { swap(&$0.email, &$1) },
    .word(.scheduleAgent, otherwise: .server) { swap(&$0.scheduleAgent, &$1) },
    .texts(.scheduleStatus) { swap(&$0.scheduleStatuses, &$1) },
  ])

  /// An attendee (RFC 5545 §3.8.4.1).
  static let attendee = PropertyCodec(
    read: { property, diagnostics in
      guard let address = property.address(&diagnostics) else { return nil }
      return person(address, property)
    },
    edit: { attendee, property in
      parameters.write(attendee, to: &property)
      property.set(address: attendee.address)
    })

  /// Creates an attendee from its address and parameters.
  ///
  /// It is a function, because a closure would copy the attendee.
  private static func person(_ address: CalendarAddress, _ property: Property) -> Attendee {
    var attendee = Attendee(address)
    parameters.read(property, into: &attendee)
    return attendee
  }
}

extension PropertyCodec where Value == Organizer {
  private static let parameters = ParameterMapping<Organizer>([
    .text(.commonName) { swap(&$0.commonName, &$1) },
    .address(.sentBy) { swap(&$0.sentBy, &$1) },
    .text(.directory) { swap(&$0.directory, &$1) },
  ])

  /// An organizer (RFC 5545 §3.8.4.3).
  static let organizer = PropertyCodec(
    read: { property, diagnostics in
      guard let address = property.address(&diagnostics) else { return nil }
      return person(address, property)
    },
    edit: { organizer, property in
      parameters.write(organizer, to: &property)
      property.set(address: organizer.address)
    })

  /// Creates an organizer from its address and parameters.
  ///
  /// It is a function, because a closure would copy the organizer.
  private static func person(_ address: CalendarAddress, _ property: Property) -> Organizer {
    var organizer = Organizer(address)
    parameters.read(property, into: &organizer)
    return organizer
  }
}

extension Property {
  /// Returns the address and reports its problems.
  fileprivate func address(_ diagnostics: inout [Diagnostic]) -> CalendarAddress? {
    if let address = usualURI { return CalendarAddress(address) }
    guard case .calendarAddress(let address)? = typedValue(&diagnostics) else { return nil }
    return CalendarAddress(address.string)
  }

  /// Sets the address unless it differs only in case.
  fileprivate mutating func set(address: CalendarAddress) {
    if CalendarAddress(rawValue) != address { rawValue = address.rawValue }
  }
}

extension PropertyCodec where Value == CalendarAddress {
  /// The address of a calendar user (RFC 9073 §6.4).
  static let address = PropertyCodec(
    read: { property, diagnostics in property.address(&diagnostics) },
    edit: { $1.set(address: $0) })
}
