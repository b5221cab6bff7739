// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

extension LibraryEditor {
  /// The status of reminders.
  var tasks: TaskCompletion {
    TaskCompletion(itemEditor, viewer: viewer, recurrence: machine.recurrenceOptions)
  }

  /// Prepares a new status of a reminder.
  ///
  /// The completion of a recurring reminder concerns its first open occurrence; see
  /// <doc:EverydayWork>.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - found: The reminder.
  ///   - isWhole: Whether a series gets the status as a whole.
  /// - Returns: The edit, which is empty if nothing changes.
  /// - Throws: `EpactError` if the item is not a reminder; `EditError`; `LibraryError` for a
  ///   read-only calendar.
  public func setting(
    _ status: ReminderStatus, of found: FoundItem, isWhole: Bool = false
  ) throws -> PreparedEdit {
    guard found.item.kind == .reminder else {
      throw EpactError(
        .argument, "\"\(found.item.title)\" is not a reminder", subject: found.item.uid.rawValue)
    }
    try expectChangeable(found)
    var tasks = tasks
    let (library, calendar) = (library, found.calendar)
    tasks.isTaken = { library.hasItem($0, in: calendar) }
    if status != .needsAction, !isWhole { try expectNext(found, tasks) }
    guard let result = try self.result(of: status, for: found, isWhole: isWhole, tasks) else {
      return PreparedEdit(library, [])
    }
    let word = ItemRevision.Kind(status)
    guard let detached = result.detached else {
      let span = result.occurrence.map { EditSpan.occurrence($0) } ?? .all
      return try prepared(EditedItem(result.item), span, of: found).renaming([.changed: word])
    }
    return PreparedEdit(
      library,
      [
        ItemRevision(word, in: found.calendar, from: nil, to: detached),
        ItemRevision(.advanced, in: found.calendar, from: found.entry, to: result.item)
          .affecting(result.effects),
      ])
  }

  /// The reminder with a status; a date in its name means that occurrence.
  private func result(
    of status: ReminderStatus, for found: FoundItem, isWhole: Bool, _ tasks: TaskCompletion
  ) throws -> TaskCompletion.Result? {
    guard status == .needsAction, let start = found.occurrence, found.isSeries else {
      return try tasks.setting(status, of: found.item, isWhole: isWhole)
    }
    if let result = try tasks.reopening(start, of: found.item) { return result }
    let texts = WhenText(viewer: viewer)
    throw EpactError(
      .argument,
      "the occurrence of \"\(found.item.title)\" on \(texts.text(texts.moment(start))) is not "
        + "completed or cancelled",
      details: ["without the date, the reminder as a whole is opened again"],
      subject: found.item.uid.rawValue)
  }

  /// Rejects a name with the date of another occurrence than the next open one.
  private func expectNext(_ found: FoundItem, _ tasks: TaskCompletion) throws {
    guard let named = found.occurrence, let series = try OpenSeries(found.item, tasks),
      series.current != named
    else { return }
    let texts = WhenText(viewer: viewer)
    throw EpactError(
      .argument,
      "expected the next open occurrence of \"\(found.item.title)\", "
        + "\(texts.text(texts.moment(series.current))), found \(texts.text(texts.moment(named)))",
      details: ["the occurrences of a reminder are completed in their order"],
      subject: found.item.uid.rawValue)
  }

  /// Prepares a new status of several reminders, as one run.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - found: The reminders.
  ///   - isWhole: Whether a series gets the status as a whole.
  /// - Returns: The edit.
  /// - Throws: The errors of one reminder; `EpactError` if one is named twice.
  public func setting(
    _ status: ReminderStatus, ofAll found: [FoundItem], isWhole: Bool = false
  ) throws -> PreparedEdit {
    try found.reduce(PreparedEdit(library, [])) { edit, item in
      try edit.and(try setting(status, of: item, isWhole: isWhole))
    }
  }
}
