// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
package import Epact
public import Foundation

/// The handler of a request for access: whether it is granted, and an error.
public typealias EKEventStoreRequestAccessCompletionHandler =
  @Sendable (_ granted: Bool, _ error: (any Error)?) -> Void

/// The handler of a search for events; it sets its second argument to end the search.
public typealias EKEventSearchCallback =
  (_ event: EKEvent, _ stop: UnsafeMutablePointer<ObjCBool>) -> Void

/// The calendars, events and reminders of the user, as far as the user lets the program see them.
///
/// ```swift
/// let store = EKEventStore()
/// guard try await store.requestFullAccessToEvents() else { return }
/// let week = store.predicateForEvents(withStart: today, end: nextWeek, calendars: nil)
/// for event in store.events(matching: week) { print(event.title ?? "") }
/// ```
///
/// The calendars are those of Epact's configuration. Saving writes local files, and the next sync
/// sends them. Objects and predicates belong to the store that made them. All methods may be called
/// by any thread.
///
/// ## Topics
///
/// ### Access
/// - ``authorizationStatus(for:)``
/// - ``requestFullAccessToEvents()``
/// - ``requestWriteOnlyAccessToEvents()``
/// - ``requestFullAccessToReminders()``
///
/// ### Events and reminders
/// - ``events(matching:)``
/// - ``fetchReminders(matching:completion:)``
/// - ``save(_:span:commit:)``
/// - ``remove(_:span:commit:)``
/// - ``commit()``
/// - ``reset()``
open class EKEventStore: NSObject, @unchecked Sendable {
  let core: StoreCore
  private let requests: StoreRequests

  @usableFromInline
  init(_ core: StoreCore) {
    self.core = core
    requests = StoreRequests(core)
    super.init()
    core.changes.attach(self)
  }

  /// Creates a store; it asks nothing.
  ///
  /// A program needs only one, and keeps it.
  public override init() {
    core = StoreCore(.live())
    requests = StoreRequests(core)
    super.init()
    core.changes.attach(self)
  }

  /// Creates a store that sees only some sources.
  ///
  /// - Parameter sources: The sources, of another store.
  public convenience init(sources: [EKSource]) {
    let visible = Set(sources.map(\.sourceIdentifier))
    let core = sources.lazy.compactMap(\.core).first
    self.init(core?.limited(to: visible) ?? StoreCore(.live(), sources: visible))
  }

  /// Creates a store.
  ///
  /// - Parameter accessToEntityTypes: Ignored: access is requested.
  @available(macOS, deprecated: 10.9, message: "use init() and request access")
  public convenience init(accessToEntityTypes: EKEntityMask) {
    self.init()
  }

  /// Creates a store over the calendars of a machine.
  ///
  /// - Parameters:
  ///   - machine: The machine with the folders, the clock and the default time zone.
  ///   - program: The program.
  ///   - prompt: Asks the user for access.
  package convenience init(machine: Machine, program: Program, prompt: any ProgramPrompt) {
    self.init(
      StoreCore(StoreEnvironment(machine: machine, program: program, prompt: prompt)))
  }

  // MARK: Status

  /// Returns what the user decided about the program's access to a kind of items.
  ///
  /// It is read anew each time.
  open class func authorizationStatus(for entityType: EKEntityType) -> EKAuthorizationStatus {
    let environment = StoreEnvironment.live()
    return StoreGate(
      machine: environment.machine, program: environment.program, prompt: environment.prompt
    ).status(for: entityType)
  }

  /// The status of the access of the store's program.
  package func status(for entityType: EKEntityType) -> EKAuthorizationStatus {
    core.gate.status(for: entityType)
  }

  // MARK: Requests

  /// Requests full access to events.
  ///
  /// The user is asked once, with the purpose in the program's property list. The call returns at
  /// once.
  ///
  /// - Parameter completion: Receives the answer, on a queue of the store.
  @preconcurrency
  open func requestFullAccessToEvents(
    completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    requests.request(.full, for: .event, completion)
  }

