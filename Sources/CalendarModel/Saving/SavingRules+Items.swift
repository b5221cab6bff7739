// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

extension SavingRules {
  /// The number of occurrences that are examined to determine their minimum interval.
  private static let instanceLimit = 64

  /// Returns the reasons why an item cannot be saved; empty if it can.
  public func errors(in item: CalendarItem) -> [SaveError] {
    var errors: [SaveError] = []
    for component in item.components {
      // An invalid priority leaves the field at its default, so that the raw value is checked.
      errors += priority(component[.priority].flatMap { Int($0.rawValue) } ?? 0)
      switch component.name {
      case .event: errors += self.errors(in: Event(component))
      case .reminder: errors += self.errors(in: Reminder(component))
      default: break
      }
    }
    switch item.kind {
    case .event: return errors + series(of: item) { (event: Event) in event.alarms }
    case .reminder: return errors + series(of: item) { (reminder: Reminder) in reminder.alarms }
    case .journal, .freeBusy, .availability: return errors
    }
  }

  /// Returns the errors of a series as a whole.
  private func series<Content: ItemContent>(
    of item: CalendarItem, _ alarms: (Content) -> [Alarm]
  ) -> [SaveError] {
    guard let zones, let main = item.main,
      var view = try? SeriesView<Content>(main, of: item, zones, recurrence),
      view.content.recurrence.isRecurring, let instances = try? view.instances()
    else { return [] }
    let first = Array(instances.prefix(Self.instanceLimit))
    let gaps = zip(first.dropFirst(), first).map { later, earlier in
      later.local.wallSeconds - earlier.local.wallSeconds
    }
    var errors: [SaveError] = []
    if first.isEmpty, view.endsBeforeStart() {
      errors.append(
        SaveError(
          .datesInverted, "expected a repetition that ends after its start, found one before it"))
    }
    if let gap = gaps.min() {
      if let length = view.length, length > gap {
        errors.append(
          SaveError(
            .durationGreaterThanRecurrence,
            "expected occurrences of at most \(gap) seconds, found \(length)"))
      }
      let early = alarms(view.content).compactMap(\.secondsBefore).filter { $0 > gap }.max()
      if let early {
        errors.append(
          SaveError(
            .alarmGreaterThanRecurrence,
            "expected an alarm at most \(gap) seconds before, found \(early)"))
      }
    }
    return errors + collisions(of: item, &view)
  }

  /// Returns the errors of overrides with the same start as another occurrence.
  private func collisions<Content: ItemContent>(
    of item: CalendarItem, _ view: inout SeriesView<Content>
  ) -> [SaveError] {
    var starts: [CivilDateTime: CivilDateTime] = [:]
    for override in item.overrides {
      let content = Content(override)
      guard let id = content.recurrenceID?.time, let start = content.start else { continue }
      starts[view.wall(of: id)] = view.wall(of: start)
    }
    var errors: [SaveError] = []
    var taken: Set<CivilDateTime> = []
    for (id, start) in starts.sorted(by: { $0.key < $1.key }) {
      let isElsewhere = id != start
      // An instance that was moved leaves its original time free.
      let isInstance =
        isElsewhere && starts[start] == nil && view.hasInstance(at: start)
      if isInstance || !taken.insert(start).inserted {
        errors.append(
          SaveError(
            .startDateCollidesWithOtherOccurrence,
            "expected occurrences at different times, found two at \(start)"))
      }
    }
    return errors
  }
}

extension SeriesView {
  /// The duration of the first occurrence, in seconds; nil if it has no end.
  fileprivate var length: Int64? {
    switch content.ending {
    case nil: nil
    case .duration(let duration):
      Int64(duration.nominalDays) * 86_400 + duration.exactSeconds
    case .time(let end): end.wallTime.wallSeconds - start.wallTime.wallSeconds
    }
  }
}

extension Alarm {
  /// The time from the alarm to the start, in seconds; nil for all other triggers.
  fileprivate var secondsBefore: Int64? {
    guard case .relative(let duration, to: .start)? = trigger, duration.isNegative else {
      return nil
    }
    return -(Int64(duration.nominalDays) * 86_400 + duration.exactSeconds)
  }
}

extension SavingRules {
  /// Returns the reasons why an item cannot be saved in a calendar; empty if it can.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - place: The calendar, or nil if none is selected.
  ///   - origin: The store from which the item was read, or nil if it is new.
  /// - Returns: The errors of the calendar, followed by those of the item.
  public func errors(
    in item: CalendarItem, savedIn place: SavingPlace?, readFrom origin: String? = nil
  ) -> [SaveError] {
    errors(saving: item.kind, in: place, readFrom: origin) + errors(in: item)
  }

  /// Returns the reasons why no item of a kind can be saved in a calendar; empty if it can.
  ///
  /// - Parameters:
  ///   - kind: The kind of the item.
  ///   - place: The calendar, or nil if none is selected.
  ///   - origin: The store from which the item was read, or nil if it is new.
  /// - Returns: The errors of the calendar.
  public func errors(
    saving kind: ItemKind, in place: SavingPlace?, readFrom origin: String? = nil
  ) -> [SaveError] {
    guard let place else {
      return [SaveError(.noCalendar, "expected a calendar to save the item in, found none")]
    }
    var errors: [SaveError] = []
    if let origin, origin != place.store {
      errors.append(
        SaveError(
          .objectBelongsToDifferentStore,
          "expected an item of the store '\(place.store)', found one of '\(origin)'"))
    }
    if place.isReadOnly {
      errors.append(
        SaveError(.calendarReadOnly, "expected a writable calendar, found a read-only one"))
    }
    if !place.kinds.contains(kind) {
      let isReminder = kind == .reminder
      errors.append(
        SaveError(
          isReminder ? .calendarDoesNotAllowReminders : .calendarDoesNotAllowEvents,
          "expected a calendar that holds \(isReminder ? "reminders" : "events"), "
            + "found one that does not"))
    }
    return errors
  }
}

/// The properties of a calendar that the saving rules depend on.
public struct SavingPlace: Hashable, Sendable {
  /// The identifier of the calendar's store, such as the path of its folder.
  public var store: String
  /// Whether the calendar is read-only, such as a subscribed feed.
  public var isReadOnly: Bool
  /// The kinds of items that the calendar supports.
  public var kinds: Set<ItemKind>

  /// Creates a place.
  public init(
    store: String, isReadOnly: Bool = false, kinds: Set<ItemKind> = Set(ItemKind.allCases)
  ) {
    self.store = store
    self.isReadOnly = isReadOnly
    self.kinds = kinds
  }
}
