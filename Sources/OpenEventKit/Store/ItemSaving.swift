// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import ICalSyntax

/// One save of one object: the new forms of its item.
struct ItemSaving<Content: ItemContent> {
  /// The items that a save writes.
  struct Result {
    /// The rest of the item in its calendar; nil if nothing remains there.
    let rest: CalendarItem?
    /// The item with the object: the same one, the later part of a series, or a new item.
    var saved: CalendarItem
    /// When the series has the occurrence; nil for an item that does not recur.
    let occurrence: EventTime?
  }

  let editor: ItemEditor
  let change: ItemChange
  let write: (inout Content) -> Void
  let makeUID: () -> UID
  let now: Instant

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - uid: The UID.
  ///   - component: The component whose properties the item keeps; nil for none.
  /// - Returns: The item.
  /// - Throws: `ItemError` if a time zone has no rules.
  func created(_ uid: UID, from component: Component? = nil) throws -> Result {
    var new = component ?? Component(Content.componentName)
    for name in [PropertyName.recurrenceID, .rRule, .rDate, .exDate, .exRule, .sequence]
    where new[name] != nil {
      new[name] = nil
    }
    var content = Content(new)
    content.uid = uid
    content.stamp = now
    content.created = now
    write(&content)
    content.write(to: &new)
    change.write(to: &new)
    let item = try CalendarItem(
      components: [new], timeZones: component == nil ? [] : change.definitions
    )
    .definingTimeZones(zones: change.zones.resolver)
    let start = item.isSeries(of: Content.self) ? content.start : nil
    return Result(rest: nil, saved: item, occurrence: start)
  }

  /// The component of an occurrence with its own start and end, for an item of its own.
  ///
  /// - Throws: `EKError` if the item does not have the occurrence.
  func component(of origin: ItemOrigin) throws -> Component {
    let reading: OccurrenceReading<Content>? = editor.reading(
      at: origin.occurrence, of: origin.item)
    guard let reading else {
      throw EKError(.eventNotMutable, "the occurrence does not exist, and cannot be made again")
    }
    return reading.component
  }

  /// Changes an occurrence, an occurrence and all later ones, or an item that does not recur.
  ///
  /// - Parameters:
  ///   - item: The current form of the item.
  ///   - occurrence: When the series has the occurrence; nil for the item as a whole.
  ///   - span: Whether later occurrences are changed too.
  /// - Returns: The changed item.
  /// - Throws: `EditError`; `EKError` if the rules of one occurrence are changed.
  func edited(
    _ item: CalendarItem, at occurrence: EventTime?, _ span: EKSpan
  ) throws -> Result {
    let isSeries = item.isSeries(of: Content.self)
    var part = EditSpan.all
    if isSeries, let occurrence {
      part = span == .thisEvent ? .occurrence(occurrence) : .future(from: occurrence)
    }
    if case .occurrence = part, change.changesRules {
      throw EKError(
        .invalidSpan, "the rules of a series are changed with the span of all future events")
    }
    // The series is changed first, and then the override of the occurrence, if it has one.
    var times: (before: EventTime?, after: EventTime?)?
    let edited = try editor.edit(
      item, part,
      { (content: inout Content) in
        let before = content.start
        write(&content)
        times = times ?? (before, content.start)
      }, component: { change.write(to: &$0) })
    let result = edited.successor ?? edited.item ?? item
    let saved = result.definingTimeZones(since: item, zones: change.zones.resolver)
    let rest = edited.successor == nil ? nil : edited.item
    guard saved.isSeries(of: Content.self) else {
      return Result(rest: rest, saved: saved, occurrence: nil)
    }
    return Result(
      rest: rest, saved: saved,
      occurrence: self.occurrence(occurrence, part, isSplit: rest != nil, times ?? (nil, nil)))
  }

  /// When the changed series has the occurrence.
  private func occurrence(
    _ occurrence: EventTime?, _ part: EditSpan, isSplit: Bool,
    _ times: (before: EventTime?, after: EventTime?)
  ) -> EventTime? {
    guard let occurrence, !isSplit else { return times.after }
    if case .occurrence = part { return occurrence }
    guard let before = times.before, let after = times.after, before != after else {
      return occurrence
    }
    // The whole series moved, and the occurrence with it.
    let wall = change.zones.time(
      of: Date(change.zones.instant(of: occurrence, change.definitions)), like: before,
      change.definitions)
    return wall.flatMap { StartMove(from: before, to: after).moved($0.wallTime) }
  }
}
