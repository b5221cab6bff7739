// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Runs every transcript of `Fixtures/cli` with the built program.
struct TranscriptTests {
  private static let folder = Sandbox.fixtures.appending(path: "cli")

  private static var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".transcript") }.sorted()
    }
  }

  @Test(arguments: try names)
  func goesAsRecorded(name: String) async throws {
    let url = Self.folder.appending(path: name)
    let recorded = try String(contentsOf: url, encoding: .utf8)
    var transcript = Transcript(parsing: recorded)
    try #require(!transcript.steps.isEmpty, "\(name) holds no command")
    let sandbox = try Sandbox()
    // The server has one user, alice, with one empty calendar.
    let server = recorded.contains("$SERVER") ? try await ServerProcess(.radicale) : nil
    sandbox.server = server.map { String($0.root.dropLast()) }
    let keepsTimes = recorded.hasPrefix("# Times stay as they are printed.\n")
    for index in transcript.steps.indices {
      let step = transcript.steps[index]
      let result = try sandbox.run(step.command.joined(separator: "\n"))
      transcript.steps[index].output = Transcript.normalized(
        sandbox.withPlaceholders(result.output, keepsTimes: keepsTimes))
      transcript.steps[index].errors = Transcript.normalized(
        sandbox.withPlaceholders(result.errors, keepsTimes: keepsTimes))
      transcript.steps[index].status = result.status
      let got = transcript.steps[index]
      #expect(got == step, "\(name): $ \(step.command.first ?? "")")
    }
    if ProcessInfo.processInfo.environment["EPACT_RECORD"] == "1", transcript.text != recorded {
      try transcript.text.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("\(name) was recorded again; read the difference before it is committed")
    }
  }

  @Test func transcriptSurvivesItsOwnForm() {
    let text = """
      # Why.

      $ cat <<END
      > a
      > END
      a
      |
      |# not a comment
      [stderr]
      oh
      [exit 3]

      # The end.

      """
    #expect(Transcript(parsing: text).text == text)
  }
}
