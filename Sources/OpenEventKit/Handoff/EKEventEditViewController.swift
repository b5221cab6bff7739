// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import Epact
public import Foundation

/// Offers a prepared event to the user, who saves it in a calendar of their own, or not.
///
/// It needs no access and never asks for any. The form is another process, `epact handoff`, which
/// runs with the user's access. The program learns whether the event was saved, and nothing else:
/// ``event`` stays as it was.
///
/// ```swift
/// let editor = EKEventEditViewController()
/// editor.eventStore = store
/// editor.event = event
/// editor.present { action in if action == .saved { reload() } }
/// ```
///
/// The form is on the terminal, or without one, a page in the user's browser. Without a browser, or
/// without the program `epact-serve`, the event is opened in the calendar program of the desktop,
/// which reports no result: the action is then ``EKEventEditViewAction/canceled``.
open class EKEventEditViewController: NSObject, @unchecked Sendable {
  private let form = OpenForm()

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The store of the event.
  open var eventStore: EKEventStore!
  /// The event to offer; nil for an empty one.
  open var event: EKEvent?
  /// Receives the action, in addition to the closure of ``present(completion:)``.
  open weak var editViewDelegate: (any EKEventEditViewDelegate)?

  /// Creates an editor without an event.
  public override init() {
    super.init()
  }

  /// Shows the form in another process, and returns at once.
  ///
  /// - Parameter completion: Receives the action, on the main queue.
  open func present(completion: (@Sendable (EKEventEditViewAction) -> Void)? = nil) {
    guard let eventStore else { return finish(.canceled, completion) }
    present(in: .live(machine: eventStore.core.machine), completion: completion)
  }

  /// Shows the form in a process.
  package func present(
    in process: HandoffProcess, completion: (@Sendable (EKEventEditViewAction) -> Void)?
  ) {
    guard let eventStore else { return finish(.canceled, completion) }
    let offered = event ?? EKEvent(eventStore: eventStore)
    let failures = eventStore.core.gate.failures
    let item = failures.catching("the event cannot be offered") { try offered.preparedItem() }
    guard let item else { return finish(.canceled, completion) }
    form.show { [self] in
      let isSaved = failures.catching(HandoffProcess.failure) { try process.offer(item) } ?? false
      finish(isSaved ? .saved : .canceled, completion)
    }
  }

  /// Dismisses the form without saving.
  open func cancelEditing() {
    form.dismiss()
  }

  private func finish(
    _ action: EKEventEditViewAction, _ completion: (@Sendable (EKEventEditViewAction) -> Void)?
  ) {
    LiveDependencies.mainQueue.async { [self] in
      completion?(action)
      editViewDelegate?.eventEditViewController(self, didCompleteWith: action)
    }
  }
}

/// Receives the result of an editor.
public protocol EKEventEditViewDelegate: AnyObject {
  /// The user finished with the form.
  ///
  /// It is called on the main queue.
  func eventEditViewController(
    _ controller: EKEventEditViewController, didCompleteWith action: EKEventEditViewAction)
}

/// The user's decision about a prepared event.
public enum EKEventEditViewAction: Int, Sendable {
  /// The event was not saved, or the result is unknown.
  case canceled = 0
  /// The event was saved.
  case saved = 1
  /// The event was deleted.
  case deleted = 2

  /// Another spelling of ``canceled``.
  public static var cancelled: EKEventEditViewAction { .canceled }
}

extension EKEvent {
  /// A new item with the unsaved changes of the event, which is not changed.
  ///
  /// - Throws: `ItemError` if a time zone has no rules.
  package func preparedItem() throws -> CalendarItem {
    try core.lock.withLock {
      let saved = state.saved.value
      let change = ItemChange(
        before: saved.fields, after: fields, parts: parts,
        definitions: state.origin?.item.timeZones ?? [], zones: core.zones)
      let saving = ItemSaving<Event>(
        editor: core.editor, change: change, write: { change.write(to: &$0) },
        makeUID: core.makeUID, now: core.now)
      return try saving.created(core.makeUID(), from: saved.component).saved
    }
  }
}
