// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
public import ICalSyntax

/// A message about an event or a reminder with its participants (RFC 5546).
public struct Invitation: Sendable {
  /// The mail or the file that contains the message.
  public let mail: ReceivedMail
  /// The method; nil for a calendar without METHOD.
  public let method: SchedulingMethod?
  /// The item of the message.
  public let item: CalendarItem
  /// The main component, or the first override if the message concerns single occurrences.
  public let component: Component
  /// The organizer; nil if there is none.
  public let organizer: Organizer?
  /// The attendees of all components, each once.
  public let attendees: [Attendee]

  /// The maximum number of occurrences that are compared with other calendars.
  private static let occurrenceLimit = 366
  /// The length of the range of occurrences, in seconds.
  private static let reach: Int64 = 366 * 86_400

  /// Creates an invitation from a message; nil if the item has no component.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - mail: The mail or the file that contains it.
  public init?(_ message: ReceivedMail.Message, of mail: ReceivedMail) {
    guard let component = message.item.main ?? message.item.components.first else { return nil }
    self.mail = mail
    method = message.method
    item = message.item
    self.component = component
    organizer = Self.content(of: component).organizer
    var attendees: [Attendee] = []
    var known: Set<CalendarAddress> = []
    for component in [component] + item.components {
      attendees += Self.content(of: component).attendees.filter {
        known.insert($0.address).inserted
      }
    }
    self.attendees = attendees
  }

  /// The only invitation in a mail.
  ///
  /// - Parameter mail: The mail or the file.
  /// - Throws: `EpactError` if it contains no message or several ones that can be answered.
  public init(answerableIn mail: ReceivedMail) throws(EpactError) {
    let all = mail.messages.compactMap { Invitation($0, of: mail) }
    let answerable = all.filter(\.isAnswerable)
    guard let first = answerable.first else {
      let found = all.first?.method.map { "found a \($0.rawValue)" } ?? "found none"
      throw EpactError(
        .failed, "\(mail.label): expected an invitation with an organizer and attendees, \(found)",
        subject: mail.label,
        remedy: all.contains(where: \.isAppliedWithoutAnswer)
          ? .applyMessage(file: mail.label) : nil)
    }
    guard Set(answerable.map(\.item.uid)).count == 1 else {
      throw EpactError(
        .failed, "\(mail.label): expected one invitation, found \(answerable.count)",
        details: answerable.map(\.item.title), subject: mail.label)
    }
    self = first
  }

  /// The contents of a component, whatever its kind.
  static func content(of component: Component) -> any ItemContent {
    component.name == .reminder ? Reminder(component) : Event(component)
  }

  /// Whether the message can be answered: a request with an organizer and attendees.
  public var isAnswerable: Bool {
    let method = method ?? .request
    return (method == .request || method == .add) && organizer != nil
      && !attendees.isEmpty && (item.kind == .event || item.kind == .reminder)
  }

  /// Whether the message changes the calendar, but is not answered.
  private var isAppliedWithoutAnswer: Bool {
    [.cancel, .reply, .publish].contains { $0 == method }
  }

  /// The message for the calendar; a calendar without METHOD counts as a request.
  public var message: SchedulingMessage { SchedulingMessage(method ?? .request, item) }

  /// The occurrences from now on within about a year; all of them if the last one is over.
  ///
  /// - Parameters:
  ///   - viewer: The viewer's time zone, for dates and floating times.
  ///   - machine: The time zones and the clock.
  /// - Returns: The occurrences in order, at most 366.
  public func occurrences(viewer: ZoneRules, machine: Machine) -> [Occurrence] {
    Self.occurrences(of: item, viewer: viewer, machine: machine)
  }

