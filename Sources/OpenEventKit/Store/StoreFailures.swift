// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Reports errors of calls whose EventKit form has no error, so that nothing fails in silence.
///
/// It is a class, because an error is reported once until it changes or is over.
final class StoreFailures: Sendable {
  private let report: @Sendable (String) -> Void
  /// The last error of each kind of work.
  private let last = Mutex<[String: String]>([:])

  /// Takes the log.
  init(_ report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  /// Calls a function, and reports its error.
  ///
  /// - Parameters:
  ///   - failure: What an error means, for people, such as "the calendars cannot be read".
  ///   - body: The function.
  /// - Returns: The result; nil after an error.
  @discardableResult
  func catching<Result>(_ failure: String, _ body: () throws -> Result) -> Result? {
    do {
      let result = try body()
      last.withLock { $0[failure] = nil }
      return result
    } catch is CancellationError {
      return nil
    } catch {
      let text = "\(error)"
      let isNew = last.withLock { last in
        defer { last[failure] = text }
        return last[failure] != text
      }
      if isNew { report("\(failure): \(text)") }
      return nil
    }
  }
}
