// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
public import ICalSyntax

/// The outcome of an item of an import.
public enum ImportOutcome: String, Hashable, Sendable, CaseIterable {
  /// The calendar had no such item.
  case added
  /// The item replaces or changes that of the calendar.
  case updated
  /// The calendar has an equivalent item.
  case unchanged
  /// The calendar has a newer version.
  case older
  /// The message needs a decision by the user, and changes nothing.
  case noted
  /// The item cannot be imported.
  case rejected
}

/// An item of an import and its outcome.
public struct ImportedItem: Hashable, Sendable {
  /// The outcome.
  public let outcome: ImportOutcome
  /// The title, for people.
  public let title: String
  /// The UID.
  public let uid: UID
  /// The reason for the outcome, if it needs one.
  public let reason: String?
  /// The concerns of a rejected message, which the user can confirm.
  public internal(set) var concerns: [SchedulingConcern] = []
  /// The item before the import; nil unless it was updated.
  package internal(set) var before: CalendarItem?
  /// The item after the import; nil unless it was updated.
  package internal(set) var after: CalendarItem?

  init(_ outcome: ImportOutcome, title: String, uid: UID, reason: String?) {
    self.outcome = outcome
    self.title = title
    self.uid = uid
    self.reason = reason
  }

  init(_ outcome: ImportOutcome, _ item: CalendarItem, reason: String? = nil) {
    self.init(outcome, title: item.title, uid: item.uid, reason: reason)
  }

  /// Creates the outcome of an item that was written, with a remark if no view by days shows it.
  init(written item: CalendarItem, _ outcome: ImportOutcome, reason: String?) {
    let reasons = [reason, item.undatedRemark].compactMap(\.self)
    self.init(outcome, item, reason: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
  }
}

/// An event of an import, in the order in which it happens.
public enum ImportEvent: Hashable, Sendable {
  /// An entry of the calendar is unreadable, so that it is neither updated nor replaced.
  case unreadableEntry(name: String, reason: String)
  /// A file has a problem, or is converted.
  case file(FileEvent)
  /// A component of a file cannot be imported.
  case rejected(path: String, position: SourcePosition)
  /// The outcome of an item.
  case item(ImportedItem)
}

/// The totals of an import.
public struct ImportSummary: Hashable, Sendable {
  private var counts: [ImportOutcome: Int] = [:]
  /// The number of files and folders that cannot be read or are not calendars.
  public private(set) var unreadCount = 0
  /// The number of files that are calendars.
  public internal(set) var calendarCount = 0

  /// Creates the totals of an import of nothing.
  public init() {}

  /// The number of items and components with an outcome.
  public subscript(outcome: ImportOutcome) -> Int { counts[outcome] ?? 0 }

  /// How much of the files was imported.
  public var outcome: FileOutcome {
    if calendarCount == 0 { return .nothing }
    return self[.rejected] > 0 || unreadCount > 0 ? .partial : .complete
  }

  /// Adds the totals of another import.
  package static func += (left: inout ImportSummary, right: ImportSummary) {
    left.counts.merge(right.counts, uniquingKeysWith: +)
    left.unreadCount += right.unreadCount
    left.calendarCount += right.calendarCount
  }

  mutating func count(_ event: ImportEvent) {
    switch event {
    case .item(let item): counts[item.outcome, default: 0] += 1
    case .rejected: counts[.rejected, default: 0] += 1
    case .file(.unreadable), .file(.notCalendar): unreadCount += 1
    case .file, .unreadableEntry: break
    }
  }
}
