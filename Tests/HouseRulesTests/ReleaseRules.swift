// SPDX-License-Identifier: Apache-2.0

/// The rules for what `.ci/release` packs.
enum ReleaseRules {
  /// Documents that name the package of the current version.
  static let documents = ["README.md", "Sources/Epact/Epact.docc/Installing.md"]

  /// The version of the programs in the source file with the constant; nil if there is none.
  static func version(in source: SourceFile) -> String? {
    source.text.firstMatch(of: /let program = "([^"]+)"/).map { String($0.1) }
  }

  /// Names of packages and images of another version.
  static func versionViolations(in document: SourceFile, of version: String) -> [Violation] {
    let names = document.lines.enumerated().flatMap { index, line in
      line.matches(of: /epact[_-](\d+\.\d+\.\d+)/).map { (index + 1, String($0.1)) }
    }
    guard !names.isEmpty else { return [Violation(document.path, "names no package")] }
    return names.filter { $0.1 != version }
      .map { Violation(document.path, line: $0.0, "names the version \($0.1)") }
  }

  /// Versions without a section that has an entry.
  static func changelogViolations(in changelog: SourceFile, of version: String) -> [Violation] {
    let section = changelog.lines.drop { !$0.hasPrefix("## [\(version)]") }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }
    guard !section.contains(where: { $0.hasPrefix("- ") }) else { return [] }
    return [Violation(changelog.path, "has no entry for \(version)")]
  }

  /// Dependencies of the package without a licence in the file of copyrights (DEP-5).
  static func licenceViolations(in copyright: SourceFile, manifest: SourceFile) -> [Violation] {
    let names = manifest.text.matches(of: /url: "[^"]*\/([^"\/]+?)(\.git)?"/).map { $0.1 }
    // The documentation plugin is no part of the programs.
    return names.filter {
      $0 != "swift-docc-plugin" && !copyright.lines.contains("Files: checkouts/\($0)/*")
    }
    .map { Violation(copyright.path, "has no licence of \($0)") }
  }

  /// Restrictions of the program's own units that the unit of the package lacks.
  static func unitViolations(in unit: SourceFile, units source: SourceFile) -> [Violation] {
    let restrictions = source.lines.map { $0.drop { $0 == " " } }.filter { line in
      ["NoNew", "Lock", "Restrict", "SystemCall"].contains(where: line.hasPrefix)
    }
    guard !restrictions.isEmpty else { return [Violation(source.path, "has no restrictions")] }
    return restrictions.filter { !unit.lines.contains($0) }
      .map { Violation(unit.path, "lacks \($0)") }
  }
}
