// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A file of an import.
struct ImportedFile: Hashable, Sendable {
  let label: String
  let origin: SchedulingOrigin
}

/// Applies all parts of a UID to its item: plain items and scheduling messages.
///
/// `ItemUpdate` applies plain items, and `ScheduledItem` applies messages.
struct ItemIntake {
  /// The maximum number of changes by messages that are described.
  private static let reasonLimit = 3

  private let stored: CalendarItem?
  private let zones: ZoneResolver
  private let files: [ImportedFile]
  private let prompt: (any SchedulingPrompt)?
  /// The addresses of the calendar's owner.
  var userAddresses: Set<CalendarAddress> = []
  /// The item without the messages that are currently being applied.
  private var current: CalendarItem?
  /// The item with these messages, during a sequence of messages.
  private var scheduled: ScheduledItem?
  /// The version that was taken from a file of this import.
  private var taken: (source: Int, item: CalendarItem)?
  private var isChangedByMessages = false
  private var changes: [String] = []
  /// Notes that are reported in addition to the change.
  private(set) var notes: [ImportedItem] = []

  /// Starts with the stored item.
  ///
  /// - Parameters:
  ///   - stored: The item in the calendar; nil if there is none.
  ///   - zones: The resolver for the time zones of occurrences in messages.
  ///   - files: The files by their numbers.
  ///   - prompt: Asks the user to confirm messages; nil if no user can be asked.
  init(
    _ stored: CalendarItem?, zones: ZoneResolver, files: [ImportedFile],
    prompt: (any SchedulingPrompt)?
  ) {
    // TZIDs are compared by their meanings, because a calendar can contain them under other names.
    let stored = stored?.normalized(by: NormalForm(zones: zones))
    self.stored = stored
    self.zones = zones
    self.files = files
    self.prompt = prompt
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
    return rest > 0 ? "\(named); \(rest) more \(rest == 1 ? "message" : "messages")" : named
  }

  /// Applies a part.
  ///
  /// - Throws: An error of the prompt.
  mutating func take(_ part: ImportedPart) async throws {
    if let message = SchedulingMessage(part.item) {
      try await apply(message, part)
    } else {
      try await update(by: part)
    }
  }

  private func file(of part: ImportedPart) -> ImportedFile {
    files.indices.contains(part.source)
      ? files[part.source] : ImportedFile(label: "", origin: SchedulingOrigin())
  }

  /// Whether the user confirms a message in spite of its concerns.
  private func isConfirmed(
    _ concerns: [SchedulingConcern], _ method: SchedulingMethod?, _ part: ImportedPart
  ) async throws -> Bool {
    guard let prompt, prompt.canAsk else { return false }
    return try await prompt.confirm(
      SchedulingQuestion(
        label: file(of: part).label, title: (stored ?? part.item).title, method: method,
        concerns: concerns))
  }

  /// The concerns about an item without METHOD.
  ///
  /// In a mail it counts as a request. In a file it is a copy of the user, which may not take over
  /// the meeting of an organizer.
  private func concerns(about incoming: CalendarItem, from senders: [CalendarAddress]?)
    -> [SchedulingConcern]
  {
    let hasOrganizer = current?.components.contains { $0[.organizer] != nil } ?? false
    guard senders != nil || hasOrganizer else { return [] }
    var scheduled = ScheduledItem(current, zones: zones)
    return scheduled.concerns(of: SchedulingMessage(.request, incoming), from: senders)
  }

  private mutating func update(by part: ImportedPart) async throws {
    let incoming = part.item.normalized(by: NormalForm(zones: zones))
    current = item
    scheduled = nil
    // The version of an earlier file is not silently replaced by that of a later one.
    if let taken, taken.source != part.source, taken.item.fingerprint != incoming.fingerprint,
      current?.fingerprint == taken.item.fingerprint
    {
      note(.older, taken.item, "\(file(of: part).label) has another version with the same UID")
    }
    defer { if current?.fingerprint == incoming.fingerprint { taken = (part.source, incoming) } }
    switch ItemUpdate(of: current, by: incoming) {
    case .added(let new), .updated(let new):
      let origin = file(of: part).origin
      if !origin.isConfirmed {
        let concerns = concerns(about: incoming, from: origin.senders)
        let isTrusted = concerns.isEmpty ? true : try await isConfirmed(concerns, nil, part)
        guard isTrusted else {
          let reason = concerns.map(\.description).joined(separator: "; ")
          note(.rejected, incoming, "in \(file(of: part).label): \(reason)", concerns: concerns)
          return
        }
      }
      current = new
    case .unchanged: break
    case .older(let before, let version) where before.sequence != version.sequence:
      note(
        .older, incoming,
        "its SEQUENCE is \(version.sequence), the calendar has one with \(before.sequence)")
    case .older(let before, let version):
      note(
        .older, incoming,
        "it was changed at \(version.stamp), the calendar has a version of \(before.stamp)")
    case .otherKind(let before, let kind):
      note(
        .rejected, incoming,
        "it is a \(kind.rawValue), but this is the UID of a \(before.rawValue)")
    }
  }

