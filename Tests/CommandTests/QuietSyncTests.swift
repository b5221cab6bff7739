// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What a nightly job prints, whose output is mailed.
@Suite("A quiet sync") struct QuietSyncTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func run(_ command: String) throws -> (output: String, errors: String) {
    let result = try sandbox.run(command)
    try #require(result.status == 0, "\(command): \(result.output) \(result.errors)")
    return (result.output, result.errors)
  }

  @Test("It reports an item that is added again because the other side edited it")
  func survivors() throws {
    _ = try run(
      "mkdir club; epact init ./club --access full --purpose 'Keeps the club.' --name club; "
        + "epact new Vet 2030-12-10 16:00 --in club; epact sync; "
        + "sed -i 's/^SUMMARY:Vet/SUMMARY:Vet (Rex)/' club/*.ics; epact delete vet")
    let quiet = try run("epact sync --quiet")
    #expect(quiet.output == "")
    #expect(
      quiet.errors.contains("\"Vet (Rex)\"")
        && quiet.errors.contains("deleted here, but edited on the remote since"), "\(quiet.errors)")
    // A sync without such a decision prints nothing.
    _ = try run("epact edit vet --at Hall")
    #expect(try run("epact sync --quiet") == ("", ""))
  }
}
