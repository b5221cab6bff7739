// SPDX-License-Identifier: Apache-2.0

/// The properties of a component, as the canonical form is made of them.
protocol CanonicalSource {
  /// The number of properties.
  var count: Int { get }
  /// The key that a property is sorted by.
  func key(at index: Int, _ rules: [CanonicalRule]) -> CanonicalKey
  /// Whether a property is a UID.
  func isUID(at index: Int) -> Bool
  /// The name of a property in upper case.
  func name(at index: Int) -> [UInt8]
  /// Appends a property.
  func write(at index: Int, with writer: inout CanonicalLineWriter, to bytes: inout [UInt8])
}

/// Properties that lie side by side among the lines of a file.
struct CanonicalRecords: CanonicalSource {
  private let bytes: [UInt8]
  private let arena: [UInt8]
  private let lines: ArraySlice<LineRecord>

  init(_ block: RecordBlock, _ range: Range<Int>) {
    bytes = block.bytes
    arena = block.arena
    lines = block.lines[range]
  }

  var count: Int { lines.count }

  private func line(at index: Int) -> LineRecord { lines[lines.startIndex &+ index] }

  @inline(__always)
  func key(at index: Int, _ rules: [CanonicalRule]) -> CanonicalKey {
    let line = line(at: index)
    if let name = line.nameIndex { return rules[name].key }
    guard line.nameLength > 0 else { return .malformed }
    let source = line.isFolded ? arena : bytes
    return CanonicalKey(
      source.span.extracting(line.textRange), count: Int(line.nameLength))
  }

  func isUID(at index: Int) -> Bool { line(at: index).nameIndex == CanonicalRule.uid }

  func name(at index: Int) -> [UInt8] {
    let line = line(at: index)
    let source = line.isFolded ? arena : bytes
    return source[line.textRange].prefix(Int(line.nameLength)).map(\.asciiUppercased)
  }

  @inline(__always)
  func write(
    at index: Int, with writer: inout CanonicalLineWriter, to output: inout [UInt8]
  ) {
    let line = line(at: index)
    if line.isFolded {
      writer.write(arena.span, line, to: &output)
    } else {
      writer.write(bytes.span, line, to: &output)
    }
  }
}

extension PropertyList: CanonicalSource {
  func key(at index: Int, _ rules: [CanonicalRule]) -> CanonicalKey {
    let property = self[index]
    if let name = property.nameIndex { return rules[name].key }
    let name = property.name.rawName
    guard !name.isEmpty else { return .malformed }
    return CanonicalKey(name.utf8.span, count: name.utf8.count)
  }

  func isUID(at index: Int) -> Bool { self[index].nameIndex == CanonicalRule.uid }

  func name(at index: Int) -> [UInt8] {
    self[index].name.rawName.utf8.map(\.asciiUppercased)
  }

  func write(
    at index: Int, with writer: inout CanonicalLineWriter, to bytes: inout [UInt8]
  ) {
    let property = self[index]
    if let (block, line) = property.record {
      let source = line.isFolded ? block.arena : block.bytes
      writer.write(source.span, line, to: &bytes)
    } else {
      writer.write(edited: property, to: &bytes)
    }
  }
}
