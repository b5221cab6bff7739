// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarSync
public import CivilTime
import ICalSyntax

/// The everyday changes of items, each prepared first and then made as a run in the history.
///
/// ```swift
/// let editor = LibraryEditor(library, viewer: try machine.viewerZone())
/// let lunch = try editor.adding(details, as: .event, to: home)
/// print(lunch.changes)
/// let run = try lunch.commit()
/// ```
///
/// An edit changes only the named properties: unknown properties, their order and their parameters
/// stay.
public struct LibraryEditor: Sendable {
  /// The calendars.
  public let library: CalendarLibrary
  /// The viewer's time zone.
  public let viewer: ZoneRules
  /// Addresses of the user beside those of the configuration.
  public var addresses: Set<CalendarAddress> = []

  /// Creates an editor.
  ///
  /// - Parameters:
  ///   - library: The calendars.
  ///   - viewer: The time zone of local times and of days.
  public init(_ library: CalendarLibrary, viewer: ZoneRules) {
    self.library = library
    self.viewer = viewer
  }

  var machine: Machine { library.machine }

  var itemEditor: ItemEditor {
    var editor = machine.itemEditor(at: machine.now(), makeUID: machine.makeUID)
    editor.userAddresses = userAddresses
    return editor
  }

  /// The addresses of the user: those of the configuration, and further ones.
  var userAddresses: Set<CalendarAddress> {
    ((try? library.userAddresses()) ?? []).union(addresses)
  }

  /// The component of an occurrence, or else of the item as a whole.
  package func component(of item: CalendarItem, at occurrence: EventTime?) -> Component? {
    if let occurrence {
      let editor = itemEditor
      switch item.kind {
      case .reminder:
        let found: (content: Reminder, component: Component)? = editor.occurrence(
          at: occurrence, of: item)
        return found?.component
      case .journal:
        let found: (content: Journal, component: Component)? = editor.occurrence(
          at: occurrence, of: item)
        return found?.component
      default:
        let found: (content: Event, component: Component)? = editor.occurrence(
          at: occurrence, of: item)
        return found?.component
      }
    }
    return item.main ?? item.components.first
  }

  /// Converts moments to the times of an item; nil for a new item.
  func times(of item: CalendarItem?, zone: String?) -> TimeWriting {
    TimeWriting(
      clocks: ItemClocks(
        zones: machine.zoneResolver, definitions: item?.timeZones ?? [], viewer: viewer),
      zone: zone)
  }

  // MARK: Adding

  /// Prepares a new event or reminder.
  ///
  /// - Parameters:
  ///   - details: The values.
  ///   - kind: An event or a reminder.
  ///   - calendar: The calendar; nil for the default one, or the only one that accepts the kind.
  /// - Returns: The edit.
  /// - Throws: `EpactError` if a value is invalid or there is no calendar; `LibraryError`.
  public func adding(
    _ details: ItemDetails, as kind: ItemKind, to calendar: CalendarInfo? = nil
  ) throws -> PreparedEdit {
    let calendar = try calendar ?? library.standardCalendar(for: kind)
    let (item, skipped): (CalendarItem, EventTime?)
    switch kind {
    case .event: (item, skipped) = try new(Event(), details)
    case .reminder:
      var reminder = Reminder()
      reminder.status = .needsAction
      (item, skipped) = try new(reminder, details)
    default: throw EpactError(.argument, "only events and reminders can be added")
    }
    try check(item)
    try library.check([kind], for: calendar)
    return PreparedEdit(
      library, [ItemRevision(.added, in: calendar, from: nil, to: item).skipping(skipped)])
  }

  private func new<Content: EditableContent>(
    _ empty: Content, _ details: ItemDetails
  ) throws -> (CalendarItem, skipped: EventTime?) {
    var content = empty
    let now = machine.now()
    content.uid = machine.makeUID()
    (content.stamp, content.created, content.lastModified) = (now, now, now)
    let writer = DetailsWriter(details: details, times: times(of: nil, zone: details.zone))
    try writer.write(to: &content)
    let skipped = try writer.alignStart(of: &content, machine.recurrenceOptions)
    if var reminder = content as? Reminder, let status = details.status {
      reminder.status = status
      if let result = reminder as? Content { content = result }
    }
    if content is Event, content.start == nil { throw DetailsWriter.missingStart }
    return (try CalendarItem(content, zones: machine.zoneResolver), skipped)
  }

