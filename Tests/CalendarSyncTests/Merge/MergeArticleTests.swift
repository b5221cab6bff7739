// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// Compares the tables of the article "How the merge decides" with the code.
@Suite("How the merge decides")
struct MergeArticleTests {
  /// The cells of the table rows under a heading, without its header row.
  private static func rows(
    under heading: String, of article: String = "HowTheMergeDecides"
  ) throws -> [[String]] {
    let url = Fixture.root.deletingLastPathComponent()
      .appending(path: "Sources/CalendarSync/CalendarSync.docc/\(article).md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    let lines = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
    return lines.filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("The article lists the groups of the code with their properties")
  func groups() throws {
    let rows = try Self.rows(under: "What is taken whole")
    #expect(
      rows
        == MergeGroup.allCases.map { group in
          [group.rawValue, group.names.map(\.rawName).joined(separator: ", ")]
        })
  }

  @Test("The article lists the bookkeeping rules of the code")
  func bookkeeping() throws {
    let words: [MergeBookkeeping: String] = [
      .latest: "the latest", .earliest: "the earliest", .greatest: "the greatest",
      .kept: "the local one",
    ]
    let rows = try Self.rows(under: "What never conflicts")
    #expect(
      rows == MergeBookkeeping.rules.map { [$0.name.rawName, words[$0.rule] ?? ""] })
  }

  @Test("The article lists the policies of the code")
  func policies() throws {
    let rows = try Self.rows(under: "Policies")
    #expect(rows.map { $0[0] } == MergePolicy.allCases.map { "`\($0.rawValue)`" })
  }

  @Test("The article lists the properties of each kind of identity")
  func identities() throws {
    let rows = Dictionary(
      uniqueKeysWithValues: try Self.rows(under: "What is the same thing").map { ($0[0], $0[1]) })
    for identity in MergeIdentity.allCases {
      let row = try #require(rows.first { $0.key.hasPrefix(identity.heading) }, "\(identity)")
      let told = Set(row.key.matches(of: /[A-Z][A-Z-]+[A-Z]/).map { String($0.output) })
        .subtracting(["UID"])
      let known = PropertyTable.rows.map { PropertyName($0.name) }.filter { name in
        !["BEGIN", "END"].contains(name.rawName)
          && [ComponentName.event, .reminder, .journal, .freeBusy].contains {
            MergeIdentity.of(name, in: $0) == identity
          }
      }
      if identity == .name {
        #expect(told.isEmpty)
      } else {
        #expect(told == Set(known.map(\.rawName)), "\(identity)")
      }
    }
  }

  @Test(
    "Each rule and each problem names existing scenarios, in a numbered list",
    arguments: ["Rules", "Troubles with other programs", "Experiments with vdirsyncer"])
  func scenarios(_ heading: String) throws {
    let known = Set(try SyncFixtureTests.scenarios())
    let rows = try Self.rows(under: heading, of: "WhatTheScenariosShow")
    #expect(rows.map { $0[0] } == (1...rows.count).map(String.init))
    for row in rows {
      let named = row[2].split(separator: ", ").map { $0.filter { $0 != "`" } }
      #expect(!named.isEmpty)
      #expect(Set(named).subtracting(known) == [], "\(row[1])")
    }
  }

  @Test("The article names each scenario")
  func named() throws {
    let headings = ["Rules", "Troubles with other programs", "Experiments with vdirsyncer"]
    let named = try headings.flatMap {
      try Self.rows(under: $0, of: "WhatTheScenariosShow").flatMap { row in
        row[2].split(separator: ", ").map { $0.filter { $0 != "`" } }
      }
    }
    #expect(Set(try SyncFixtureTests.scenarios()).subtracting(named) == [])
  }
}

extension MergeIdentity {
  /// The first words of the row in the article.
  fileprivate var heading: String {
    switch self {
    case .group: "property of a group"
    case .bookkeeping: "bookkeeping"
    case .address: "person"
    case .moment: "exception or addition"
    case .listValue: "value of a list"
    case .value: "property that may stand several times"
    case .name: "any other property"
    }
  }
}
