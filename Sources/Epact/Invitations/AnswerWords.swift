// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// The subject and the text of an answer, for people without a calendar program.
struct AnswerWords {
  let answer: InvitationAnswer
  let message: SchedulingMessage
  let viewer: ZoneRules
  let machine: Machine

  private var title: String { Self.line(answer.invitation.item.title) }

  /// The subject of the mail.
  var subject: String {
    if message.method == .counter { return "New time proposed: \(title)" }
    return switch answer.status {
    case .accepted: "Accepted: \(title)"
    case .tentative: "Tentative: \(title)"
    case .declined: "Declined: \(title)"
    default: "\(answer.status.rawValue): \(title)"
    }
  }

  /// The lines of the text.
  var body: [String] {
    let verb =
      switch answer.status {
      case .accepted: "accepts"
      case .tentative: "tentatively accepts"
      case .declined: "declines"
      default: "answers \(answer.status.rawValue) to"
      }
    var lines = ["\(answer.attendee.displayName) \(verb) the invitation to \"\(title)\"."]
    let facts = [
      ("When", time(of: answer.invitation.item)),
      ("Proposed instead", message.method == .counter ? time(of: message.item) : nil),
      ("Where", answer.invitation.component[.location].map { Self.line($0.text) }),
    ].compactMap { name, value in value.flatMap { $0.isEmpty ? nil : "\(name): \($0)" } }
    if !facts.isEmpty { lines += [""] + facts }
    if let comment = answer.comment {
      let written = comment.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      lines += [""] + written.map(String.init)
    }
    return lines
  }

  static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func time(of item: CalendarItem) -> String? {
    Self.time(of: item, viewer: viewer, machine: machine)
  }

  /// The time of the first occurrence with its zone, and the rule.
  static func time(of item: CalendarItem, viewer: ZoneRules, machine: Machine) -> String? {
    let occurrences = Invitation.occurrences(of: item, viewer: viewer, machine: machine)
    guard let first = occurrences.first else { return nil }
    let rules = (item.main.map { Invitation.content(of: $0) })?.recurrence.rules ?? []
    let words =
      [range(of: first)] + rules.map { "(\($0.describe(from: first.start.time.date)))" }
    return words.joined(separator: " ")
  }

  /// The dates, or the times with their zone: `2026-03-02 09:00–10:00 Europe/Vienna`.
  private static func range(of occurrence: Occurrence) -> String {
    let (start, end) = (occurrence.start, occurrence.end)
    if occurrence.isAllDay {
      let last = OccurrenceTime(.date(end.time.date.adding(days: -1) ?? end.time.date), end.instant)
      let dates = [start.rfc3339, last.rfc3339]
      return dates[0] == dates[1] ? dates[0] : dates.joined(separator: " – ")
    }
    func text(_ time: OccurrenceTime) -> String {
      String(time.rfc3339.prefix(16)).replacing("T", with: " ")
    }
    let isOneDay = start.time.date == end.time.date
    let range =
      isOneDay ? "\(text(start))–\(text(end).suffix(5))" : "\(text(start)) – \(text(end))"
    let zone = start.time.tzID ?? (start.offset == .zero ? "UTC" : "")
    return zone.isEmpty ? range : "\(range) \(zone)"
  }
}

extension LibraryEditor {
  /// The occurrences of a stored invitation that keep another answer of the attendee, which the answer
  /// to the series does not concern; nil for none.
  package func otherAnswers(in item: CalendarItem, of answer: InvitationAnswer) -> String? {
    let answered = Set(answer.invitation.item.overrides.compactMap { Event($0).recurrenceID?.time })
    let times = item.overrides.map { Event($0) }.compactMap { event -> EventTime? in
      guard let time = event.recurrenceID?.time, !answered.contains(time),
        let own = event.attendees.first(where: {
          $0.address.isSamePerson(as: answer.attendee.address)
        }), own.participationStatus != answer.status,
        own.participationStatus != .needsAction
      else { return nil }
      return time
    }
    guard let dates = dates(of: times) else { return nil }
    return times.count == 1
      ? "the occurrence of \(dates) keeps its own answer"
      : "\(times.count) occurrences keep their own answers: \(dates)"
  }
}
