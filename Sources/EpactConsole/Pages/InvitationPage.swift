// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
package import Epact
package import ICUServices
import ICalSyntax
import Recurrence

/// Formats an invitation for the terminal.
///
///     Board meeting
///       from      Ann <ann@example.org>
///       organizer Ann <ann@example.org>
///       when      Monday, March 2, 2026 at 9:00 AM – 10:00 AM
///       where     Room 1
///       invited   Ben <ben@example.org> (you): no answer
///       stored    in home, with the answer: accepted
///       collides  Stand-up, 9:30 AM – 9:45 AM (work)
package struct InvitationPage: ~Copyable {
  /// The maximum number of attendees and collisions that are listed.
  private static let listLimit = 20
  /// The maximum length of a text, in characters.
  private static let textLimit = 2000

  private var dates: ViewDates
  private let viewer: ZoneRules
  /// The attendee who is the user; nil if unknown.
  private let user: Attendee?
  /// The user's addresses, by which the organizer is recognized.
  private let addresses: Set<CalendarAddress>

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - locale: The locale of dates and times.
  ///   - viewer: The viewer's time zone.
  ///   - user: The attendee who is the user; nil if unknown.
  ///   - addresses: The user's addresses.
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(
    locale: String, viewer: ZoneRules, user: Attendee?, addresses: Set<CalendarAddress> = []
  ) throws(ICUError) {
    self.addresses = addresses
    dates = try ViewDates(locale: locale)
    self.viewer = viewer
    self.user = user
  }

  /// The lines of an invitation.
  ///
  /// - Parameters:
  ///   - invitation: The invitation.
  ///   - review: The comparison with the user's calendars.
  /// - Returns: The lines.
  /// - Throws: `ICUError` if ICU lacks its data.
  package mutating func lines(
    of invitation: Invitation, _ review: InvitationReview
  ) throws(ICUError) -> [ConsoleText] {
    var lines: [ConsoleText] = ["\(Self.line(invitation.item.title), .bold)"]
    func add(_ name: String, _ values: [ConsoleText]) {
      for (number, value) in values.enumerated() {
        let label = DisplayWidth.padded(number == 0 ? name : "", to: 10)
        lines.append("  \(label, .dim)\(value)")
      }
    }
    add("kind", [Self.kind(of: invitation)])
    add("from", Self.authors(of: invitation.mail))
    let isOrganizer = invitation.isOrganizer(among: addresses)
    add("organizer", invitation.organizer.map { [Self.organizer($0, isOrganizer)] } ?? [])
    add("caution", review.concerns.map { "\($0.description, .red)" })
    add("when", try times(of: invitation, review))
    let component = invitation.component
    add("invalid", component.unreadableTimes.map { "\($0, .red)" })
    add("where", Self.texts(component[.location]?.text))
    add("comment", component.properties(named: .comment).flatMap { Self.texts($0.text) })
    add("about", Self.texts(component[.descriptionText]?.text))
    let user = user
    add(
      Self.isAnswer(invitation) ? "answer" : "invited", Self.attendees(of: invitation, user, review)
    )
    let guest = isOrganizer ? nil : user
    add("stored", review.copies.map { Self.stored($0, guest) })
    add("collides", try collisions(of: review))
    return lines
  }

  /// The purpose of the message.
  private static func kind(of invitation: Invitation) -> ConsoleText {
    let what = invitation.item.kind == .reminder ? "a reminder" : "an event"
    return switch invitation.method {
    case .request?: "invitation to \(what)"
    case nil: "\(what) without a method"
    case .publish?: "\(what), published"
    case .cancel?: "\("cancellation", .red) of \(what)"
    case .reply?: "answer to an invitation"
    case .add?: "additional occurrence of \(what)"
    case .counter?: "proposal to change \(what)"
    case .declineCounter?: "a proposal to change \(what) is declined"
    case .refresh?: "request for the latest version of \(what)"
    case let other?: "message with the method \(other.rawValue)"
    }
  }

  private mutating func times(
    of invitation: Invitation, _ review: InvitationReview
  ) throws(ICUError) -> [ConsoleText] {
    guard let first = review.occurrences.first else { return [] }
    var lines: [ConsoleText] = ["\(try time(of: first))"]
    let rules = (invitation.item.main.map { Event($0) })?.recurrence.rules ?? []
    lines += rules.map { "\($0.describe(from: first.start.time.date))" }
    if rules.isEmpty, review.occurrences.count > 1 {
      lines.append("and \(review.occurrences.count - 1) more times")
    }
    return lines
  }

  /// The first and the last day, or the times in the viewer's time zone.
  private mutating func time(of occurrence: Occurrence) throws(ICUError) -> String {
    if occurrence.isAllDay {
      let (first, end) = (occurrence.start.time.date, occurrence.end.time.date)
      let last = max(first, end.adding(days: -1) ?? end)
      let days = try [first, last].map { (day) throws(ICUError) in
        try dates.text(day, .weekdayAndDate)
      }
      return first == last ? days[0] : days.joined(separator: " – ")
    }
    let interval = occurrence.interval
    guard let start = viewer.civil(at: interval.lowerBound),
      let end = viewer.civil(at: interval.upperBound)
    else { return occurrence.start.rfc3339 }
    let text = "\(try dates.text(start.date, .weekdayAndDate)), \(try dates.text(start.time))"
    if interval.isEmpty { return text }
    if start.date == end.date { return "\(text)–\(try dates.text(end.time))" }
    return "\(text) – \(try dates.text(end.date, .weekdayAndDate)), \(try dates.text(end.time))"
  }

  /// The authors of a mail, and the mailbox that sent it for them.
  private static func authors(of mail: ReceivedMail) -> [ConsoleText] {
    guard let authors = mail.authors else { return [] }
    let sender = mail.transmitter.map { "sent by \($0.description)" }
    let names = authors.isEmpty ? ["unknown"] : authors.map(\.description)
    return (names + [sender].compactMap(\.self)).map { "\($0)" }
  }

  private static func organizer(_ organizer: Organizer, _ isUser: Bool) -> ConsoleText {
    let name: ConsoleText =
      isUser ? "\(organizer.displayName, .bold) (you)" : "\(organizer.displayName)"
    guard let agent = organizer.sentBy else { return name }
    return name + ", by \(agent.email ?? agent.rawValue)"
  }

  private static func isAnswer(_ invitation: Invitation) -> Bool { invitation.method == .reply }

  /// The attendees with their answers; one who answers without an invitation is named as such.
  private static func attendees(
    of invitation: Invitation, _ user: Attendee?, _ review: InvitationReview
  ) -> [ConsoleText] {
    var lines: [ConsoleText] = invitation.attendees.prefix(listLimit).map { attendee in
      let isUser = attendee.address == user?.address
      let answer = attendee.participationStatus.text
      if isUser { return "\(attendee.displayName, .bold) (you): \(answer)" }
      let isUninvited =
        isAnswer(invitation) && !review.copies.isEmpty
        && review.copies.allSatisfy { $0.answer(of: attendee) == nil }
      return isUninvited
        ? "\(attendee.displayName): \(answer), \("not invited", .red)"
        : "\(attendee.displayName): \("\(answer)", .dim)"
    }
    let rest = invitation.attendees.count - lines.count
    if rest > 0 { lines.append("and \(Count(rest, "more", plural: "more"))") }
    return lines
  }

  private static func stored(_ copy: InvitationReview.Copy, _ user: Attendee?) -> ConsoleText {
    let relation =
      switch copy.standing {
      case .same: ""
      case .update: ", in an earlier version"
      case .outdated: ", in a newer version"
      }
    let answer = user.flatMap { copy.answer(of: $0) }.map { "; your answer: \($0.text)" }
    return "in \(copy.calendar.name)\(relation)\(answer ?? "")"
  }

  private mutating func collisions(
    of review: InvitationReview
  ) throws(ICUError) -> [ConsoleText] {
    var lines: [ConsoleText] = []
    for collision in review.collisions.prefix(Self.listLimit) {
      let time = try time(of: collision.other)
      lines.append("\(collision.other.title, .yellow), \(time) \("(\(collision.calendar))", .dim)")
    }
    let rest = review.collisions.count - lines.count
    if rest > 0 { lines.append("and \(rest) more") }
    return lines
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The lines of a text, up to a limit.
  private static func texts(_ text: String?) -> [ConsoleText] {
    (text ?? "").prefix(textLimit).split(whereSeparator: \.isNewline).map { "\(String($0))" }
  }
}
