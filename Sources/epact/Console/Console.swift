// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Where the program's words go: results to standard output, everything else to standard error.
///
/// It is a class because the handler of a sync's events and the command write to the same two
/// streams.
package final class Console: Sendable {
  /// When colour is used.
  package enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal that can show it, unless `NO_COLOR` is set or `TERM` is `dumb`.
    case auto
    case always
    case never
  }

  private struct State: Sendable {
    var output: OutputStream
    var errors: OutputStream
    /// Whether a bar stands in the last line of the terminal.
    var hasProgress = false

    /// Takes the bar away, before anything else is written.
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
  /// Whether results for people are left out.
  let isQuiet: Bool
  /// How many columns a line on standard output may have: `$COLUMNS`, or the width of the terminal; nil
  /// if it is neither known nor a terminal.
  let columns: Int?
  /// The path that was given as `--config`, which the commands in messages repeat.
  private let configuration: String?
  /// Whether both a question can be shown and an answer typed.
  let canAsk: Bool
  /// How many columns a bar may have; nil where none is shown.
  private let progressColumns: Int?

  /// Creates a console over two descriptors; a quiet one leaves out results for people, but never
  /// errors or data.
  init(
    output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO, color: ColorChoice = .auto,
    isQuiet: Bool = false, configuration: String? = nil, environment: [String: String]
  ) {
    self.configuration = configuration
    let streams = State(
      output: OutputStream(descriptor: output), errors: OutputStream(descriptor: errors))
    outputInColor = Self.usesColor(
      color, onTerminal: streams.output.isTerminal, environment: environment)
    errorsInColor = Self.usesColor(
      color, onTerminal: streams.errors.isTerminal, environment: environment)
    columns =
      environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
      ?? (streams.output.isTerminal ? Self.width(ofTerminal: output) : nil)
    canAsk = streams.errors.isTerminal && isatty(STDIN_FILENO) == 1
    self.isQuiet = isQuiet
    let showsProgress =
      streams.errors.isTerminal && !isQuiet && environment["TERM"].map { $0 != "dumb" } ?? false
    progressColumns =
      showsProgress
      ? environment["COLUMNS"].flatMap { Int($0) } ?? Self.width(ofTerminal: errors) : nil
    state = Mutex(streams)
  }

  /// Decides about colour as people expect it: the option, then `NO_COLOR`, then the terminal.
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

  private static func width(ofTerminal descriptor: Int32) -> Int {
    var size = winsize()
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Prints a result for people: one line on standard output, unless the program is to be quiet.
  func say(_ line: ConsoleText) {
    guard !isQuiet else { return }
    write(rendered(line, inColor: outputInColor) + "\n")
  }

  /// Prints something that was asked for, whether or not the program is to be quiet.
  func show(_ line: ConsoleText) {
    write(rendered(line, inColor: outputInColor) + "\n")
  }

  /// Shows a bar in the last line of the terminal, in place of the one before; nil takes it away.
  ///
  /// Where standard error is no terminal nothing is shown.
  func progress(_ line: ProgressLine?) {
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

  /// Writes data to standard output as it is.
  func write(_ bytes: some Collection<UInt8>) {
    state.withLock { state in
      state.clearProgress()
      state.output.append(bytes)
    }
  }

  /// Writes one JSON value and a line end to standard output.
  func write(_ value: JSONValue) {
    write(value.serialized() + "\n")
  }

  /// Tells something beside the results, on standard error, unless the program is to be quiet.
  func note(_ line: ConsoleText) {
    guard !isQuiet else { return }
    report(line)
  }

  /// Warns, on standard error.
  func warn(_ message: ConsoleText) {
    report("\("warning:", .yellow) \(message)")
  }

  /// Prints why the program could not do something, and what would help.
  func complain(_ failure: Failure) {
    report("\("error:", .red) \(failure.message)")
    if let hint = failure.hint { report("  \(hint)") }
  }

  /// The characters of a text without colour, for programs: the commands in it fit this call.
  func plain(_ text: ConsoleText) -> String { rendered(text, inColor: false) }

  private func rendered(_ text: ConsoleText, inColor: Bool) -> String {
    text.rendered(inColor: inColor, configuration: configuration)
  }

  /// Prints a line on standard error, after what was printed before on standard output.
  func report(_ line: ConsoleText) {
    let text = rendered(line, inColor: errorsInColor) + "\n"
    state.withLock { state in
      state.clearProgress()
      state.output.flush()
      state.errors.append(text.utf8)
      state.errors.flush()
    }
  }

  /// Shows a question on standard error, and leaves the cursor behind it.
  func ask(_ question: ConsoleText) {
    let text = rendered(question, inColor: errorsInColor)
    state.withLock { state in
      state.output.flush()
      state.errors.append(text.utf8)
      state.errors.flush()
    }
  }

  /// Writes out what is buffered.
  ///
  /// - Returns: The first failure to write to standard output, as an `errno`, or nil.
  func finish() -> Int32? {
    state.withLock { state in
      state.clearProgress()
      state.output.flush()
      return state.output.failure
    }
  }

  /// Whether the reader of standard output went away, so that more of it is of no use.
  var isBroken: Bool { state.withLock { $0.output.failure != nil } }

  private func write(_ text: String) {
    state.withLock { state in
      state.clearProgress()
      state.output.append(text.utf8)
      if state.output.isTerminal { state.output.flush() }
    }
  }
}
