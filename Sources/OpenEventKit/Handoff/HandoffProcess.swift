// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import Dispatch
package import Epact
import Synchronization

/// The process of a form, which runs with the user's access.
package struct HandoffProcess: Sendable {
  /// The beginning of a report to the log.
  static let failure = "the form cannot be shown"

  /// The time for which a form stays open, in seconds.
  private static let timeLimit = 86_400.0
  /// The maximum size of an answer, in bytes.
  private static let outputLimit = 1 << 16

  private let machine: Machine
  private let hasTerminal: Bool

  /// Creates the process of a machine.
  package init(machine: Machine, hasTerminal: Bool) {
    self.machine = machine
    self.hasTerminal = hasTerminal
  }

  /// The process of a machine, on the terminal of this process if there is one.
  static func live(machine: Machine) -> HandoffProcess {
    HandoffProcess(machine: machine, hasTerminal: LiveDependencies.hasTerminal())
  }

  /// Offers an event, and waits until the user has finished.
  ///
  /// The calendar program of the desktop opens the event if no form can be shown.
  ///
  /// - Returns: Whether the event was saved; false if the result is unknown.
  /// - Throws: `EpactError` if the file cannot be written; `Subprocess.Failure`;
  ///   `CancellationError`.
  package func offer(_ item: CalendarItem) throws -> Bool {
    guard let program else { return false }
    let file = try HandoffFile(at: nil, from: item.uid.rawValue, handler: nil, machine: machine)
    try file.write(CalendarWriting([item], machine: machine))
    guard isFormPossible(of: program) else {
      // The desktop's program reads the file after the process has ended.
      _ = try process(program, ["--open", file.path]).interact()
      return false
    }
    defer { LiveDependencies.remove(file.path) }
    return try process(program, ["--form", file.path]).interact() == 0
  }

  /// Whether the program has a place for its forms: a terminal, or a page in the browser.
  private func isFormPossible(of program: String) -> Bool {
    do throws(HandoffFace.Failure) {
      _ = try HandoffFace(hasTerminal: hasTerminal, machine: machine, startedBy: program)
      return true
    } catch {
      return false
    }
  }

  /// The calendars that a form offers.
  package struct Choice: Sendable {
    /// The kind of items.
    package let entity: EKEntityType
    /// Whether the user can choose several calendars.
    package let isMultiple: Bool
    /// Whether read-only calendars are left out.
    package let isWritableOnly: Bool

    /// Creates a choice.
    package init(for entity: EKEntityType, isMultiple: Bool, isWritableOnly: Bool) {
      self.entity = entity
      self.isMultiple = isMultiple
      self.isWritableOnly = isWritableOnly
    }
  }

  /// Offers the calendars, and waits until the user has chosen.
  ///
  /// - Returns: The identifiers of the chosen calendars; empty if the user chose none.
  /// - Throws: `Subprocess.Failure`; `CancellationError`.
  package func choose(_ choice: Choice) throws -> [String] {
    guard let program else { return [] }
    var options = ["--choose", choice.entity == .event ? "events" : "reminders"]
    if choice.isMultiple { options.append("--several") }
    if choice.isWritableOnly { options.append("--writable") }
    do {
      let form = process(program, options, outputLimit: Self.outputLimit)
      return Self.lines(try form.output(withInput: true))
    } catch Subprocess.Failure.exited {
      return []
    }
  }

  /// Shows an event, and waits until the user has closed it.
  ///
  /// - Parameters:
  ///   - uid: The UID.
  ///   - calendar: The identifier of the calendar.
  ///   - time: The original time of an occurrence, in iCalendar format; nil for the whole event.
  ///   - isEditable: Whether the user can also edit and delete the event.
  /// - Returns: Whether the user deleted the event, or the occurrence.
  /// - Throws: `Subprocess.Failure`; `CancellationError`.
  package func show(
    _ uid: UID, in calendar: String, at time: String?, isEditable: Bool
  ) throws -> Bool {
    guard let program else { return false }
    var options = ["--show=\(uid.rawValue)", "--calendar=\(calendar)"]
    if let time { options.append("--at=\(time)") }
    if isEditable { options.append("--editable") }
    do {
      let form = process(program, options, outputLimit: Self.outputLimit)
      return Self.lines(try form.output(withInput: true)) == HandoffOutcome.deleted.lines
    } catch Subprocess.Failure.exited {
      return false
    }
  }

  private static func lines(_ output: [UInt8]) -> [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private var program: String? {
    let program = machine.executable("epact")
    if program == nil {
      machine.note("the program epact is not in PATH, so that no form can be shown")
    }
    return program
  }

  /// The process of the program with options of its forms.
  private func process(
    _ program: String, _ options: [String], outputLimit: Int = 0
  ) -> Subprocess {
    Subprocess(
      words: [program, "handoff"] + options,
      environment: machine.environment, timeLimit: Self.timeLimit, outputLimit: outputLimit,
      stopwatch: machine.stopwatch)
  }
}

/// A form that is open in the background.
final class OpenForm: Sendable {
  private let thread = FormThread()
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Shows a form; the function returns after the user has finished.
  func show(_ body: @escaping @Sendable () -> Void) {
    let new = Task.detached(executorPreference: thread) { body() }
    task.withLock { $0 = new }
  }

  /// Dismisses the form.
  func dismiss() {
    task.withLock(\.self)?.cancel()
  }
}

/// A thread that waits for a user, which may take an hour.
///
/// The program's tasks have as many threads as the machine has cores, and two open forms would keep
/// both of a small machine.
private final class FormThread: TaskExecutor {
  private let queue = DispatchQueue(label: "EKEventStore.form")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
