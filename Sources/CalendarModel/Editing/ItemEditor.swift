// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax
import Recurrence

/// Edits items, or single occurrences of them, and keeps what it does not know.
///
/// ```swift
/// let editor = ItemEditor(zones: resolver, now: now, makeUID: makeUID)
/// let edited = try editor.edit(item, .occurrence(start)) { (event: inout Event) in
///   event.location = "Room 2"
/// }
/// ```
///
/// What each span does is told in <doc:EditingItems>. Every component that changes gets a new DTSTAMP and
/// LAST-MODIFIED, and a higher SEQUENCE if its times, its rules or its state do (RFC 5545 §3.8.7).
public struct ItemEditor: Sendable {
  let zones: ZoneResolver
  let now: Instant
  let makeUID: @Sendable () -> UID
  /// Whether whoever edits organizes the item, and so counts SEQUENCE up (RFC 5545 §3.8.7.4).
  public var isOrganizer = true

  /// Creates an editor.
  ///
  /// - Parameters:
  ///   - zones: Finds the rules of time zones.
  ///   - now: The time that is written into what changes.
  ///   - makeUID: Makes UIDs for series that are split off.
  public init(
    zones: ZoneResolver, now: Instant, makeUID: @escaping @Sendable () -> UID
  ) {
    self.zones = zones
    self.now = now
    self.makeUID = makeUID
  }

  /// Changes an item or a part of it.
  ///
  /// - Parameters:
  ///   - item: The item, which is left alone.
  ///   - span: How much of a series the change is about.
  ///   - change: Changes the content. It is given that of the occurrence, or that of the series from it on,
  ///     with its start and its end.
  /// - Returns: The item as it is then, and the series that was split off.
  /// - Throws: `EditError` if there is no such occurrence, or the series cannot be edited so.
  public func edit<Content: ItemContent>(
    _ item: CalendarItem, _ span: EditSpan, _ change: (inout Content) -> Void
  ) throws(EditError) -> EditedItem {
    guard ItemKind(Content.componentName) == item.kind else {
      throw EditError(
        .otherKind,
        "expected a \(Content.componentName.rawName), found a \(item.kind.rawValue)")
    }
    switch span {
    case .all: return EditedItem(try changeAll(of: item, change))
    case .occurrence(let time): return EditedItem(try changeOne(at: time, of: item, change))
    case .future(let time): return try changeFuture(from: time, of: item, change)
    }
  }

  /// Deletes an item or a part of it.
  ///
  /// - Parameters:
  ///   - item: The item, which is left alone.
  ///   - span: How much of a series goes.
  /// - Returns: The item as it is then, which is nil if nothing is left of it.
  /// - Throws: `EditError` if there is no such occurrence, or the series cannot be edited so.
  public func delete(_ item: CalendarItem, _ span: EditSpan) throws(EditError) -> EditedItem {
    guard span != .all else { return EditedItem(nil) }
    switch item.kind {
    case .event: return EditedItem(try delete(item, span, as: Event.self))
    case .reminder: return EditedItem(try delete(item, span, as: Reminder.self))
    case .journal: return EditedItem(try delete(item, span, as: Journal.self))
    case .freeBusy, .availability:
      throw EditError(
        .otherKind, "expected what can recur, found a \(item.kind.rawValue)")
    }
  }

  private func delete<Content: ItemContent>(
    _ item: CalendarItem, _ span: EditSpan, as type: Content.Type
  ) throws(EditError) -> CalendarItem? {
    switch span {
    case .all: return nil
    case .occurrence(let time): return try deleteOne(at: time, of: item, as: type)
    case .future(let time): return try deleteFuture(from: time, of: item, as: type)
    }
  }

  /// The item with other components.
  func remade(_ item: CalendarItem, _ components: [Component]) throws(EditError) -> CalendarItem {
    do throws(ItemError) {
      return try item.replacing(components: components, timeZones: item.timeZones)
    } catch {
      throw EditError(.unsupported, error.message)
    }
  }

  /// The error for an occurrence that there is none of.
  func noOccurrence(_ time: EventTime) -> EditError {
    EditError(.noOccurrence, "expected an occurrence at \(time.rawValue), found none")
  }
}
