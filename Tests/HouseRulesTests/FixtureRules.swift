// SPDX-License-Identifier: Apache-2.0

/// What holds for the fixtures: each is in the index, and each folder names who reads it.
///
/// The index has a section a folder, `## invalid/`, with a line `Read by` that names tests as
/// `` `Tests/….swift` ``, and a row a file, `` | `name.ics` | what it proves | ``.
enum FixtureRules {
  /// Folders whose files tell by themselves what they prove, in their names and first lines.
  static let selfExplaining: Set<String> = ["cli", "sync", "caldav", "fuzz"]

  /// The sections of the index, by folder.
  static func sections(of index: SourceFile) -> [String: [Substring]] {
    var sections: [String: [Substring]] = [:]
    var folder: String?
    for line in index.lines {
      if line.hasPrefix("## ") {
        folder = line.hasSuffix("/") ? String(line.dropFirst(3).dropLast()) : nil
        if let folder { sections[folder] = [] }
      } else if let folder {
        sections[folder]?.append(line)
      }
    }
    return sections
  }

  /// Fixtures that the index lacks, and rows of the index without a fixture.
  static func indexViolations(paths: [String], index: SourceFile) -> [Violation] {
    let sections = sections(of: index)
    var found: [Violation] = []
    var rows: Set<String> = []
    for (folder, lines) in sections {
      for line in lines where line.hasPrefix("| `") {
        let name = line.dropFirst(3).prefix { $0 != "`" }
        if !rows.insert("Fixtures/\(folder)/\(name)").inserted {
          found.append(Violation(index.path, "has two rows for \(folder)/\(name)"))
        }
      }
    }
    let fixtures = Set(paths.filter { $0 != index.path && !$0.hasSuffix(".diagnostics") })
    for path in fixtures.sorted() {
      let folder = path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
      if sections[folder] == nil {
        found.append(Violation(path, "its folder has no section in the index"))
      } else if !selfExplaining.contains(folder), !rows.contains(path) {
        found.append(Violation(path, "is not in the index"))
      }
    }
    for row in rows.subtracting(fixtures).sorted() {
      found.append(Violation(index.path, "has a row for \(row), which does not exist"))
    }
    return found
  }

  /// Folders that name no reader, or one that does not read them.
  ///
  /// A reader mentions its folder, or reads the whole corpus through `Fixture`. A section may stand
  /// in the index before the first file of its folder.
  static func readerViolations(
    paths: [String], index: SourceFile, read: (String) -> SourceFile?
  ) -> [Violation] {
    sections(of: index).sorted { $0.key < $1.key }.flatMap { folder, lines -> [Violation] in
      guard paths.contains(where: { $0.hasPrefix("Fixtures/\(folder)/") }) else { return [] }
      let text = lines.joined(separator: "\n")
      let readers = text.matches(of: /`((?:Tests|Sources)\/[^`]+\.swift)`/).map { String($0.1) }
      guard !readers.isEmpty else {
        return [Violation(index.path, "names nobody who reads \(folder)/")]
      }
      return readers.compactMap { path in
        guard let reader = read(path) else {
          return Violation(index.path, "names \(path), which does not exist, as a reader")
        }
        let mentions = ["\"\(folder)", "/\(folder)", "calendarFolders", "allCalendars"]
        guard !mentions.contains(where: reader.text.contains) else { return nil }
        return Violation(path, "does not read \(folder)/, though the index says so")
      }
    }
  }

  /// Invalid fixtures without a golden, and goldens without a fixture.
  ///
  /// The exceptions are faults that nothing is said about yet; one that has a golden is none.
  static func goldenViolations(paths: [String], exceptions: Set<String> = []) -> [Violation] {
    let all = Set(paths)
    var found: [Violation] = []
    for path in paths where path.hasPrefix("Fixtures/invalid/") && path.hasSuffix(".ics") {
      let name = String(path.dropFirst("Fixtures/invalid/".count).dropLast(".ics".count))
      let hasGolden = all.contains(path + ".diagnostics")
      if hasGolden == exceptions.contains(name) {
        found.append(
          Violation(path, hasGolden ? "has a golden: no exception any more" : "has no golden"))
      }
    }
    for path in paths where path.hasSuffix(".diagnostics") {
      if !all.contains(String(path.dropLast(".diagnostics".count))) {
        found.append(Violation(path, "is the golden of nothing"))
      }
    }
    return found
  }
}
