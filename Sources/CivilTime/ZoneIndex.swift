// SPDX-License-Identifier: Apache-2.0

/// The names of a time zone database and which of them are other names of the same zone.
///
/// It is read from `tzdata.zi`, of which these lines count, with names shortened by nobody:
///
/// ```text
/// # version 2025b
/// Z Europe/Berlin 0:53:28 - LMT 1893 Ap
/// L Europe/Kyiv Europe/Kiev
/// ```
///
/// A database without that file is indexed by the files in its folder; it has no version then, and
/// no name is known to be another one's.
package struct ZoneIndex: Sendable {
  /// The greatest number of names and the greatest depth of folders that are looked at.
  static let nameLimit = 5000
  private static let depthLimit = 4

  /// The version, such as `2025b`.
  package private(set) var version: String?
  /// The names as they are written, by the same names in lower case.
  package private(set) var names: [String: String] = [:]
  /// Which of them stand for another zone.
  private var links = ZoneLinks()
  /// The names by what is left of them without separators; see ``folded(_:)``.
  private var foldedNames: [String: String] = [:]
  /// The names by their last parts, folded: those of the cities.
  private var places: [String: [String]] = [:]

  /// Reads the text of a `tzdata.zi`.
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

  /// Takes the names of zones that come from no files.
  init(names: [String]) {
    for name in names.prefix(ZoneIndex.nameLimit) { add(name) }
  }

  /// Reads the names of the files in a folder.
  package init(folder: String) {
    // The copies of the database that keep leap seconds, or do not, are no zones of their own.
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

  /// A name in lower case and without what stands between its words: `europeberlin`.
  ///
  /// Names with digits keep their separators, because `Etc/GMT-5` and `Etc/GMT5` are not the same.
  private static func folded(_ name: String) -> String {
    let separators: Set<Character> = [" ", "_", "-", "/", "."]
    let keepsSeparators = name.contains(where: \.isNumber)
    return name.lowercased().filter { keepsSeparators || !separators.contains($0) }
  }

  /// The name that another spelling means: `America/Los Angeles`, `Europe_Berlin`, `US-Eastern`.
  package func name(foldedLike name: String) -> String? { foldedNames[ZoneIndex.folded(name)] }

  /// The zones whose names end in a place, such as `Berlin`, in any spelling.
  package func names(ofPlace place: String) -> [String] { places[ZoneIndex.folded(place)] ?? [] }

  /// The name as the database writes it, whatever the case of its letters.
  package func spelling(of name: String) -> String? { names[name.lowercased()] }

  /// The zone that a name of the database stands for, itself unless it is a link.
  package func canonicalName(of name: String) -> String {
    links.canonicalName(of: name)
  }
}
