// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
public import Foundation

/// Shows an event to the user.
///
/// The form is another process, `epact handoff`, which reads the event with the user's access. The
/// program learns only that the user has closed or deleted it. It needs full access.
///
/// The form is on the terminal, or without one, a page in the user's browser.
///
/// ```swift
/// let viewer = EKEventViewController()
/// viewer.event = event
/// viewer.present { action in if action == .deleted { reload() } }
/// ```
open class EKEventViewController: NSObject, @unchecked Sendable {
  private let form = OpenForm()

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The event, which was saved before.
  open var event: EKEvent!
  /// Whether the user can change and delete the event.
  open var allowsEditing = false
  /// No effect: the form shows the event only.
  open var allowsCalendarPreview = false
  /// Receives the action, in addition to the closure of ``present(completion:)``.
  open weak var delegate: (any EKEventViewDelegate)?

  /// Creates a controller without an event.
  public override init() {
    super.init()
  }

  /// Shows the form in another process, and returns at once.
  ///
  /// - Parameter completion: Receives the action, on the main queue.
  open func present(completion: (@Sendable (EKEventViewAction) -> Void)? = nil) {
    guard let event else { return finish(.done, completion) }
    present(in: .live(machine: event.core.machine), completion: completion)
  }

  /// Shows the form in a process.
  package func present(
    in process: HandoffProcess, completion: (@Sendable (EKEventViewAction) -> Void)?
  ) {
    guard let event, let origin = event.lock.withLock({ event.state.origin }) else {
      return finish(.done, completion)
    }
    let core = event.core
    guard case .full = core.gate.session(for: .event) else {
      core.report("a program without full access to events cannot show one")
      return finish(.done, completion)
    }
    let time = origin.occurrence.flatMap { core.text(of: $0, in: origin.item) }
    let isEditable = allowsEditing
    form.show { [self] in
      let isDeleted = core.gate.failures.catching(HandoffProcess.failure) {
        try process.show(origin.uid, in: origin.calendar, at: time, isEditable: isEditable)
      }
      finish(isDeleted == true ? .deleted : .done, completion)
    }
  }

  private func finish(
    _ action: EKEventViewAction, _ completion: (@Sendable (EKEventViewAction) -> Void)?
  ) {
    LiveDependencies.mainQueue.async { [self] in
      completion?(action)
      delegate?.eventViewController(self, didCompleteWith: action)
    }
  }
}

/// Receives the result of a controller.
public protocol EKEventViewDelegate: AnyObject {
  /// The user closed the event.
  ///
  /// It is called on the main queue.
  func eventViewController(
    _ controller: EKEventViewController, didCompleteWith action: EKEventViewAction)
}

/// The user's action on an event that was shown.
public enum EKEventViewAction: Int, Sendable {
  /// The user closed the event.
  case done = 0
  /// The user replied to an invitation.
  case responded = 1
  /// The user deleted the event.
  case deleted = 2
}

extension StoreCore {
  /// The time of an occurrence in iCalendar format: in UTC, unless it floats or is a date.
  fileprivate func text(of time: EventTime, in item: CalendarItem) -> String? {
    switch time {
    case .date(let date): "\(date)"
    case .floating(let wall): "\(wall)"
    case .utc, .zoned: zones.instant(of: time, item.timeZones).civil().map { "\($0)Z" }
    }
  }
}
