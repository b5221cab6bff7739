// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import Epact
import Synchronization

/// The process of a form, which runs with the user's access.
package struct HandoffProcess: Sendable {
  /// The beginning of a report to the log.
  static let failure = "the form cannot be shown"

  /// The time for which a form stays open, in seconds.
  private static let timeLimit = 86_400.0
  /// The maximum size of the identifiers of chosen calendars, in bytes.
  private static let outputLimit = 1 << 16

  private let machine: Machine
  private let hasTerminal: Bool

  /// Creates the process of a machine, whose forms need a terminal.
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
  /// - Returns: Whether the event was saved.
  /// - Throws: `EpactError` if the file cannot be written; `Subprocess.Failure`;
  ///   `CancellationError`.
  package func offer(_ item: CalendarItem) throws -> Bool {
    guard let program else { return false }
    let file = try HandoffFile(at: nil, from: item.uid.rawValue, handler: nil, machine: machine)
    try file.write(CalendarWriting([item], machine: machine))
    // The desktop's program reads the file after the process has ended.
    defer { if hasTerminal { LiveDependencies.remove(file.path) } }
    let form = process(program, [hasTerminal ? "--form" : "--open", file.path])
    return try form.interact() == 0 && hasTerminal
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
    guard hasTerminal, let program else { return [] }
    var options = ["--choose", choice.entity == .event ? "events" : "reminders"]
    if choice.isMultiple { options.append("--several") }
    if choice.isWritableOnly { options.append("--writable") }
    do {
      let form = process(program, options, outputLimit: Self.outputLimit)
      let output = try form.output(withInput: true)
      return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
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
  /// - Throws: `Subprocess.Failure`; `CancellationError`.
  package func show(_ uid: UID, in calendar: String, at time: String?) throws {
    guard hasTerminal, let program else { return }
    let options = ["--show=\(uid.rawValue)", "--calendar=\(calendar)"]
    _ = try process(program, options + (time.map { ["--at=\($0)"] } ?? [])).interact()
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
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Shows a form; the function returns after the user has finished.
  func show(_ body: @escaping @Sendable () -> Void) {
    let new = Task.detached { body() }
    task.withLock { $0 = new }
  }

  /// Dismisses the form.
  func dismiss() {
    task.withLock(\.self)?.cancel()
  }
}
