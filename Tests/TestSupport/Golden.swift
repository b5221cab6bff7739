// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing

/// The text that is expected, kept in a file under `Fixtures/`.
///
/// With `EPACT_RECORD=1` in the environment the files are written anew, and the test fails so that
/// nobody takes a recording for a check.
public struct Golden: Sendable {
  private let url: URL
  private let path: String

  /// Names a golden by its path below `Fixtures/`.
  public init(_ path: String) {
    self.path = path
    url = Fixture.root.appending(path: path)
  }

  /// Compares a text with the golden; an empty text means that there must be no golden.
  public func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let expected = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    guard ProcessInfo.processInfo.environment["EPACT_RECORD"] == "1" else {
      #expect(
        text == expected, "\(path) differs; EPACT_RECORD=1 records it anew",
        sourceLocation: sourceLocation)
      return
    }
    guard text != expected else { return }
    if text.isEmpty {
      try FileManager.default.removeItem(at: url)
    } else {
      try Data(text.utf8).write(to: url)
    }
    Issue.record("recorded \(path)", sourceLocation: sourceLocation)
  }
}