  /// Checks the rules for saving; what an earlier form violated already is no reason.
  private func check(
    _ item: CalendarItem, since before: CalendarItem? = nil
  ) throws(EpactError) {
    var rules = SavingRules(zones: machine.zoneResolver)
    rules.recurrence = machine.recurrenceOptions
    let known = before.map { Set(rules.errors(in: $0)) } ?? []
    if item.hasAlarmWithoutDate, before?.hasAlarmWithoutDate != true {
      throw EpactError(
        .argument, "\"\(item.title)\" has no date, and an alarm before it needs a date",
        subject: item.uid.rawValue)
    }
    guard let error = rules.errors(in: item).first(where: { !known.contains($0) }) else { return }
    throw EpactError(
      .argument, "\"\(item.title)\" cannot be saved: \(error.message)", subject: item.uid.rawValue)
  }

  // MARK: Changing

  /// Prepares new values of an item, or of a part of a series.
  ///
  /// - Parameters:
  ///   - found: The item.
  ///   - details: The new values.
  ///   - span: The part of the series.
  /// - Returns: The edit, which is empty if nothing changes.
  /// - Throws: `EpactError` if a value is invalid; `EditError` if there is no such occurrence;
  ///   `LibraryError` for a read-only calendar.
  public func changing(
    _ found: FoundItem, _ details: ItemDetails, _ span: EditSpan
  ) throws -> PreparedEdit {
    try expectChangeable(found)
    try ItemStatus.expectPossible(details, for: found.item)
    try expectNoCycle(from: details.parent, to: found)
    let (edited, skipped): (EditedItem, EventTime?)
    switch found.item.kind {
    case .event:
      (edited, skipped) = try self.edited(found.item, span, details) { (event: inout Event) in
        if let status = details.eventStatus { event.status = status }
      }
    case .reminder:
      (edited, skipped) = try self.edited(found.item, span, details) { (reminder: inout Reminder) in
        if let status = details.status { reminder.set(status, at: machine.now()) }
      }
    case .journal:
      try JournalRules.expectEditable(found.item, details)
      (edited, skipped) = try self.edited(found.item, span, details) { (journal: inout Journal) in
        if let status = details.journalStatus { journal.status = status }
      }
    default:
      throw EpactError(.argument, "only events, reminders and journal entries can be edited")
    }
    let edit = try prepared(edited, span, of: found, skipping: skipped)
    guard case .future(let time) = span else { return edit }
    let (earlier, later) = movedAcross(time, in: found.item)
    return edit.splitting(following: earlier, keeping: later)
  }

  /// The event with new values, for one that no calendar has yet.
  ///
  /// - Throws: `EpactError` if a value is invalid, or the event has no start.
  func changing(_ event: CalendarItem, _ details: ItemDetails) throws -> CalendarItem {
    let edited = try edited(event, .all, details) { (_: inout Event) in }.0
    guard let item = edited.item?.definingTimeZones(since: event, zones: machine.zoneResolver),
      let main = item.main, Event(main).start != nil
    else { throw DetailsWriter.missingStart }
    try check(item, since: event)
    return item
  }

  /// Checks that a reminder does not become a part of itself, or of one of its parts.
  private func expectNoCycle(from parent: UID?, to found: FoundItem) throws(EpactError) {
    guard let parent, !parent.rawValue.isEmpty else { return }
    let parents = Dictionary(
      remindersWithParents.map { ($0.item.uid, $0.parent) }
    ) { first, _ in first }
    var seen: Set<UID> = []
    var next: UID? = parent
    while let uid = next, seen.insert(uid).inserted {
      guard uid != found.item.uid else {
        let title = title(of: parent) ?? parent.rawValue
        throw EpactError(
          .argument,
          parent == uid
            ? "\"\(title)\" cannot be a part of itself"
            : "\"\(found.item.title)\" cannot be a part of \"\(title)\", which is a part of it",
          subject: uid.rawValue)
      }
      next = parents[uid]
    }
  }

