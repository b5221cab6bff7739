// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Foundation
import Recurrence
import TestSupport
import Testing

/// Writes random rules and their instances for `.ci/compare-recurrence`, which asks other programs.
@Suite("Rules for other programs")
struct PeerFileTests {
  @Test(
    "Writes a rule a line, with its start and its first instances",
    .enabled(if: ProcessInfo.processInfo.environment["EPACT_PEER_FILE"] != nil))
  func write() throws {
    let environment = ProcessInfo.processInfo.environment
    let path = try #require(environment["EPACT_PEER_FILE"])
    var lines: [String] = []
    for seed in 1...(environment["EPACT_RULES"].flatMap { Int($0) } ?? 2000) {
      var random = SeededGenerator(seed: UInt64(seed))
      let example = RandomRule(&random)
      let instances = try Expansion(of: example.rule, from: example.start).texts(20)
      lines.append("\(example.rule)\t\(example.start)\t\(instances.joined(separator: " "))\n")
    }
    try Data(lines.joined().utf8).write(to: URL(filePath: path))
  }
}
