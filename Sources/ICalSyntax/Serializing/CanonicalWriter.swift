// SPDX-License-Identifier: Apache-2.0

/// Writes components in canonical form, see `Serializer.Form.canonical`.
///
/// Components of a file and their properties are written from the file's records. Changed or newly
/// created properties are first written as lines of a small temporary file, which has records too.
/// Nested components are sorted by their bytes after they were written.
struct CanonicalWriter {
  private let componentLines = ComponentLines.all
  private var properties = CanonicalPropertyWriter()
  /// The offset of the first UID among the properties that were written last.
  private var uid: Int?

  /// Appends a component with all nested ones.
  mutating func write(_ component: Component, to bytes: inout [UInt8]) {
    if let (block, record) = component.record {
      write(RecordArrays(block), record, to: &bytes)
      return
    }
    let name = component.name
    componentLines.writeBegin(name, to: &bytes)
    writeAll(component.properties, to: &bytes)
    let uid = uid
    if !component.components.isEmpty { writeSorted(component.components, to: &bytes) }
    self.uid = uid
    componentLines.writeEnd(name, to: &bytes)
  }

  /// Appends nested components in canonical order.
  private mutating func writeSorted(_ components: ComponentList, to bytes: inout [UInt8]) {
    var pieces = WrittenPieces()
    var index = 0
    while index < components.count {
      guard let (block, _) = components[index].record else {
        let component = components[index]
        let start = bytes.count
        write(component, to: &bytes)
        pieces.add(
          start..<bytes.count, name: ComponentSortKey(component.name), uid: uid, in: bytes.span)
        index += 1
        continue
      }
      // Most components of a calendar come from the same file.
      let source = RecordArrays(block)
      while index < components.count, let record = components[index].record, record.block === block
      {
        write(source, record.index, to: &bytes, as: &pieces)
        index += 1
      }
    }
    pieces.sort(in: &bytes)
  }

  /// Appends a property.
  mutating func write(_ property: Property, to bytes: inout [UInt8]) {
    writeAll(PropertyList([property]), to: &bytes)
  }

  /// Appends properties in canonical order.
  mutating func writeAll(_ list: PropertyList, to bytes: inout [UInt8]) {
    if let (block, range) = list.records {
      let source = RecordArrays(block)
      uid = properties.write(
        source.lines.span.extracting(range), source.bytes.span, source.arena.span, to: &bytes)
    } else {
      var text: [UInt8] = []
      var records: [LineRecord] = []
      for property in list { records.append(property.writeLine(to: &text)) }
      uid = properties.write(records.span, text.span, text.span, to: &bytes)
    }
  }

  /// Appends the component of a record with all nested ones.
  private mutating func write(
    _ source: borrowing RecordArrays, _ record: Int, to bytes: inout [UInt8]
  ) {
    let component = source.components[record]
    guard let name = component.nameIndex else {
      let name = source.block.name(of: component)
      componentLines.writeBegin(name, to: &bytes)
      writeParts(source, component, to: &bytes)
      componentLines.writeEnd(name, to: &bytes)
      return
    }
    componentLines.writeBegin(name, to: &bytes)
    writeParts(source, component, to: &bytes)
    componentLines.writeEnd(name, to: &bytes)
  }

  /// Appends a component and adds it to the pieces to sort.
  private mutating func write(
    _ source: borrowing RecordArrays, _ record: Int, to bytes: inout [UInt8],
    as pieces: inout WrittenPieces
  ) {
    let start = bytes.count
    write(source, record, to: &bytes)
    pieces.add(start..<bytes.count, name: key(of: record, source), uid: uid, in: bytes.span)
  }

  private mutating func writeParts(
    _ source: borrowing RecordArrays, _ component: ComponentRecord, to bytes: inout [UInt8]
  ) {
    let uid = properties.write(
      source.lines.span.extracting(component.propertyLines), source.bytes.span, source.arena.span,
      to: &bytes)
    if component.childCount > 0 {
      var pieces = WrittenPieces()
      for place in component.childPlaces {
        write(source, Int(source.children[place]), to: &bytes, as: &pieces)
      }
      pieces.sort(in: &bytes)
    }
    self.uid = uid
  }

  /// The sort key of a component's name.
  @inline(__always)
  private func key(of record: Int, _ source: borrowing RecordArrays) -> ComponentSortKey {
    let component = source.components[record]
    if let name = component.nameIndex { return componentLines.key(name) }
    return ComponentSortKey(source.block.name(of: component))
  }
}

extension Property {
  /// Appends the line of the property, unfolded and without a line break.
  ///
  /// - Returns: A record of the line, without physical lines.
  fileprivate func writeLine(to bytes: inout [UInt8]) -> LineRecord {
    guard let (block, line) = record else { return writeEdited(to: &bytes) }
    let start = bytes.count
    let text = line.isFolded ? block.arena : block.bytes
    bytes.append(copying: text.span.extracting(line.textRange))
    var copy = line
    copy.textStart = UInt32(truncatingIfNeeded: start)
    copy.start = 0
    copy.end = 0
    return copy
  }
}
