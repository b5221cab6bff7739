// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Recurrence

/// The result of an edit of an item, in words: its length and other values after the edit, those
/// before it, and the events that it overlaps.
package struct ChangeWords: Hashable, Sendable {
  /// A value in words.
  package struct Value: Hashable, Sendable {
    /// The kind of a value; the raw values are stable.
    package enum Part: String, Hashable, Sendable, CaseIterable {
      /// The time between start and end.
      case length
      /// The start of a reminder, if it is not when the reminder is due.
      case start
      /// The reminder of which another one is a part.
      case parent
      /// The repetition.
      case `repeat`
      /// An alarm.
      case alarm
      /// The location.
      case place
      /// The categories.
      case categories
      /// The access classification of an item that is not public.
      case classification = "class"
      /// That a new reminder has no date.
      case undated
      /// The priority.
      case priority
      /// The address of a page about the item.
      case url
      /// The first line of the description.
      case note
      /// The attendees other than the organizer and the user.
      case people
      /// The user's answer to an invitation, or the answer of an attendee to the user's own.
      case answer
      /// The status of an event or a journal entry.
      case status
      /// That the time is the same in every time zone.
      case floating
      /// That the time is stored in UTC, and so follows no zone's summer time.
      case utc
      /// The years or the months that the repetition skips.
      case skips
      /// The new time of the only occurrence that changes.
      case now
      /// The time and other values before the edit that changed, or the calendar before a move.
      case was
      /// The end in another zone than the start.
      case ends
      /// The time in the viewer's zone, of an event in another one.
      case here
      /// The next open occurrence of a reminder.
      case next
      /// The properties that were removed with a former location or description.
      case lost
      /// A busy time of another event at the same time.
      case overlaps
      /// A new item whose time is over.
      case past
    }

    /// The kind of the value.
    package let part: Part
    /// The text.
    package let text: String

    /// That an event or a journal entry is cancelled, so that most views leave it out.
    static let cancelled = Value(part: .status, text: "cancelled")

    /// The text with a word for what it is.
    var phrase: String {
      switch part {
      case .alarm: "alarm \(text)"
      case .start: "start \(text)"
      case .place: "at \(text)"
      case .categories: "category \(text)"
      case .priority: "priority \(text)"
      case .note: "note \"\(text)\""
      case .parent: "part of \(text)"
      case .people: "with \(text)"
      case .answer: "answer \(text)"
      case .status: "status \(text)"
      default: text
      }
    }
  }

  /// The values, in the order in which they are read.
  package internal(set) var values: [Value] = []

  /// The values on lines: those of the item on the first one, then each of the others.
  package var lines: [String] {
    let own: [Value.Part] = [
      .undated, .length, .start, .parent, .repeat, .alarm, .place, .categories, .classification,
      .priority, .url, .note, .people, .answer, .status, .floating, .utc,
    ]
    let first = values.filter { own.contains($0.part) }.map(\.phrase)
    // The time before the words has the end.
    let rest = values.filter { !own.contains($0.part) && $0.part != .ends }.map { value in
      let isWhole = [.past, .skips, .lost].contains(value.part)
      return isWhole ? value.text : "\(value.part.rawValue) \(value.text)"
    }
    return (first.isEmpty ? [] : [first.joined(separator: ", ")]) + rest
  }

  mutating func add(_ part: Value.Part, _ text: String?) {
    guard let text, !text.isEmpty else { return }
    values.append(Value(part: part, text: text))
  }
}
