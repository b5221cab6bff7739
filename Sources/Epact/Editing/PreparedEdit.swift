// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// The change of one item in one calendar, which is prepared and not made yet.
public struct ItemRevision: Sendable {
  /// The kind of a change, as a word for people and programs.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The item is new.
    case added
    /// The item has new values.
    case changed
    /// The item, or one occurrence of it, is removed.
    case deleted
    /// The removed item is there again.
    case restored
    /// The item comes from another calendar.
    case moved
    /// The item leaves for another calendar; it is the other half of `moved`.
    case removed
    /// The item is a copy with its own UID.
    case copied
    /// The reminder, or one occurrence of it, is completed.
    case completed
    /// The reminder, or one occurrence of it, is cancelled.
    case cancelled
    /// The reminder is in process.
    case started
    /// The completed, cancelled or started reminder is open again.
    case reopened
    /// The series of reminders continues with the next occurrence.
    case advanced
  }

  /// The kind of the change.
  public private(set) var kind: Kind
  /// The calendar.
  public let calendar: CalendarInfo
  /// The entry that is changed or removed; nil for a new item.
  public let base: LocalEntry?
  /// The new content; nil if the item is removed.
  public let item: CalendarItem?
  /// The original start of the only occurrence that changes; nil for the item as a whole.
  public private(set) var occurrence: EventTime?
  /// The effects on parts of the item besides what the edit is about, for display.
  public private(set) var effects: [EditEffect] = []
  /// The start that the new rule does not contain, so that the item starts later, for display.
  public private(set) var skippedStart: EventTime?

  init(
    _ kind: Kind, in calendar: CalendarInfo, from base: LocalEntry?, to item: CalendarItem?,
    at occurrence: EventTime? = nil
  ) {
    self.occurrence = occurrence
    self.kind = kind
    self.calendar = calendar
    self.base = base
    self.item = item
  }

  /// The UID.
  public var uid: UID { item?.uid ?? base?.item.uid ?? UID("") }
  /// The title; that of the only occurrence that changes, if it has its own.
  public var title: String {
    let own = occurrence.flatMap { item?.ownTitle(at: $0) ?? base?.item.ownTitle(at: $0) }
    return own ?? item?.title ?? base?.item.title ?? uid.rawValue
  }

  func with(_ kind: Kind) -> ItemRevision {
    var revision = self
    revision.kind = kind
    return revision
  }

  /// The revision with effects.
  func affecting(_ effects: [EditEffect]) -> ItemRevision {
    var revision = self
    revision.effects = effects
    return revision
  }

  /// The revision with more effects; an occurrence that keeps values of its own does not follow, too.
  fileprivate func affecting(also more: [EditEffect]) -> ItemRevision {
    let all = effects + more.filter { !effects.contains($0) }
    let kept = all.starts(of: .kept).map { EditEffect.occurrence(.followed, $0) }
    return affecting(all.filter { !kept.contains($0) })
  }

  func skipping(_ start: EventTime?) -> ItemRevision {
    var revision = self
    revision.skippedStart = start
    return revision
  }
}

/// An edit that is checked and can be shown before it is made.
public struct PreparedEdit: Sendable {
  private let library: CalendarLibrary
  /// The changes, in the order in which they are shown.
  public private(set) var changes: [ItemRevision]

  init(_ library: CalendarLibrary, _ changes: [ItemRevision]) {
    self.library = library
    self.changes = changes
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { changes.isEmpty }

  /// Makes all changes, or none of them, as a run in the history.
  ///
  /// - Returns: The number of the run; nil if nothing changes.
  /// - Throws: `LibraryError`; with the code `changedMeanwhile` if an item was changed since it was
  ///   read.
  @discardableResult
  public func commit() throws -> RunID? {
    guard !isEmpty else { return nil }
    var edit = LibraryEdit()
    edit.items = changes.map { change in
      LibraryEdit.Item(in: change.calendar.id, uid: change.uid, from: change.base, to: change.item)
    }
    return try library.commitRun(edit)
  }

  /// The edit with effects of each change.
  func affecting(_ effects: [EditEffect]) -> PreparedEdit {
    PreparedEdit(library, changes.map { $0.affecting(effects) })
  }

  /// The edit of the later part of a series with the occurrences that were moved over its first day.
  ///
  /// - Parameters:
  ///   - following: Those on an earlier day, which belong to the later part.
  ///   - keeping: Those on a later day, which do not.
  /// - Returns: The edit.
  func splitting(following: [EventTime], keeping: [EventTime]) -> PreparedEdit {
    var changes = changes
    guard let last = changes.indices.last else { return self }
    changes[last] = changes[last].affecting(also: following.map { .occurrence(.followed, $0) })
    changes[0] = changes[0].affecting(also: keeping.map { .occurrence(.kept, $0) })
    return PreparedEdit(library, changes)
  }

  /// The edit with other words for its changes.
  func renaming(_ kinds: [ItemRevision.Kind: ItemRevision.Kind]) -> PreparedEdit {
    PreparedEdit(library, changes.map { $0.with(kinds[$0.kind] ?? $0.kind) })
  }

  /// This edit and another one, as one run.
  ///
  /// - Throws: `EpactError` if both change the same item.
  package func and(_ other: PreparedEdit) throws(EpactError) -> PreparedEdit {
    let known = Set(changes.map { "\($0.calendar.id)\0\($0.uid)" })
    if let twice = other.changes.first(where: { known.contains("\($0.calendar.id)\0\($0.uid)") }) {
      throw EpactError(.argument, "\"\(twice.title)\" is named twice", subject: twice.uid.rawValue)
    }
    return PreparedEdit(library, changes + other.changes)
  }
}
