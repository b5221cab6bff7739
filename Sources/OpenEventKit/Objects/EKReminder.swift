// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
public import Foundation

/// A reminder: something to do, with or without a due time.
///
/// The times are components: a day, or a time on the clock, with or without a time zone.
open class EKReminder: EKCalendarItem, @unchecked Sendable {
  /// Creates a reminder.
  ///
  /// - Parameter eventStore: The store to which the reminder belongs.
  public init(eventStore: EKEventStore) {
    let snapshot = LazySnapshot(ItemSnapshot(new: ItemFields()))
    super.init(
      eventStore.core, ItemState(origin: nil, saved: snapshot, fetched: snapshot), in: nil)
  }

  @usableFromInline
  override init(_ core: StoreCore, _ state: ItemState, in calendar: EKCalendar?) {
    super.init(core, state, in: calendar)
  }

  /// Creates the object of a reminder; nil if the item has none.
  convenience init?(_ origin: ItemOrigin, in calendar: EKCalendar, _ core: StoreCore) {
    guard let found = core.snapshot(of: origin, .reminder) else { return nil }
    let snapshot = LazySnapshot(found)
    self.init(core, ItemState(origin: origin, saved: snapshot, fetched: snapshot), in: calendar)
  }

  override var entity: EKEntityType { .reminder }

  /// When the work begins; nil for no start.
  ///
  /// It takes the form of the due date: a day, a time, or a time in a zone. A start with a time
  /// cannot be saved beside a day. A reminder that recurs begins when it is due unless a start is
  /// set.
  ///
  /// The components have their calendar, so that their `date` can be read. Without an hour, a
  /// minute and a second they are a day.
  open var startDateComponents: DateComponents? {
    get { fields.dates.start }
    set { fields.dates.start = newValue?.plain }
  }

  /// When the reminder is due; nil for no due date.
  ///
  /// Of a reminder that recurs, it is that of the first open occurrence.
  ///
  /// The components have their calendar, so that their `date` can be read. Without an hour, a
  /// minute and a second they are a day.
  open var dueDateComponents: DateComponents? {
    get { fields.dates.due }
    set { fields.dates.due = newValue?.plain }
  }

  /// The time zone of the due date, or else of the start; nil if they float.
  ///
  /// Setting another one does not move the instants.
  open override var timeZone: TimeZone? {
    get {
      let dates = fields.dates
      return dates.due?.timeZone ?? dates.start?.timeZone
    }
    set {
      lock.withLock {
        // The start may have a zone of its own, or one that is unknown.
        guard newValue != timeZone else { return }
        let viewer = core.zones.viewer
        var dates = fields.dates
        dates.start = dates.start?.moved(to: newValue, viewer)
        dates.due = dates.due?.moved(to: newValue, viewer)
        fields.dates = dates
      }
    }
  }

  /// Whether the reminder is completed.
  ///
  /// Setting it to true sets ``completionDate`` to now, and to false removes the date.
  ///
  /// Saving the completion of a reminder that recurs completes its first open occurrence. That
  /// becomes a reminder of its own, and the object shows the next occurrence, which is not
  /// completed. The last occurrence completes the reminder itself.
  open var isCompleted: Bool {
    get { fields.completion.isCompleted }
    set {
      lock.withLock {
        guard newValue != fields.completion.isCompleted else { return }
        fields.completion = Completion(
          isCompleted: newValue, date: newValue ? Date(core.now) : nil)
      }
    }
  }

  /// When the reminder was completed; nil if it was not, or if the time is unknown.
  ///
  /// Setting a date completes the reminder.
  open var completionDate: Date? {
    get { fields.completion.date }
    set { fields.completion = Completion(isCompleted: newValue != nil, date: newValue) }
  }

  /// The priority, from 1 (highest) through 9, or 0 for none.
  open var priority: Int {
    get { fields.priority }
    set { fields.priority = newValue }
  }
}

extension DateComponents {
  /// The same instant on the clock of another zone; a day is not changed.
  fileprivate func moved(to zone: TimeZone?, _ viewer: TimeZone) -> DateComponents {
    guard hour != nil, zone != timeZone else { return self }
    var here = self
    here.timeZone = timeZone ?? viewer
    guard let date = here.date else { return self }
    var calendar = ItemZones.gregorian
    calendar.timeZone = zone ?? viewer
    var result = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    result.calendar = ItemZones.gregorian
    result.timeZone = zone
    return result
  }
}