  private mutating func apply(_ message: SchedulingMessage, _ part: ImportedPart) async throws {
    var scheduled = scheduled ?? ScheduledItem(current, zones: zones)
    scheduled.userAddresses = userAddresses
    self.scheduled = nil  // so that what is changed has one owner
    let label = file(of: part).label
    var origin = file(of: part).origin
    let concerns = origin.isConfirmed ? [] : scheduled.concerns(of: message, from: origin.senders)
    if !concerns.isEmpty, !message.method.isInformative {
      origin.isConfirmed = try await isConfirmed(concerns, message.method, part)
    }
    let results = scheduled.apply(message, from: origin)
    self.scheduled = scheduled
    for result in results {
      let line = part.lines.indices.contains(result.place) ? part.lines[result.place] : 0
      let effect = SchedulingEffect(
        method: message.method, result: result, place: line > 0 ? "\(label):\(line)" : label,
        comment: message.method == .reply ? message.comment(at: result.place) : nil)
      switch result.outcome {
      case .added: isChangedByMessages = true
      case .updated:
        isChangedByMessages = true
        // Publishing a new version is routine, so that it is not described.
        if message.method != .publish { changes.append(effect.description) }
      case .unchanged: break
      case .stale: note(.older, message.item, effect.description, title: stored?.title)
      case .informative:
        let reasons = [effect.description] + concerns.map(\.description)
        note(.noted, message.item, reasons.joined(separator: "; "), title: stored?.title)
      case .refused(.unconfirmed(let concerns)):
        note(
          .rejected, message.item, effect.description, title: stored?.title, concerns: concerns)
      case .refused: note(.rejected, message.item, effect.description, title: stored?.title)
      }
    }
  }

  private mutating func note(
    _ outcome: ImportOutcome, _ incoming: CalendarItem, _ reason: String,
    title: String? = nil, concerns: [SchedulingConcern] = []
  ) {
    var note = ImportedItem(
      outcome, title: title ?? incoming.title, uid: incoming.uid, reason: reason)
    note.concerns = concerns
    notes.append(note)
  }
}

extension SchedulingMessage {
  /// The first line of the comment of a component; nil for none.
  fileprivate func comment(at place: Int) -> String? {
    guard item.components.indices.contains(place) else { return nil }
    let lines = item.components[place][.comment]?.text.split(whereSeparator: \.isNewline)
    return lines?.first.map { String($0.prefix(200)) }
  }
}

/// The effect of one component of a scheduling message, described for people.
private struct SchedulingEffect: CustomStringConvertible {
  let method: SchedulingMethod
  let result: SchedulingResult
  /// The file and the line of the component.
  let place: String
  /// The remark of the attendee; nil for none.
  let comment: String?

  var description: String {
    let occurrence = result.recurrenceID.map { " for the occurrence \($0)" } ?? ""
    let remark = comment.map { ", \"\($0)\"" } ?? ""
    return "\(method.rawValue)\(occurrence) in \(place): \(words(result.outcome))\(remark)"
  }

  private func words(_ outcome: SchedulingOutcome) -> String {
    switch outcome {
    case .added: "new"
    case .updated(let change): words(change)
    case .unchanged: "the calendar has it already"
    case .stale(let stored, let incoming):
      if stored.sequence == incoming.sequence {
        "its DTSTAMP is \(incoming.stamp), the calendar has one with \(stored.stamp)"
      } else {
        "its SEQUENCE is \(incoming.sequence), the calendar has one with \(stored.sequence)"
      }
    case .informative: question
    case .refused(.unknownMethod): "\(SchedulingRefusal.unknownMethod); nothing is changed"
    case .refused(let refusal): "\(refusal)"
    }
  }

  private var question: String {
    switch method {
    case .refresh: "an attendee asks for the latest version; nothing is changed"
    case .counter: "an attendee proposes a change; nothing is changed"
    case .declineCounter: "the organizer declines a proposed change; nothing is changed"
    default: "it asks for busy time; nothing is changed"
    }
  }

  private func words(_ change: SchedulingChange) -> String {
    switch change {
    case .revised: "a new version"
    case .answered(let attendee, let status): "\(name(attendee)) answers \(status.rawValue)"
    case .cancelled: "cancelled"
    case .cancelledFuture: "cancelled from this occurrence on"
    case .uninvited(let attendees):
      "no longer invited: \(attendees.map(name).joined(separator: ", "))"
    case .occurrenceAdded(let isComplete):
      isComplete
        ? "an occurrence is added" : "an occurrence is added; revisions before it are missing"
    }
  }

  private func name(_ attendee: CalendarAddress) -> String {
    attendee.email ?? attendee.rawValue
  }
}
