// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
import Epact

/// The uncommitted work of a store: saved changes, which wait for a commit.
///
/// A batch reads and writes no file. The store commits the overlay and the additions, and reports
/// the result by ``finish()``, ``finishChanges()`` or ``fail()``.
package struct Batch {
  /// The progress of the work.
  package enum State {
    /// Everything is committed.
    case clean
    /// Changes wait for a commit.
    case open(Work)
    /// A commit failed. Changes are still taken, and commits fail until the batch is reset.
    case broken(Work)
  }

  /// Changes that are not committed.
  package struct Work {
    /// The changes of items and calendars.
    fileprivate(set) var overlay = Overlay()
    /// The objects with saved changes.
    package fileprivate(set) var items: [ObjectIdentifier: PendingItem] = [:]
    /// The objects of calendars with saved changes.
    package fileprivate(set) var calendars: [ObjectIdentifier: PendingCalendar] = [:]
    /// The events that a program with write-only access saved.
    fileprivate(set) var additions: [EventAppender.Addition] = []
    /// The committed calendars as they were read last, so that each save does not read them.
    fileprivate(set) var knownCalendars: [StoreCalendar]?
    /// The number of uses for the access log.
    fileprivate(set) var uses: [Use: Int] = [:]
  }

  /// A use of the calendars by a save.
  package struct Use: Hashable {
    let use: ProgramUse
    let entity: EKEntityType

    package init(_ use: ProgramUse, of entity: EKEntityType) {
      (self.use, self.entity) = (use, entity)
    }
  }

  package private(set) var state = State.clean

  /// Creates a clean batch.
  package init() {}

  // MARK: Contents

  /// The changes that wait; nil if there are none.
  private var work: Work? {
    switch state {
    case .clean: nil
    case .open(let work), .broken(let work): work
    }
  }

  /// The changes of items and calendars.
  package var overlay: Overlay { work?.overlay ?? Overlay() }

  /// The events that a program with write-only access saved.
  var additions: [EventAppender.Addition] { work?.additions ?? [] }

  /// The committed calendars as they were read last; nil until they are read after a change.
  package var knownCalendars: [StoreCalendar]? { work?.knownCalendars }

  /// The number of uses for the access log.
  package var uses: [Use: Int] { work?.uses ?? [:] }

  /// Whether a commit would write something.
  package var hasEffect: Bool { !additions.isEmpty || !overlay.isEmpty }

  /// Whether an object has saved changes that are not committed.
  package func isPending(_ object: EKCalendarItem) -> Bool {
    work?.items[ObjectIdentifier(object)] != nil
  }

  /// Whether the object of a calendar has saved changes that are not committed.
  package func isPending(_ object: EKCalendar) -> Bool {
    work?.calendars[ObjectIdentifier(object)] != nil
  }

  // MARK: Changes

  /// Changes the work in place; a clean batch is open then.
  private mutating func change(_ body: (inout Work) -> Void) {
    let old = state
    // The work has one owner while it changes, so that its collections are not copied.
    state = .clean
    switch consume old {
    case .clean:
      var work = Work()
      body(&work)
      state = .open(work)
    case .open(var work):
      body(&work)
      state = .open(work)
    case .broken(var work):
      body(&work)
      state = .broken(work)
    }
  }

  /// Notes the state of an object before its first change that is not committed.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - values: The values of the object that are saved.
  package mutating func begin(_ object: EKCalendarItem, with values: ItemValues) {
    guard !isPending(object) else { return }
    change { $0.items[ObjectIdentifier(object)] = PendingItem(object, values) }
  }

  /// Notes the state of a calendar's object before its first change that is not committed.
  package mutating func begin(_ object: EKCalendar) {
    guard !isPending(object) else { return }
    change {
      $0.calendars[ObjectIdentifier(object)] = PendingCalendar(object: object, before: object.state)
    }
  }

  /// Keeps the values that the program set, before an object shows others.
  ///
  /// - Parameters:
  ///   - values: The current values of the object.
  ///   - object: The object; without saved changes nothing is kept.
  package mutating func keep(_ values: ItemValues, of object: EKCalendarItem) {
    guard isPending(object) else { return }
    change { $0.items[ObjectIdentifier(object)]?.keep(values) }
  }

  /// Notes the values that an object shows since its save, such as those of the next occurrence.
  package mutating func note(shown fields: ItemFields, by object: EKCalendarItem) {
    guard isPending(object) else { return }
    change { $0.items[ObjectIdentifier(object)]?.shown = fields }
  }

  /// Changes an item, conditional on the entry of the first change.
  package mutating func setItem(
    _ item: CalendarItem?, for uid: UID, in calendar: String, base: LocalEntry?
  ) {
    change { $0.overlay.set(item, for: uid, in: calendar, base: base) }
  }

  /// Adds a new calendar, or changes one that is not committed.
  mutating func createCalendar(_ calendar: LibraryEdit.NewCalendar) {
    change { $0.overlay.create(calendar) }
  }

  /// Changes the properties of a committed calendar, since the base of the first change.
  package mutating func updateCalendar(_ base: StoreCalendar, to new: StoreCalendar) {
    change { $0.overlay.update(base, to: new) }
  }

  /// Removes a calendar with the changes of its items.
  package mutating func removeCalendar(_ id: String) {
    change { $0.overlay.remove(id) }
  }

  /// Adds an event of a program with write-only access.
  ///
  /// - Parameters:
  ///   - item: The event.
  ///   - calendar: The calendar that the user chose; nil for the default one.
  package mutating func add(_ item: CalendarItem, to calendar: CalendarChoice?) {
    change { $0.additions.append(.init(item: item, calendar: calendar)) }
  }

  /// Makes the added events new items, because the access was raised to full since.
  ///
  /// An event that was saved again under full access keeps that form.
  ///
  /// - Parameter items: The added events by their calendars.
  mutating func stageAdditions(_ items: [CalendarInfo: [CalendarItem]]) {
    change { work in
      for (calendar, items) in items {
        for item in items where !work.overlay.items.values.contains(where: { $0[item.uid] != nil })
        {
          work.overlay.set(item, for: item.uid, in: calendar.id, base: nil)
        }
      }
      work.additions = []
    }
  }

  /// Counts a use for the access log.
  package mutating func count(_ use: Use) {
    change { $0.uses[use, default: 0] += 1 }
  }

  /// Remembers the committed calendars for the next saves, if a change waits for its commit.
  package mutating func remember(_ calendars: [StoreCalendar]) {
    guard !overlay.isEmpty else { return }
    change { $0.knownCalendars = calendars }
  }

  // MARK: Commits

  /// Expects that no commit failed since the last reset.
  ///
  /// - Throws: `EKError`.
  package func checkUnbroken() throws {
    guard case .broken = state else { return }
    throw EKError(.internalFailure, "an earlier commit failed; reset() discards its changes")
  }

  /// Forgets everything, after it was committed.
  package mutating func finish() { state = .clean }

  /// Forgets the changes after they were committed; added events keep waiting.
  package mutating func finishChanges() {
    let additions = additions
    state = .clean
    if !additions.isEmpty { change { $0.additions = additions } }
  }

  /// Notes that a commit failed, so that further ones fail until the batch is reset.
  package mutating func fail() { state = .broken(work ?? Work()) }

  /// Drops all changes; a broken batch stays broken.
  ///
  /// - Returns: The dropped changes, whose objects the caller restores.
  package mutating func rollBack() -> Work {
    let dropped = work ?? Work()
    if case .broken = state { state = .broken(Work()) } else { state = .clean }
    return dropped
  }
}
