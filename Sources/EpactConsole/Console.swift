// SPDX-License-Identifier: Apache-2.0

package import CivilTime
package import Epact
import Glibc
import Synchronization

/// The output of the program: results on standard output, everything else on standard error.
///
/// It is a class because the handler of sync events and the command write to the same streams.
package final class Console: Sendable {
  /// The use of colour.
  package enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    case auto
    case always
    case never
  }

  private struct State: Sendable {
    var output: OutputStream
    var errors: OutputStream
    /// Whether a progress bar is displayed on the last line.
    var hasProgress = false
    /// The filter of data for a terminal.
    var filter = TerminalFilter()
    /// Whether messages are objects of JSON.
    var reportsJSON = false
    /// Writes the times in a text.
    var time: @Sendable (Instant) -> String = { $0.timestamp }

    /// Removes the progress bar before other output.
    mutating func clearProgress() {
      guard hasProgress else { return }
      hasProgress = false
      errors.append("\r\u{1B}[K".utf8)
      errors.flush()
    }
  }

  private let state: Mutex<State>
  private let outputInColor: Bool
  private let errorsInColor: Bool
  /// Whether text results are suppressed.
  package let isQuiet: Bool
  /// The maximum number of columns of a line on standard output; nil if unlimited.
  ///
  /// It is `$COLUMNS`, or the width of the terminal.
  package let columns: Int?
  /// The number of rows of standard output; nil if it is not a terminal.
  ///
  /// It is `$LINES`, or the height of the terminal.
  package let rows: Int?
  /// The options that every suggested command repeats.
  private let repeatedOptions: [SuggestedCommand.Option]
  /// Whether the user can be asked: standard error and standard input are terminals.
  package let canAsk: Bool
  /// The maximum number of columns of a progress bar; nil if none is shown.
  private let progressColumns: Int?

  /// Creates a console for two descriptors.
  ///
  /// - Parameters:
  ///   - output: The descriptor for results.
  ///   - errors: The descriptor for everything else.
  ///   - color: The use of colour.
  ///   - isQuiet: Whether only errors and data are printed.
  ///   - repeatedOptions: The options that every suggested command repeats.
  ///   - environment: The variables of the environment.
  package init(
    output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO, color: ColorChoice = .auto,
    isQuiet: Bool = false, repeatedOptions: [SuggestedCommand.Option] = [],
    environment: [String: String]
  ) {
    self.repeatedOptions = repeatedOptions
    let streams = State(
      output: OutputStream(descriptor: output), errors: OutputStream(descriptor: errors))
    outputInColor = Self.usesColor(
      color, onTerminal: streams.output.isTerminal, environment: environment)
    errorsInColor = Self.usesColor(
      color, onTerminal: streams.errors.isTerminal, environment: environment)
    columns =
      environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
      ?? (streams.output.isTerminal ? Self.size(ofTerminal: output).columns : nil)
    rows =
      environment["LINES"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
      ?? (streams.output.isTerminal ? Self.size(ofTerminal: output).rows : nil)
    canAsk = streams.errors.isTerminal && isatty(STDIN_FILENO) == 1
    self.isQuiet = isQuiet
    let showsProgress =
      streams.errors.isTerminal && !isQuiet && environment["TERM"].map { $0 != "dumb" } ?? false
    progressColumns =
      showsProgress
      ? environment["COLUMNS"].flatMap { Int($0) } ?? Self.size(ofTerminal: errors).columns : nil
    state = Mutex(streams)
  }

  /// Sets how times are written; otherwise they are written in UTC.
  package func writeTimes(_ time: @escaping @Sendable (Instant) -> String) {
    state.withLock { $0.time = time }
  }

  /// Writes all further messages on standard error as JSON, one object a line.
  package func reportAsJSON() {
    state.withLock { $0.reportsJSON = true }
  }

  /// Whether messages on standard error are JSON.
  package var reportsJSON: Bool { state.withLock { $0.reportsJSON } }

  /// Decides on colour by the option, then `NO_COLOR`, then the terminal.
  package static func usesColor(
    _ choice: ColorChoice, onTerminal: Bool, environment: [String: String]
  ) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      onTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }

  private static func size(ofTerminal descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    guard result == 0 else { return (80, 24) }
    return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Whether results are in colour.
  package var usesColor: Bool { outputInColor }

  /// Prints a result on standard output, except in quiet mode.
  package func say(_ line: ConsoleText) {
    guard !isQuiet else { return }
    write(rendered(line, inColor: outputInColor) + "\n")
  }

  /// Prints requested information on standard output, even in quiet mode.
  package func show(_ line: ConsoleText) {
    write(rendered(line, inColor: outputInColor) + "\n")
  }

  /// Shows a progress bar on the last line, replacing the previous one; nil removes it.
  ///
  /// Nothing is shown if standard error is not a terminal.
  package func progress(_ line: ProgressLine?) {
    guard let progressColumns else { return }
    state.withLock { state in
      state.clearProgress()
      guard let text = line?.text(columns: progressColumns), !text.isEmpty else { return }
      state.output.flush()
      state.errors.append(text.utf8)
      state.errors.flush()
      state.hasProgress = true
    }
  }

  /// Writes data to standard output unchanged.
  ///
  /// On a terminal, control characters are escaped, because files of others may contain commands for
  /// it.
  package func write(_ bytes: some Collection<UInt8>) {
    state.withLock { state in
      state.clearProgress()
      guard state.output.isTerminal else { return state.output.append(bytes) }
      state.output.append(state.filter.escape(bytes))
    }
  }

  /// Writes a JSON value and a line break to standard output.
  package func write(_ value: JSONValue) {
    write(value.serialized() + "\n")
  }

  /// Writes a JSON value on one line at once, for a program that waits for it.
  package func writeLine(_ value: JSONValue) {
    let line = value.line + "\n"
    state.withLock { state in
      state.clearProgress()
      state.output.append(line.utf8)
      state.output.flush()
    }
  }

  /// Prints additional information on standard error, except in quiet mode.
  package func note(_ line: ConsoleText) {
    guard !isQuiet else { return }
    report(line)
  }

  /// Prints a warning on standard error.
  package func warn(_ message: ConsoleText) {
    guard !reportsJSON else { return report(message, as: "warning") }
    report("\("warning:", .yellow) \(message)")
  }

  /// Prints an error, and a hint on a line of its own.
  package func complain(_ message: ConsoleText, hint: ConsoleText? = nil) {
    guard !reportsJSON else {
      return report(hint.map { "\(message). \($0)" } ?? message, as: "error")
    }
    report("\("error:", .red) \(message)")
    if let hint { report("  \(hint)") }
  }

  /// The text without colour, with the repeated options in commands.
  package func plain(_ text: ConsoleText) -> String { rendered(text, inColor: false) }

  private func rendered(_ text: ConsoleText, inColor: Bool) -> String {
    let time: @Sendable (Instant) -> String = state.withLock { $0.time }
    return text.rendered(inColor: inColor, repeating: repeatedOptions, time: time)
  }

  /// Prints a line on standard error, after any pending standard output.
  package func report(_ line: ConsoleText) {
    guard !reportsJSON else { return report(line, as: "note") }
    writeMessage(rendered(line, inColor: errorsInColor))
  }

  /// Prints a message as JSON.
  private func report(_ message: ConsoleText, as severity: String) {
    reportProblem(.problem(severity, "program", plain(message)))
  }

  /// Prints a problem as one line of JSON on standard error.
  package func reportProblem(_ problem: JSONValue) {
    writeMessage(problem.line)
  }

  private func writeMessage(_ message: String) {
    let text = message + "\n"
    state.withLock { state in
      state.clearProgress()
      state.output.flush()
      state.errors.append(text.utf8)
      state.errors.flush()
    }
  }

  /// Shows a question on standard error, without a line break, after the output that was held.
  package func ask(_ question: ConsoleText) {
    let text = rendered(question, inColor: errorsInColor)
    state.withLock { state in
      state.output.release()
      state.errors.append(text.utf8)
      state.errors.flush()
    }
  }

  /// Holds the output until the end of the command, so that a pager can show it.
  ///
  /// It is written as usual if standard output is not a terminal, or if the user is asked.
  package func holdOutput() {
    state.withLock { $0.output.hold() }
  }

  /// Returns and removes the held output if it is higher than the terminal.
  package func takeHeldOutput() -> [UInt8]? {
    state.withLock { $0.output.takeHeld(rows: rows ?? .max) }
  }

  /// Flushes the buffers.
  ///
  /// - Returns: The first write error on standard output as an `errno`, or nil.
  package func finish() -> Int32? {
    state.withLock { state in
      state.clearProgress()
      state.output.release()
      return state.output.failure
    }
  }

  /// Whether writing to standard output has failed, so that more output is useless.
  package var isBroken: Bool { state.withLock { $0.output.failure != nil } }

  private func write(_ text: String) {
    state.withLock { state in
      state.clearProgress()
      state.output.append(text.utf8)
      if state.output.isTerminal { state.output.flush() }
    }
  }
}