  private func edited<Content: EditableContent>(
    _ item: CalendarItem, _ span: EditSpan, _ details: ItemDetails,
    _ change: (inout Content) -> Void
  ) throws -> (EditedItem, skipped: EventTime?) {
    if case .occurrence = span, details.repetition != nil {
      throw EpactError(.argument, "one occurrence has no recurrence of its own")
    }
    let writer = DetailsWriter(
      details: details, times: times(of: item, zone: details.zone))
    var (failure, skipped): (EpactError?, EventTime?)
    // The start moves after the change, because the exclusions and the changed occurrences stay on
    // their days.
    var isNew = (location: false, description: false)
    let edited = try itemEditor.edit(item, span) { (content: inout Content) in
      do throws(EpactError) {
        let before = (content.location, content.descriptionText)
        try writer.write(to: &content)
        isNew = (content.location != before.0, content.descriptionText != before.1)
        change(&content)
      } catch {
        failure = error
      }
    } component: { component in
      DependentProperties.remove(
        from: &component, location: isNew.location, description: isNew.description)
      var content = Content(component)
      do throws(EpactError) {
        if var before = item.main.map({ Content($0) }) {
          if case .future(let time) = span { before.start = time }
          try writer.expectStartInRule(of: content, since: before, machine.recurrenceOptions)
        }
        guard let start = try writer.alignStart(of: &content, machine.recurrenceOptions) else {
          return
        }
        skipped = start
        content.write(to: &component)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return (edited, skipped)
  }

  /// The edit that stores the result of an item editor.
  func prepared(
    _ edited: EditedItem, _ span: EditSpan, of found: FoundItem, skipping start: EventTime? = nil
  ) throws -> PreparedEdit {
    var occurrence: EventTime?
    if case .occurrence(let time) = span { occurrence = time }
    let zones = machine.zoneResolver
    var revisions: [ItemRevision] = []
    func defined(_ item: CalendarItem) -> CalendarItem {
      item == found.item ? item : item.definingTimeZones(since: found.item, zones: zones)
    }
    let item = edited.item.map(defined)
    if let item, item.calendar != found.item.calendar {
      try check(item, since: found.item)
      let revision = ItemRevision(
        .changed, in: found.calendar, from: found.entry, to: item, at: occurrence)
      revisions.append(
        edited.successor == nil ? revision.affecting(edited.effects).skipping(start) : revision)
    } else if item == nil {
      revisions.append(ItemRevision(.deleted, in: found.calendar, from: found.entry, to: nil))
    }
    if let successor = edited.successor.map(defined) {
      try check(successor, since: found.item)
      revisions.append(
        ItemRevision(.added, in: found.calendar, from: nil, to: successor)
          .affecting(edited.effects).skipping(start))
    }
    return PreparedEdit(library, revisions)
  }

  /// Prepares the deletion of an item, or of a part of a series.
  ///
  /// - Parameters:
  ///   - found: The item.
  ///   - span: The part of the series.
  /// - Returns: The edit.
  /// - Throws: `EditError` if there is no such occurrence; `LibraryError` for a read-only calendar.
  public func deleting(_ found: FoundItem, _ span: EditSpan) throws -> PreparedEdit {
    try expectChangeable(found)
    let edit = try prepared(try itemEditor.delete(found.item, span), span, of: found)
    switch span {
    case .occurrence: return edit.renaming([.changed: .deleted])
    case .future(let time):
      let (earlier, later) = movedAcross(time, in: found.item)
      return edit.affecting(
        earlier.map { .occurrence(.overrideRemoved, $0) } + later.map { .occurrence(.kept, $0) })
    case .all: return edit
    }
  }

  /// The changed occurrences that were moved over the start of the later part of a series.
  ///
  /// The original start decides: one that was moved to an earlier day belongs to the later part, and one
  /// that was moved to a later day does not.
  private func movedAcross(
    _ cut: EventTime, in item: CalendarItem
  ) -> (earlier: [EventTime], later: [EventTime]) {
    let times = times(of: item, zone: nil)
    let limit = times.instant(of: cut)
    var (earlier, later): ([EventTime], [EventTime]) = ([], [])
    for override in item.overrides.map({ Event($0) }) {
      guard let id = override.recurrenceID?.time, let start = override.start else { continue }
      let (before, now) = (times.instant(of: id), times.instant(of: start))
      if before >= limit, now < limit { earlier.append(id) }
      if before < limit, now >= limit { later.append(id) }
    }
    return (earlier, later)
  }

  // MARK: Other calendars

  /// Prepares the move of an item to another calendar.
  ///
  /// - Parameters:
  ///   - found: The item.
  ///   - calendar: The other calendar.
  /// - Returns: The edit, which is empty if the item is there already.
  /// - Throws: `LibraryError` if one of the calendars is read-only, or the other one does not
  ///   accept the item or has it already.
  public func moving(_ found: FoundItem, to calendar: CalendarInfo) throws -> PreparedEdit {
    guard calendar.id != found.calendar.id else { return PreparedEdit(library, []) }
    try expectChangeable(found)
    try library.check([found.item.kind], for: calendar)
    try expectAbsence(of: found.item.uid, in: calendar)
    return PreparedEdit(
      library,
      [
        ItemRevision(.moved, in: calendar, from: nil, to: found.item),
        ItemRevision(.removed, in: found.calendar, from: found.entry, to: nil),
      ])
  }

  /// Prepares a copy of an item with a new UID.
  ///
  /// - Parameters:
  ///   - found: The item.
  ///   - calendar: The calendar of the copy.
  ///   - keepsPeople: Whether the copy of a meeting has its organizer and attendees.
  /// - Returns: The edit.
  /// - Throws: `LibraryError` if the calendar is read-only or does not accept the item.
  public func copying(
    _ found: FoundItem, to calendar: CalendarInfo, keepingPeople keepsPeople: Bool = true
  ) throws -> PreparedEdit {
    try library.check([found.item.kind], for: calendar)
    let item = keepsPeople ? found.item : try found.item.withoutPeople()
    let copy = try item.renamed(machine.makeUID(), stamped: machine.now())
    return PreparedEdit(library, [ItemRevision(.copied, in: calendar, from: nil, to: copy)])
  }

  /// Checks that an item can be changed and removed, and that it is in one file.
  ///
  /// A copy of the file, as other programs make it, would keep the item as it was.
  ///
  /// - Throws: `EpactError` with the names of both files; the errors of the calendar.
  func expectChangeable(_ found: FoundItem) throws {
    try expectChangeable(found.calendar)
    _ = try library.entry(found.item.uid, of: found.calendar)
    let copies = library.unreadable(of: found.calendar)
      .filter { $0.sharedUID == found.item.uid }.map(\.name)
    guard !copies.isEmpty else { return }
    let names = ([found.entry.name] + copies).joined(separator: " and ")
    throw EpactError(
      .failed,
      "\"\(found.item.title)\" is in several files of the calendar \"\(found.calendar.title)\": "
        + names,
      details: [
        "a change of one leaves the others as they are; move those away from "
          + "\(found.calendar.location.path) that are not wanted"
      ], subject: found.item.uid.rawValue)
  }

  /// Checks that items of a calendar can be changed and removed.
  ///
  /// A sync with write-only access only adds events, so that the remote would never get the change.
  func expectChangeable(_ calendar: CalendarInfo) throws {
    try library.check([], for: calendar)
    let syncs = try library.configuration().syncs.filter { $0.calendar == calendar.name }
    guard let sync = syncs.first(where: { $0.access == .writeOnly }) else { return }
    throw EpactError(
      .noAccess,
      "the calendar \"\(calendar.title)\" has write-only access to \"\(sync.remote)\", which adds "
        + "events and changes none", subject: calendar.name)
  }

  private func expectAbsence(of uid: UID, in calendar: CalendarInfo) throws {
    guard try library.entry(uid, of: calendar) == nil else {
      throw LibraryError(
        .failed, subject: uid.rawValue,
        "the calendar \"\(calendar.title)\" has an item with the same UID")
    }
  }
}

extension CalendarItem {
  /// Whether a reminder without a date has an alarm relative to one, which is never triggered.
  ///
  /// A trigger relative to the start needs DTSTART or DUE (RFC 5545 §3.8.6.3).
  fileprivate var hasAlarmWithoutDate: Bool {
    guard kind == .reminder, let main else { return false }
    let reminder = Reminder(main)
    guard reminder.due == nil else { return false }
    return reminder.alarms.contains { alarm in
      if case .relative(_, let anchor)? = alarm.trigger {
        anchor == .end || reminder.start == nil
      } else {
        false
      }
    }
  }

  /// Whether the item has an organizer or attendees.
  package var hasPeople: Bool {
    components.contains { $0[.organizer] != nil || $0[.attendee] != nil }
  }

  /// The item without its organizer, its attendees and their answers.
  fileprivate func withoutPeople() throws(ItemError) -> CalendarItem {
    let dropped: Set<PropertyName> = [.organizer, .attendee, .requestStatus]
    let components = self.components.map { component in
      var component = component
      component.properties.removeAll { dropped.contains($0.name) }
      return component
    }
    return try replacing(components: components, timeZones: timeZones)
  }

  /// The item with another UID in all components.
  ///
  /// - Parameters:
  ///   - uid: The UID.
  ///   - now: The time for CREATED, DTSTAMP and LAST-MODIFIED; nil to keep them.
  /// - Returns: The item.
  /// - Throws: `ItemError` if the components are not one item.
  package func renamed(_ uid: UID, stamped now: Instant?) throws(ItemError) -> CalendarItem {
    let stamp = now?.civil().map { "\($0)Z" }
    let components = self.components.map { component in
      var component = component
      component[.uid] = Property(.uid, text: uid.rawValue)
      guard let stamp else { return component }
      for name in [PropertyName.dtStamp, .created, .lastModified] {
        component[name] = Property(name, rawValue: stamp)
      }
      component[.sequence] = nil
      return component
    }
    return try replacing(components: components, timeZones: timeZones)
  }
}
