// SPDX-License-Identifier: Apache-2.0

package import Epact

/// A program that shows long output page by page: `$EPACT_PAGER`, `$PAGER`, or `less`.
///
/// `cat` or an empty value selects none.
package struct Pager: Sendable {
  /// The program and its arguments.
  package let words: [String]
  private let environment: [String: String]
  private let stopwatch: @Sendable () -> Double

  /// The time limit of the pager, in seconds.
  private static let timeLimit = 86_400.0

  /// The pager that an environment selects; nil if it selects none.
  ///
  /// `less` ends at once if the text fits on the screen, passes colours on, and leaves the text
  /// there, unless `$LESS` has other options.
  package init?(machine: Machine) {
    var environment = machine.environment
    let choice = environment["EPACT_PAGER"] ?? environment["PAGER"] ?? "less"
    words = choice.split(separator: " ").map(String.init)
    guard !words.isEmpty, words != ["cat"], environment["TERM"] != "dumb" else { return nil }
    environment["LESS"] = environment["LESS"] ?? "FRX"
    self.environment = environment
    stopwatch = machine.stopwatch
  }

  /// Shows a text, and waits until the user leaves the pager.
  ///
  /// - Returns: Whether the pager was started.
  package func show(_ text: [UInt8]) -> Bool {
    var process = Subprocess(
      words: words, environment: environment, timeLimit: Self.timeLimit, outputLimit: 0,
      stopwatch: stopwatch)
    process.input = text
    do {
      // A shell's status for a program that does not exist.
      return try process.run() != 127
    } catch Subprocess.Failure.notStarted {
      return false
    } catch {
      return true
    }
  }
}
