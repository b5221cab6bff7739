// SPDX-License-Identifier: Apache-2.0

/// The arrows between the folders of a target: a folder needs another one if its code names a type that the
/// other one declares.
///
/// Members are not looked up, so that an extension needs the folder of its type, and a call of its members
/// needs nothing.
struct FolderRules {
  /// A use of a type of another folder.
  struct Arrow: Hashable {
    let from: String
    let to: String
  }

  /// One use for each arrow: the file and the type.
  private(set) var uses: [Arrow: String] = [:]

  /// Reads the files of a target.
  init(_ files: [SourceFile], of target: String) {
    var owners: [Substring: String] = [:]
    let sources = files.compactMap { file -> (folder: String, path: String, words: [Substring])? in
      guard file.path.hasPrefix(target + "/") else { return nil }
      let path = file.path.dropFirst(target.count + 1)
      guard path.contains("/"), let folder = path.split(separator: "/").first else { return nil }
      let code = SwiftCode.of(file.text).lines
      for line in code {
        if let name = Self.declaration(in: line, isPrivate: false) {
          owners[Substring(name)] = String(folder)
        }
      }
      // A private type of the file hides one with the same name.
      let own = Set(code.compactMap { Self.declaration(in: $0, isPrivate: true) })
      let words = code.flatMap { line in
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
          .filter { $0.first?.isUppercase == true && !own.contains(String($0)) }
      }
      return (String(folder), file.path, words)
    }
    for (folder, path, words) in sources {
      for word in Set(words) {
        guard let owner = owners[word], owner != folder else { continue }
        uses[Arrow(from: folder, to: owner)] = "\(path) uses \(word)"
      }
    }
  }

  /// The name of a type that a line declares at the top of a file, for the file or for others; nil for
  /// none.
  private static func declaration(in line: String, isPrivate: Bool) -> String? {
    let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "actor", "typealias"]
    let isOwn = line.hasPrefix("private ") || line.hasPrefix("fileprivate ")
    guard line.first?.isWhitespace == false, isOwn == isPrivate else { return nil }
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }
    guard let place = words.firstIndex(where: kinds.contains), place + 1 < words.count,
      words[..<place].allSatisfy({ $0.first?.isLowercase == true || $0.hasPrefix("@") })
    else { return nil }
    return String(words[place + 1])
  }

  /// The arrows of folders that need each other, directly or through others, with one use each, in order.
  var cycles: [String] {
    var reachable: [String: Set<String>] = [:]
    for arrow in uses.keys { reachable[arrow.from, default: []].insert(arrow.to) }
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (folder, targets) in reachable {
        let more = targets.union(targets.flatMap { reachable[$0] ?? [] })
        if more.count > targets.count {
          reachable[folder] = more
          isGrowing = true
        }
      }
    }
    return uses.filter { reachable[$0.key.to]?.contains($0.key.from) ?? false }
      .map { "\($0.key.from) -> \($0.key.to): \($0.value)" }.sorted()
  }
}