  /// Requests full access to events.
  ///
  /// - Returns: Whether it is granted.
  /// - Throws: An error of asking the user.
  @discardableResult
  open func requestFullAccessToEvents() async throws -> Bool {
    try await requests.answer { requests.request(.full, for: .event, $0) }
  }

  /// Requests write-only access to events.
  ///
  /// - Parameter completion: Receives the answer, on a queue of the store.
  @preconcurrency
  open func requestWriteOnlyAccessToEvents(
    completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    requests.request(.writeOnly, for: .event, completion)
  }

  /// Requests write-only access to events.
  ///
  /// - Returns: Whether it is granted.
  /// - Throws: An error of asking the user.
  @discardableResult
  open func requestWriteOnlyAccessToEvents() async throws -> Bool {
    try await requests.answer { requests.request(.writeOnly, for: .event, $0) }
  }

  /// Requests full access to reminders.
  ///
  /// - Parameter completion: Receives the answer, on a queue of the store.
  @preconcurrency
  open func requestFullAccessToReminders(
    completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    requests.request(.full, for: .reminder, completion)
  }

  /// Requests full access to reminders.
  ///
  /// - Returns: Whether it is granted.
  /// - Throws: An error of asking the user.
  @discardableResult
  open func requestFullAccessToReminders() async throws -> Bool {
    try await requests.answer { requests.request(.full, for: .reminder, $0) }
  }

  /// Gives an error without a question, as to programs that are built for current systems.
  ///
  /// - Parameters:
  ///   - entityType: The kind of items.
  ///   - completion: Receives the error, on a queue of the store.
  @available(macOS, deprecated: 14.0, message: "use requestFullAccessToEvents(completion:)")
  @available(iOS, deprecated: 17.0, message: "use requestFullAccessToEvents(completion:)")
  @preconcurrency
  open func requestAccess(
    to entityType: EKEntityType,
    completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    requests.refuse(completion)
  }

  /// Throws an error without a question, as for programs that are built for current systems.
  ///
  /// - Parameter entityType: The kind of items.
  /// - Returns: Never.
  /// - Throws: `EKError` with the code `osNotSupported`.
  @available(macOS, deprecated: 14.0, message: "use requestFullAccessToEvents()")
  @available(iOS, deprecated: 17.0, message: "use requestFullAccessToEvents()")
  @discardableResult
  open func requestAccess(to entityType: EKEntityType) async throws -> Bool {
    try await requests.answer { requests.refuse($0) }
  }

  // MARK: Sources and calendars

  /// The identifier of the store.
  open var eventStoreIdentifier: String { core.identifier }

  /// The sources of the calendars, in no particular order.
  open var sources: [EKSource] { core.sources.map { EKSource($0, core) } }

  /// The sources that belong to other persons; always empty.
  open var delegateSources: [EKSource] { [] }

  /// Returns the source with an identifier, or nil.
  open func source(withIdentifier identifier: String) -> EKSource? {
    sources.first { $0.sourceIdentifier == identifier }
  }

  /// Returns the calendars for a kind of items, in no particular order.
  ///
  /// With write-only access it is one calendar, which stands for the one that the user chose.
  open func calendars(for entityType: EKEntityType) -> [EKCalendar] {
    core.calendars(for: entityType)
  }

  /// The calendar for new events; nil if there is none, or no access.
  open var defaultCalendarForNewEvents: EKCalendar? { core.defaultCalendar(for: .event) }

  /// Returns the calendar for new reminders; nil if there is none, or no access.
  open func defaultCalendarForNewReminders() -> EKCalendar? {
    core.defaultCalendar(for: .reminder)
  }

  /// Returns the calendar with an identifier, or nil.
  open func calendar(withIdentifier identifier: String) -> EKCalendar? {
    core.knownCalendar(identifier)
  }