  /// The occurrences of an item, as those of an invitation.
  static func occurrences(
    of item: CalendarItem, viewer: ZoneRules, machine: Machine
  ) -> [Occurrence] {
    guard let span = item.span else { return [] }
    func find(from start: Instant) -> [Occurrence] {
      let end = min(start.adding(seconds: reach) ?? span.upperBound, span.upperBound)
      guard start < end else { return [] }
      var options = OccurrenceOptions()
      options.recurrence = machine.recurrenceOptions
      // A message that cancels an event names its time, too.
      options.includesCancelled = item.components.allSatisfy {
        Event($0).status == .cancelled
      }
      var query = OccurrenceQuery(
        in: start..<end, viewer: viewer, zones: machine.zoneResolver, options: options)
      query.add(item)
      return Array(query.occurrences().prefix(occurrenceLimit))
    }
    let coming = find(from: max(span.lowerBound, machine.now()))
    return coming.isEmpty ? find(from: span.lowerBound) : coming
  }
}

extension Invitation {
  /// Whether the user is the organizer, to whom attendees send their answers.
  ///
  /// - Parameter addresses: The user's addresses.
  /// - Returns: Whether one of them is that of the organizer.
  package func isOrganizer(among addresses: Set<CalendarAddress>) -> Bool {
    organizer?.address.isAny(of: addresses) ?? false
  }

  /// The attendees that the user may be, for a question to the user.
  ///
  /// These are the attendees with one of the user's addresses. Only if no address of the user is
  /// known, they are all guests: the individuals other than the organizer. The recipients of the
  /// mail do not count, because mails are forwarded, and lists have members.
  ///
  /// - Parameter addresses: The user's addresses.
  /// - Returns: The attendees.
  public func candidates(for addresses: Set<CalendarAddress>) -> [Attendee] {
    guard addresses.isEmpty else { return attendees(with: addresses) }
    return attendees.filter { attendee in
      attendee.address != organizer?.address
        && ![.room, .resource, .group].contains(attendee.userType)
    }
  }

  /// The attendees with one of some addresses: their calendar address, or EMAIL (RFC 7986 §6.2).
  ///
  /// If there is none, they are the attendees for whom a calendar user with one of the addresses
  /// acts (SENT-BY, RFC 5546 §2.1.1).
  public func attendees(with addresses: Set<CalendarAddress>) -> [Attendee] {
    let own = attendees.filter { $0.isAny(of: addresses) }
    guard own.isEmpty else { return own }
    return attendees.filter { $0.sentBy?.isAny(of: addresses) ?? false }
  }

  /// The attendee that the user is.
  ///
  /// The user answers only in their own name: without a chosen address, the attendee must have one
  /// of the user's addresses.
  ///
  /// - Parameters:
  ///   - address: The address that the user chose; nil for none.
  ///   - addresses: The user's addresses.
  /// - Returns: The attendee.
  /// - Throws: `EpactError` with the attendees if none or several fit.
  public func attendee(
    as address: String?, addresses: Set<CalendarAddress>
  ) throws(EpactError) -> Attendee {
    let found =
      if let address {
        CalendarAddress(ofUser: address).map { attendees(with: [$0]) } ?? []
      } else {
        attendees(with: addresses)
      }
    if found.count == 1 { return found[0] }
    let names = (found.isEmpty ? attendees : found).map(\.displayName)
    let reason =
      if let address, found.isEmpty {
        "\(address) is not invited; the attendees are"
      } else {
        "expected one attendee who is you, found \(found.count)"
      }
    throw EpactError(
      .argument, "\(mail.label): \(reason)", details: names, subject: mail.label,
      remedy: address == nil ? .identifyUser : nil)
  }
}

extension Attendee {
  /// The name and the mail address, or the calendar address.
  package var displayName: String {
    mailbox?.description ?? commonName.map { "\($0) <\(address)>" } ?? address.rawValue
  }

  /// The mailbox; nil if no address of the attendee is a mail address.
  var mailbox: Mailbox? {
    Mailbox(address, name: commonName)
      ?? email.flatMap { Mailbox(CalendarAddress("mailto:\($0)"), name: commonName) }
  }
}

extension Organizer {
  /// The name and the mail address, or the calendar address.
  package var displayName: String {
    mailbox?.description ?? commonName.map { "\($0) <\(address)>" } ?? address.rawValue
  }

  /// The mailbox; nil if the calendar address is not a mail address.
  var mailbox: Mailbox? { Mailbox(address, name: commonName) }
}
