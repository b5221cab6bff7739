// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// The merge scenarios: the folders in `Fixtures/sync/merge/`.
@Suite("Scenarios of a merge")
struct MergeFixtureTests {
  /// The versions of one item with the policies of their merge.
  struct Scenario {
    private let form = NormalForm(
      zones: ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders)))
    let base: CalendarItem?
    let remoteBase: CalendarItem?
    let local: CalendarItem
    let remote: CalendarItem
    var policies: MergePolicies

    init(_ name: String) throws {
      let folder = "sync/\(name)"
      func item(_ file: String) throws -> CalendarItem? {
        let path = "\(folder)/\(file).ics"
        guard FileManager.default.fileExists(atPath: Fixture.root.appending(path: path).path) else {
          return nil
        }
        return try CalendarItem(parsing: Fixture(path).bytes)
      }
      base = try item("base")
      remoteBase = try item("remote-base") ?? base
      local = try #require(try item("local"))
      remote = try #require(try item("remote"))
      policies = try Self.policies(Fixture.root.appending(path: "\(folder)/policy.txt"))
    }

    /// The policies in a file: one for all properties, or lines such as `SUMMARY = remote`.
    private static func policies(_ url: URL) throws -> MergePolicies {
      var policies = MergePolicies()
      let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " = ").map(String.init)
        let policy = try #require(MergePolicy(rawValue: words.last ?? ""))
        if words.count == 2 {
          policies.named[words[0]] = policy
        } else {
          policies.standard = policy
        }
      }
      return policies
    }

    /// Merges the versions, or the versions with the sides exchanged.
    func merged(swapped: Bool = false) -> MergeResult {
      guard swapped else {
        return ThreeWayMerge(policies: policies, normalForm: form).merge(
          localBase: base, remoteBase: remoteBase, local: local, remote: remote)
      }
      return ThreeWayMerge(policies: policies.swapped, normalForm: form).merge(
        localBase: remoteBase, remoteBase: base, local: remote, remote: local)
    }

    /// The versions to write and the agreed versions while a conflict waits.
    func split() -> SplitMerge? {
      var bases: SplitMerge.Pair?
      if let base, let remoteBase { bases = SplitMerge.Pair(local: base, remote: remoteBase) }
      return SplitMerge(
        ThreeWayMerge(policies: policies, normalForm: form), base: bases,
        edited: SplitMerge.Pair(local: local, remote: remote))
    }
  }

  static func scenarios(with file: String = "conflicts.txt") throws -> [String] {
    try SyncFixtureTests.scenarios().filter {
      FileManager.default.fileExists(
        atPath: Fixture.root.appending(path: "sync/\($0)/\(file)").path)
    }
  }

  @Test("There are at least sixty scenarios")
  func isComplete() throws {
    #expect(try Self.scenarios().count >= 60)
  }

  @Test("The merged item and the conflicts equal the recorded ones", arguments: try scenarios())
  func merge(_ name: String) throws {
    let scenario = try Scenario(name)
    let result = scenario.merged()
    let merged = String(decoding: result.item.serialized(), as: UTF8.self)
    try Golden("sync/\(name)/merged.ics").expect(merged)
    let lines = result.conflicts.map { conflict in
      "\(conflict)\n" + Self.lines("base", conflict.base) + Self.lines("local", conflict.local)
        + Self.lines("remote", conflict.remote)
    }
    try Golden("sync/\(name)/conflicts.txt")
      .expect(lines.isEmpty ? "no conflicts\n" : lines.joined())
  }

  @Test(
    "The agreed version of an item in conflict equals the recorded one",
    arguments: try scenarios(with: "agreed.ics"))
  func agreed(_ name: String) throws {
    let split = try #require(try Scenario(name).split())
    let agreed = String(decoding: split.agreed.local.serialized(), as: UTF8.self)
    try Golden("sync/\(name)/agreed.ics").expect(agreed)
  }

  @Test("The merged item is valid, and a second merge changes nothing", arguments: try scenarios())
  func valid(_ name: String) throws {
    let scenario = try Scenario(name)
    let result = scenario.merged()
    let checker = ComponentChecker()
    for component in result.item.components {
      let errors = checker.diagnostics(for: component, in: .calendar)
        .filter { $0.severity == .error }
      #expect(errors == [])
    }
    let again = try CalendarItem(
      parsing: result.item.serialized(), normalForm: result.item.normalForm)
    #expect(again.fingerprint == result.item.fingerprint)
    let twice = ThreeWayMerge(normalForm: result.item.normalForm).merge(
      localBase: scenario.remote, remoteBase: scenario.remote, local: result.item,
      remote: scenario.remote)
    #expect(twice.item == result.item)
  }

  @Test("Exchanging the sides exchanges the result under every policy", arguments: try scenarios())
  func swapped(_ name: String) throws {
    for policies in [try Scenario(name).policies] + MergePolicy.allCases.map({ MergePolicies($0) })
    {
      var scenario = try Scenario(name)
      scenario.policies = policies
      let there = scenario.merged()
      let back = scenario.merged(swapped: true)
      #expect(there.isClean == back.isClean, "\(policies)")
      // While a start waits, each side identifies the occurrences by its own start.
      let isStarted = !there.conflicts.contains { $0.isWaiting && $0.isOfStart }
      #expect(
        there.conflicts.map { $0.verdict(withPlace: isStarted) }.sorted()
          == back.conflicts.map { $0.swapped.verdict(withPlace: isStarted) }.sorted(),
        "\(policies)")
      // Waiting parts have the local version, and dropped parts exist on one side only. The two
      // merges then have different results.
      guard there.isClean, scenario.base?.fingerprint == scenario.remoteBase?.fingerprint else {
        continue
      }
      #expect(there.item.fingerprint == back.item.fingerprint, "\(policies)")
    }
  }

  private static func lines(_ version: String, _ lines: [String]) -> String {
    lines.map { "  \(version): \($0)\n" }.joined()
  }
}