  /// Saves a new or a changed calendar.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - commit: Whether everything that is not committed is committed too.
  /// - Throws: `EKError`.
  open func saveCalendar(_ calendar: EKCalendar, commit: Bool) throws {
    try core.save(calendar, commit: commit)
  }

  /// Removes a calendar with its items.
  ///
  /// Of a calendar with events and reminders, only the items that the program may access are
  /// removed.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - commit: Whether everything that is not committed is committed too.
  /// - Throws: `EKError`.
  open func removeCalendar(_ calendar: EKCalendar, commit: Bool) throws {
    try core.remove(calendar, commit: commit)
  }

  // MARK: Saving events and reminders

  /// Saves an event, and commits it.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - span: Whether later occurrences are changed too.
  /// - Throws: `EKError`; then nothing was saved.
  open func save(_ event: EKEvent, span: EKSpan) throws {
    try core.save(event, span, commit: true)
  }

  /// Saves an event.
  ///
  /// Only what the program changed is written. A deleted event is saved as a new one.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - span: Whether later occurrences are changed too.
  ///   - commit: Whether everything that is not committed is committed too. If that fails, all of
  ///     it is rolled back.
  /// - Throws: `EKError`.
  open func save(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
    try core.save(event, span, commit: commit)
  }

  /// Removes an event, and commits it.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - span: Whether later occurrences are removed too.
  /// - Throws: `EKError`; then nothing was removed.
  open func remove(_ event: EKEvent, span: EKSpan) throws {
    try core.remove(event, span, commit: true)
  }

  /// Removes an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - span: Whether later occurrences are removed too.
  ///   - commit: Whether everything that is not committed is committed too. If that fails, all of
  ///     it is rolled back.
  /// - Throws: `EKError`.
  open func remove(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
    try core.remove(event, span, commit: commit)
  }

  /// Saves a reminder.
  ///
  /// - Parameters:
  ///   - reminder: The reminder.
  ///   - commit: Whether everything that is not committed is committed too. If that fails, all of
  ///     it is rolled back.
  /// - Throws: `EKError`.
  open func save(_ reminder: EKReminder, commit: Bool) throws {
    try core.save(reminder, .futureEvents, commit: commit)
  }

  /// Removes a reminder.
  ///
  /// - Parameters:
  ///   - reminder: The reminder.
  ///   - commit: Whether everything that is not committed is committed too. If that fails, all of
  ///     it is rolled back.
  /// - Throws: `EKError`.
  open func remove(_ reminder: EKReminder, commit: Bool) throws {
    try core.remove(reminder, .futureEvents, commit: commit)
  }

  /// Commits everything that was saved and not committed: all of it, or nothing.
  ///
  /// - Throws: `EKError`; then further commits fail until ``reset()``.
  open func commit() throws {
    try core.commit()
  }

  /// Returns to the state of a new store: forgets everything that is not committed.
  ///
  /// Objects that were fetched before are to be let go.
  open func reset() {
    core.reset()
  }

  /// Starts the syncs of the calendars in the background, unless some are running.
  ///
  /// Objects take the changes by ``EKObject/refresh()``.
  open func refreshSourcesIfNecessary() {
    core.gate.fullAccess?.library.startSync()
  }

  // MARK: Items by identifier

  /// Returns the first occurrence of an event; nil if there is none, or no full access.
  ///
  /// If the first occurrence was modified, it is the first one that was not.
  open func event(withIdentifier identifier: String) -> EKEvent? {
    core.event(withIdentifier: identifier)
  }

  /// Returns a reminder or the first occurrence of an event; nil if there is none, or no access.
  ///
  /// The identifier that an item had before it was moved to another calendar leads to it, too.
  open func calendarItem(withIdentifier identifier: String) -> EKCalendarItem? {
    core.item(withIdentifier: identifier)
  }

  /// Returns the items with an identifier on servers, of which there may be several.
  open func calendarItems(withExternalIdentifier externalIdentifier: String) -> [EKCalendarItem] {
    let uid = UID(externalIdentifier)
    return core.items { found, _ in found == uid }
  }

