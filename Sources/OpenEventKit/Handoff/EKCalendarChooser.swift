// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Lets the user choose calendars.
///
/// The form is another process, `epact handoff`, which runs with the user's access. It shows all
/// calendars, and the program learns only which ones were chosen.
///
/// ```swift
/// let chooser = EKCalendarChooser(
///   selectionStyle: .single, displayStyle: .writableCalendarsOnly, entityType: .event,
///   eventStore: store)
/// chooser.present { chosen in event.calendar = chosen?.first }
/// ```
///
/// It needs write-only or full access. With write-only access the user chooses one writable
/// calendar, and the program receives a calendar without a name, to which it can add events.
///
/// The form is on the terminal, or without one, a page in the user's browser. Without a browser, the
/// choice is cancelled.
open class EKCalendarChooser: NSObject, @unchecked Sendable {
  private let form = OpenForm()
  private let lock = NSLock()
  private let eventStore: EKEventStore
  private let entityType: EKEntityType
  private let displayStyle: EKCalendarChooserDisplayStyle
  private var selection: Set<EKCalendar> = []

  /// Whether one calendar can be chosen, or several.
  public let selectionStyle: EKCalendarChooserSelectionStyle
  /// Receives the choice, in addition to the closure of ``present(completion:)``.
  open weak var delegate: (any EKCalendarChooserDelegate)?
  /// No effect: the form is always closed by an answer.
  open var showsDoneButton = false
  /// No effect: the form can always be cancelled.
  open var showsCancelButton = false

  /// Creates a chooser.
  ///
  /// - Parameters:
  ///   - selectionStyle: Whether one calendar can be chosen, or several.
  ///   - displayStyle: The calendars to show.
  ///   - entityType: The kind of items.
  ///   - eventStore: The store of the chosen calendars.
  public init(
    selectionStyle: EKCalendarChooserSelectionStyle, displayStyle: EKCalendarChooserDisplayStyle,
    entityType: EKEntityType, eventStore: EKEventStore
  ) {
    self.selectionStyle = selectionStyle
    self.displayStyle = displayStyle
    self.entityType = entityType
    self.eventStore = eventStore
    super.init()
  }

  /// Creates a chooser for the calendars of events.
  ///
  /// - Parameters:
  ///   - selectionStyle: Whether one calendar can be chosen, or several.
  ///   - displayStyle: The calendars to show.
  ///   - eventStore: The store of the chosen calendars.
  public convenience init(
    selectionStyle: EKCalendarChooserSelectionStyle, displayStyle: EKCalendarChooserDisplayStyle,
    eventStore: EKEventStore
  ) {
    self.init(
      selectionStyle: selectionStyle, displayStyle: displayStyle, entityType: .event,
      eventStore: eventStore)
  }

  /// The chosen calendars.
  ///
  /// Setting it does not call the delegate.
  open var selectedCalendars: Set<EKCalendar> {
    get { lock.withLock { selection } }
    set { lock.withLock { selection = newValue } }
  }

  /// Shows the form in another process, and returns at once.
  ///
  /// - Parameter completion: Receives the chosen calendars, on the main queue; nil if the user
  ///   chose none.
  open func present(completion: (@Sendable (Set<EKCalendar>?) -> Void)? = nil) {
    present(in: .live(machine: eventStore.core.machine), completion: completion)
  }

  /// Shows the form in a process.
  package func present(
    in process: HandoffProcess, completion: (@Sendable (Set<EKCalendar>?) -> Void)?
  ) {
    let core = eventStore.core
    let isLimited: Bool
    switch core.gate.session(for: entityType) {
    case .none:
      core.report("a program without access to the calendars cannot let the user choose one")
      return finish(nil, completion)
    case .writeOnly: isLimited = true
    case .full: isLimited = false
    }
    let choice = HandoffProcess.Choice(
      for: entityType, isMultiple: selectionStyle == .multiple && !isLimited,
      isWritableOnly: displayStyle == .writableCalendarsOnly || isLimited)
    form.show { [self] in
      let ids =
        core.gate.failures.catching(HandoffProcess.failure) { try process.choose(choice) } ?? []
      let chosen = Set(core.choose(ids, for: entityType))
      finish(chosen.isEmpty ? nil : chosen, completion)
    }
  }

  private func finish(
    _ chosen: Set<EKCalendar>?, _ completion: (@Sendable (Set<EKCalendar>?) -> Void)?
  ) {
    if let chosen { selectedCalendars = chosen }
    LiveDependencies.mainQueue.async { [self] in
      completion?(chosen)
      if chosen == nil {
        delegate?.calendarChooserDidCancel(self)
      } else {
        delegate?.calendarChooserSelectionDidChange(self)
        delegate?.calendarChooserDidFinish(self)
      }
    }
  }
}

/// Receives the choice of a chooser; all methods are optional, and are called on the main queue.
public protocol EKCalendarChooserDelegate: AnyObject {
  /// The user chose calendars.
  func calendarChooserSelectionDidChange(_ calendarChooser: EKCalendarChooser)
  /// The user finished with a choice.
  func calendarChooserDidFinish(_ calendarChooser: EKCalendarChooser)
  /// The user chose no calendar.
  func calendarChooserDidCancel(_ calendarChooser: EKCalendarChooser)
}

extension EKCalendarChooserDelegate {
  /// Does nothing.
  public func calendarChooserSelectionDidChange(_ calendarChooser: EKCalendarChooser) {}
  /// Does nothing.
  public func calendarChooserDidFinish(_ calendarChooser: EKCalendarChooser) {}
  /// Does nothing.
  public func calendarChooserDidCancel(_ calendarChooser: EKCalendarChooser) {}
}

/// Whether one calendar can be chosen, or several.
public enum EKCalendarChooserSelectionStyle: Int, Sendable {
  /// One calendar.
  case single = 0
  /// Several calendars.
  case multiple = 1
}

/// The calendars that a chooser shows.
public enum EKCalendarChooserDisplayStyle: Int, Sendable {
  /// All calendars.
  case allCalendars = 0
  /// The calendars to which items can be added.
  case writableCalendarsOnly = 1
}
