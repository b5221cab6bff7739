// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Reports errors of calls whose EventKit form has no error, so that nothing fails in silence.
///
/// It is a class, because an error is reported once until it changes or is over.
final class StoreFailures: Sendable {
  /// The maximum number of subjects; more are not reported.
  private static let limit = 1_000

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
      change(of: failure, to: nil) { $0 }
      return result
    } catch is CancellationError {
      return nil
    } catch {
      let text = "\(error)"
      change(of: failure, to: text) { "\(failure): \($0)" }
      return nil
    }
  }

  /// Reports a finding, unless it is the last one about its subject.
  ///
  /// - Parameters:
  ///   - finding: The finding; nil if there is none.
  ///   - subject: What it is about, such as a calendar.
  func report(_ finding: String?, about subject: String) {
    change(of: subject, to: finding) { $0 }
  }

  private func change(of key: String, to text: String?, _ message: (String) -> String) {
    let isNew = last.withLock { last in
      guard last[key] != text, last[key] != nil || last.count < Self.limit else { return false }
      last[key] = text
      return true
    }
    if isNew, let text { report(message(text)) }
  }
}