  // MARK: Events

  /// Returns a predicate for the events that intersect a range of time.
  ///
  /// A range of more than four years is cut to its first four years. A range without a length finds
  /// the events that are going on at its instant.
  ///
  /// - Parameters:
  ///   - startDate: The start of the range.
  ///   - endDate: The end of the range.
  ///   - calendars: The calendars; nil or none for all.
  /// - Returns: The predicate, for this store only.
  open func predicateForEvents(
    withStart startDate: Date, end endDate: Date, calendars: [EKCalendar]?
  ) -> NSPredicate {
    core.eventPredicate(startDate, endDate, calendars)
  }

  /// Returns the events that match a predicate of this store, also those that are not committed.
  ///
  /// - Parameter predicate: The predicate.
  /// - Returns: The events, in no particular order; empty without full access.
  open func events(matching predicate: NSPredicate) -> [EKEvent] {
    core.events(matching: predicate)
  }

  /// Calls a function for each event that matches a predicate of this store.
  ///
  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - block: The function; it sets its second argument to end the search.
  open func enumerateEvents(
    matching predicate: NSPredicate, using block: @escaping EKEventSearchCallback
  ) {
    var isStopped = ObjCBool(false)
    for event in events(matching: predicate) {
      unsafe withUnsafeMutablePointer(to: &isStopped) { unsafe block(event, $0) }
      if isStopped.boolValue { return }
    }
  }

  // MARK: Reminders

  /// Returns a predicate for all reminders.
  ///
  /// - Parameter calendars: The calendars; nil or none for all.
  /// - Returns: The predicate, for this store only.
  open func predicateForReminders(in calendars: [EKCalendar]?) -> NSPredicate {
    StorePredicate(.reminders, in: calendars, of: core)
  }

  /// Returns a predicate for incomplete reminders.
  ///
  /// - Parameters:
  ///   - startDate: The earliest due date; nil for none.
  ///   - endDate: The latest due date; nil for none.
  ///   - calendars: The calendars; nil or none for all.
  /// - Returns: The predicate, for this store only. With a date, reminders without a due date do
  ///   not match.
  open func predicateForIncompleteReminders(
    withDueDateStarting startDate: Date?, ending endDate: Date?, calendars: [EKCalendar]?
  ) -> NSPredicate {
    StorePredicate(.incomplete(from: startDate, until: endDate), in: calendars, of: core)
  }

  /// Returns a predicate for completed reminders.
  ///
  /// - Parameters:
  ///   - startDate: The earliest date of completion; nil for none.
  ///   - endDate: The latest date of completion; nil for none.
  ///   - calendars: The calendars; nil or none for all.
  /// - Returns: The predicate, for this store only.
  open func predicateForCompletedReminders(
    withCompletionDateStarting startDate: Date?, ending endDate: Date?, calendars: [EKCalendar]?
  ) -> NSPredicate {
    StorePredicate(.completed(from: startDate, until: endDate), in: calendars, of: core)
  }

  /// Fetches the reminders that match a predicate of this store, and returns at once.
  ///
  /// Only committed reminders and values are fetched, unlike by ``events(matching:)``.
  ///
  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - completion: Receives the reminders, on a queue of the store, always in the same order; nil
  ///     without access.
  /// - Returns: The request, for ``cancelFetchRequest(_:)``.
  @discardableResult
  open func fetchReminders(
    matching predicate: NSPredicate, completion: @escaping ([EKReminder]?) -> Void
  ) -> Any {
    requests.fetch(core.query(predicate), completion)
  }

  /// Cancels a request for reminders, so that its completion is not called.
  ///
  /// - Parameter fetchIdentifier: The result of ``fetchReminders(matching:completion:)``.
  open func cancelFetchRequest(_ fetchIdentifier: Any) {
    (fetchIdentifier as? FetchRequest)?.cancel()
  }
}
