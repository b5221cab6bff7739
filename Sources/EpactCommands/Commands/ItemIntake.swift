// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax

/// Applies all parts of a UID to its item: plain items and scheduling messages.
///
/// `ItemUpdate` applies plain items, and `ScheduledItem` applies messages.
struct ItemIntake {
  /// A part that did not change the item.
  struct Note {
    let outcome: ImportReport.Outcome
    let title: String
    let uid: UID
    let reason: String
  }

  /// The maximum number of changes by messages that are described.
  private static let reasonLimit = 3

  private let stored: CalendarItem?
  private let zones: ZoneResolver
  private let labels: [String]
  /// The item without the messages that are currently being applied.
  private var current: CalendarItem?
  /// The item with these messages, during a sequence of messages.
  private var scheduled: ScheduledItem?
  private var isChangedByMessages = false
  private var changes: [String] = []
  /// Notes that are reported in addition to the change.
  private(set) var notes: [Note] = []

  /// Starts with the stored item.
  ///
  /// - Parameters:
  ///   - stored: The item in the calendar; nil if there is none.
  ///   - zones: The resolver for the time zones of occurrences in messages.
  ///   - labels: The labels of the files by their numbers.
  init(_ stored: CalendarItem?, zones: ZoneResolver, labels: [String]) {
    self.stored = stored
    self.zones = zones
    self.labels = labels
    current = stored
  }

  /// The item to store; nil if there is none.
  var item: CalendarItem? { scheduled.map(\.item) ?? current }

  /// Whether the item has to be written.
  var isChanged: Bool {
    if isChangedByMessages { return true }
    return item.map { $0.fingerprint != stored?.fingerprint } ?? false
  }

  /// The changes by messages as text; nil if there are none.
  var reason: String? {
    guard !changes.isEmpty else { return nil }
    let named = changes.prefix(Self.reasonLimit).joined(separator: "; ")
    let rest = changes.count - Self.reasonLimit
    return rest > 0 ? "\(named); \(Count(rest, "more message"))" : named
  }

  /// Applies a part.
  mutating func take(_ part: ImportedPart) {
    if let message = SchedulingMessage(part.item) {
      apply(message, part)
    } else {
      update(by: part.item)
    }
  }

  private mutating func update(by incoming: CalendarItem) {
    current = item
    scheduled = nil
    switch ItemUpdate(of: current, by: incoming) {
    case .added(let new), .updated(let new): current = new
    case .unchanged: break
    case .older(let before, let sequence):
      note(.older, incoming, "its SEQUENCE is \(sequence), the calendar has one with \(before)")
    case .otherKind(let before, let kind):
      note(
        .rejected, incoming,
        "it is a \(kind.rawValue), but this is the UID of a \(before.rawValue)")
    }
  }

  private mutating func apply(_ message: SchedulingMessage, _ part: ImportedPart) {
    var scheduled = scheduled ?? ScheduledItem(current, zones: zones)
    self.scheduled = nil  // so that what is changed has one owner
    let results = scheduled.apply(message)
    self.scheduled = scheduled
    let label = labels.indices.contains(part.source) ? labels[part.source] : ""
    for result in results {
      let line = part.lines.indices.contains(result.place) ? part.lines[result.place] : 0
      let text = SchedulingText(message, place: line > 0 ? "\(label):\(line)" : label)
      switch result.outcome {
      case .added: isChangedByMessages = true
      case .updated:
        isChangedByMessages = true
        // Publishing a new version is routine, so that it is not described.
        if message.method != .publish { changes.append(text.words(result)) }
      case .unchanged: break
      case .stale: note(.older, message.item, text.words(result), title: stored?.title)
      case .informative: note(.noted, message.item, text.words(result), title: stored?.title)
      case .refused: note(.rejected, message.item, text.words(result), title: stored?.title)
      }
    }
  }

  private mutating func note(
    _ outcome: ImportReport.Outcome, _ incoming: CalendarItem, _ reason: String,
    title: String? = nil
  ) {
    notes.append(
      Note(
        outcome: outcome, title: title ?? incoming.title, uid: incoming.uid, reason: reason))
  }
}
