// SPDX-License-Identifier: Apache-2.0

/// The text of a TOML document, which is edited in place.
///
/// Tables are added and removed, and values are set. All other bytes stay, such as comments and the
/// order of tables. The document has to be well-formed.
struct TOMLText: Hashable {
  /// A header, or a key with its value.
  private struct Entry {
    /// The names of the header or of the key.
    let names: [String]
    let isHeader: Bool
    /// The lines of the entry with their line breaks.
    let lines: Range<Int>
    /// The value without blanks and comments; empty for a header.
    let value: Range<Int>
  }

  private(set) var bytes: [UInt8]

  /// Takes a document.
  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The document.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Edits

  /// Appends a table after an empty line.
  ///
  /// - Parameters:
  ///   - names: The names of the header.
  ///   - values: The keys and their values in TOML.
  mutating func append(table names: [String], _ values: [(key: String, value: String)]) {
    if !bytes.isEmpty {
      if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
      bytes.append(UInt8(ascii: "\n"))
    }
    let header = names.map(Self.key).joined(separator: ".")
    bytes += "[\(header)]\n".utf8
    for (key, value) in values { bytes += "\(Self.key(key)) = \(value)\n".utf8 }
  }

  /// Removes a table from its header to its last key, with the empty lines behind it.
  ///
  /// - Returns: Whether the document has such a header.
  mutating func remove(table names: [String]) -> Bool {
    let entries = entries()
    guard let table = Self.table(names, in: entries) else { return false }
    remove(entries[table])
    return true
  }

  /// Removes the first element of an array of tables that has some texts, with its own tables.
  ///
  /// - Parameters:
  ///   - name: The name of the array.
  ///   - texts: The keys and their texts.
  /// - Returns: Whether the document has such an element.
  mutating func remove(element name: String, having texts: [String: String]) -> Bool {
    let entries = entries()
    var place = entries.startIndex
    while let start = entries[place...].firstIndex(where: { $0.names == ["[[]]", name] }) {
      let keys = entries[(start + 1)...].prefix { !$0.isHeader }
      // Its own tables have the name of the array in their headers.
      let rest = entries[keys.endIndex...].prefix { $0.isHeader ? $0.names.first == name : true }
      let isFound = texts.allSatisfy { key, text in
        let value = Array(Self.quoted(text).utf8)
        return keys.contains { $0.names == [key] && bytes[$0.value].elementsEqual(value) }
      }
      if isFound {
        remove(entries[start..<rest.endIndex])
        return true
      }
      place = keys.endIndex
    }
    return false
  }

  /// Removes entries, with the empty lines behind them.
  private mutating func remove(_ entries: ArraySlice<Entry>) {
    guard let first = entries.first, let last = entries.last else { return }
    var start = first.lines.lowerBound
    var end = last.lines.upperBound
    while let next = emptyLine(at: end) { end = next }
    // At the end of the document, the empty line before the table has no purpose either.
    if end == bytes.count, start > 1, bytes[start - 2..<start].allSatisfy({ $0 == 0x0A }) {
      start -= 1
    }
    bytes.removeSubrange(start..<end)
  }

  /// Sets a value in a table.
  ///
  /// - Parameters:
  ///   - key: The key; if the table does not have it, it becomes the last one.
  ///   - value: The value in TOML.
  ///   - names: The names of the header.
  /// - Returns: Whether the document has such a header.
  mutating func set(_ key: String, to value: String, in names: [String]) -> Bool {
    let entries = entries()
    guard let table = Self.table(names, in: entries) else { return false }
    if let entry = entries[table].dropFirst().first(where: { $0.names == [key] }) {
      bytes.replaceSubrange(entry.value, with: value.utf8)
      return true
    }
    let end = entries[table.upperBound - 1].lines.upperBound
    let isCut = end > 0 && bytes[end - 1] != UInt8(ascii: "\n")
    bytes.insert(contentsOf: "\(isCut ? "\n" : "")\(Self.key(key)) = \(value)\n".utf8, at: end)
    return true
  }

  /// Removes a key before the first table.
  ///
  /// - Returns: Whether the document has the key there.
  mutating func remove(_ key: String) -> Bool {
    guard let entry = entries().prefix(while: { !$0.isHeader }).first(where: { $0.names == [key] })
    else { return false }
    bytes.removeSubrange(entry.lines)
    return true
  }

  // MARK: Places

  /// The entries of a table, from its header on.
  private static func table(_ names: [String], in entries: [Entry]) -> Range<Int>? {
    guard let start = entries.firstIndex(where: { $0.isHeader && $0.names == names }) else {
      return nil
    }
    let next = entries[(start + 1)...].firstIndex(where: \.isHeader)
    return start..<(next ?? entries.endIndex)
  }

  private func entries() -> [Entry] {
    var scanner = TOMLLines.Scanner(bytes: bytes)
    var entries: [Entry] = []
    while scanner.skipToNextEntry() {
      let start = bytes[..<scanner.index].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let isHeader = scanner.take("[")
      // The name of an array of tables is no name of a table.
      let isArray = isHeader && scanner.take("[")
      let names = scanner.key()
      var value = scanner.index..<scanner.index
      if isHeader {
        scanner.skipLine()
      } else {
        _ = scanner.take("=")
        scanner.skipBlanks()
        let first = scanner.index
        value = first..<max(first, scanner.skipValue())
      }
      let end = min(scanner.index + 1, bytes.count)
      entries.append(
        Entry(
          names: isArray ? ["[[]]"] + names : names, isHeader: isHeader, lines: start..<end,
          value: value))
    }
    return entries
  }

  /// The end of the empty line that starts at an offset.
  private func emptyLine(at start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    let rest = bytes[start...]
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let isEmpty = bytes[start..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    return isEmpty ? min(end + 1, bytes.count) : nil
  }
}

extension TOMLText {
  /// A TOML key, bare if possible.
  static func key(_ name: String) -> String {
    let isBare = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isBare && !name.isEmpty ? name : quoted(name)
  }

  /// A TOML basic string.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where SafeText.isUnsafe(scalar):
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A TOML array of strings.
  static func array(_ texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }
}
