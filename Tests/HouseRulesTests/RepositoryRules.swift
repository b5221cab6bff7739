// SPDX-License-Identifier: Apache-2.0

/// What holds for the repository as a whole.
enum RepositoryRules {
  /// What may lie at the top, besides files whose names begin with a dot.
  static let topLevel: Set<String> = [
    "Package.swift", "Sources", "Tests", "Fixtures", "Benchmarks", "README.md", "LICENSE",
    "CHANGELOG.md",
  ]

  /// What lies at the top and does not belong there.
  static func topLevelViolations(of paths: [String]) -> [Violation] {
    Set(paths.map { String($0.prefix { $0 != "/" }) })
      .filter { !$0.hasPrefix(".") && !topLevel.contains($0) }.sorted()
      .map { Violation($0, "does not belong at the top of the repository") }
  }
}
