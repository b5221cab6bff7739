// SPDX-License-Identifier: Apache-2.0

/// The names of a time zone database, and the links between them.
///
/// The index is parsed from these lines of `tzdata.zi`; its zone names are not abbreviated:
///
/// ```text
/// # version 2025b
/// Z Europe/Berlin 0:53:28 - LMT 1893 Ap
/// L Europe/Kyiv Europe/Kiev
/// ```
///
/// Without that file the index lists the files in the folder; it then has no version and no links.
package struct ZoneIndex: Sendable {
  /// The maximum number of names, and the maximum depth of folders.
  static let nameLimit = 5000
  private static let depthLimit = 4

  /// The version, such as `2025b`.
  package private(set) var version: String?
  /// The exact names by their lowercase forms.
  package private(set) var names: [String: String] = [:]
  /// The links to other zones.
  private var links = ZoneLinks()
  /// The names by their forms without separators; see ``folded(_:)``.
  private var foldedNames: [String: String] = [:]
  /// The names by their last path components (the cities), folded.
  private var places: [String: [String]] = [:]

  /// Parses the text of `tzdata.zi`.
  package init(text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard names.count < ZoneIndex.nameLimit else { return }
      let words = line.split(separator: UInt8(ascii: " ")).prefix(3).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count == 3 else { continue }
      switch words[0] {
      case "#" where words[1] == "version" && version == nil: version = words[2]
      case "Z": add(words[1])
      case "L":
        add(words[2])
        links.add(words[2], for: words[1])
      default: continue
      }
    }
  }

  /// Creates an index of zones that have no files.
  init(names: [String]) {
    for name in names.prefix(ZoneIndex.nameLimit) { add(name) }
  }

  /// Creates an index of the files in a folder.
  package init(folder: String) {
    // The folders `posix` and `right` are copies of the database without and with leap seconds.
    var folders = [(path: folder, prefix: "", depth: 1)]
    while let (path, prefix, depth) = folders.popLast() {
      for name in ZoneFiles.names(in: path, limit: ZoneIndex.nameLimit).sorted() {
        guard names.count < ZoneIndex.nameLimit else { return }
        let isFolder = ZoneFiles.isFolder("\(path)/\(name)")
        if !isFolder {
          // Tables and scripts have a dot or start in lower case; zones never do.
          let isZone = name.utf8.first.map { 0x41...0x5A ~= $0 } ?? false
          if isZone, !name.contains(".") { add(prefix + name) }
        } else if depth < ZoneIndex.depthLimit, !["posix", "right"].contains(name) {
          folders.append(("\(path)/\(name)", "\(prefix)\(name)/", depth + 1))
        }
      }
    }
  }

  private mutating func add(_ name: String) {
    names[name.lowercased()] = name
    foldedNames[ZoneIndex.folded(name)] = name
    guard let place = name.split(separator: "/").dropFirst().last else { return }
    places[ZoneIndex.folded(String(place)), default: []].append(name)
  }

  /// Converts a name to lower case and removes the separators between its words: `europeberlin`.
  ///
  /// Names with digits keep their separators, because `Etc/GMT-5` and `Etc/GMT5` are not the same.
  private static func folded(_ name: String) -> String {
    let separators: Set<Character> = [" ", "_", "-", "/", "."]
    let keepsSeparators = name.contains(where: \.isNumber)
    return name.lowercased().filter { keepsSeparators || !separators.contains($0) }
  }

  /// The zone name for a variant such as `America/Los Angeles`, `Europe_Berlin` or `US-Eastern`.
  package func name(foldedLike name: String) -> String? { foldedNames[ZoneIndex.folded(name)] }

  /// The zones whose names end in a place, such as `Berlin`, in any spelling.
  package func names(ofPlace place: String) -> [String] { places[ZoneIndex.folded(place)] ?? [] }

  /// The database's spelling of a name in any case.
  package func spelling(of name: String) -> String? { names[name.lowercased()] }

  /// The target of a link, or the name itself if it is not a link.
  package func canonicalName(of name: String) -> String {
    links.canonicalName(of: name)
  }
}

/// The links of a time zone database: alternative names and their target zones.
///
/// They are the `L` lines of `tzdata.zi`. Parsing only these takes a small part of the time that an
/// index of all names takes.
struct ZoneLinks: Sendable {
  /// The target zones by alternative name.
  private var targets: [String: String] = [:]

  /// Creates an empty set of links.
  init() {}

  /// Parses the text of `tzdata.zi`.
  ///
  /// - Parameters:
  ///   - text: The bytes of the file.
  ///   - limit: The maximum number of names.
  init(text: [UInt8], limit: Int) {
    let bytes = text.span
    var start = 0
    while start < bytes.count, targets.count < limit {
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      if bytes[start] == UInt8(ascii: "L") {
        let words = text[start..<end].split(separator: UInt8(ascii: " ")).map {
          String(decoding: $0, as: UTF8.self)
        }
        if words.count == 3, words[0] == "L" { add(words[2], for: words[1]) }
      }
      start = end + 1
    }
  }

  /// Adds a link to another zone.
  mutating func add(_ name: String, for target: String) {
    targets[name] = target
  }

  /// The target of a link, or the name itself if it is not a link.
  func canonicalName(of name: String) -> String {
    var name = name
    // A link may lead to another link; a longer chain is a cycle.
    for _ in 0..<8 {
      guard let target = targets[name] else { break }
      name = target
    }
    return name
  }
}
