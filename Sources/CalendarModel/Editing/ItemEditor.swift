// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICalSyntax
import Recurrence

/// Edits items or single occurrences and preserves unknown properties.
///
/// ```swift
/// let editor = ItemEditor(zones: resolver, now: now, makeUID: makeUID)
/// let edited = try editor.edit(item, .occurrence(start)) { (event: inout Event) in
///   event.location = "Room 2"
/// }
/// ```
///
/// <doc:EditingItems> describes the effect of each span. Every changed component gets a new DTSTAMP
/// and LAST-MODIFIED. SEQUENCE is incremented if the times, the rules or the status change (RFC
/// 5545 §3.8.7).
public struct ItemEditor: Sendable {
  let zones: ZoneResolver
  let now: Instant
  let makeUID: @Sendable () -> UID
  /// Whether the user is the organizer, who increments SEQUENCE (RFC 5545 §3.8.7.4).
  public var isOrganizer = true

  /// Creates an editor.
  ///
  /// - Parameters:
  ///   - zones: The resolver of time zones.
  ///   - now: The time for the timestamps of changed components.
  ///   - makeUID: Creates the UIDs of split series.
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
  ///   - item: The original item.
  ///   - span: The part of a series to change.
  ///   - change: Changes the content. It receives the content of the occurrence, or of the series
  ///     from the
  ///     occurrence on, with the corresponding start and end.
  /// - Returns: The changed item, and the successor after a split.
  /// - Throws: `EditError` if the occurrence does not exist or the series does not support the
  ///   edit.
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
  ///   - item: The original item.
  ///   - span: The part of a series to delete.
  /// - Returns: The remaining item, which is nil if nothing remains.
  /// - Throws: `EditError` if the occurrence does not exist or the series does not support the
  ///   edit.
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

  /// Returns the item with other components.
  func remade(_ item: CalendarItem, _ components: [Component]) throws(EditError) -> CalendarItem {
    do throws(ItemError) {
      return try item.replacing(components: components, timeZones: item.timeZones)
    } catch {
      throw EditError(.unsupported, error.message)
    }
  }

  /// Returns the error for a missing occurrence.
  func noOccurrence(_ time: EventTime) -> EditError {
    EditError(.noOccurrence, "expected an occurrence at \(time.rawValue), found none")
  }
}
