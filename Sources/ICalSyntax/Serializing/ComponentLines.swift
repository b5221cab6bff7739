// SPDX-License-Identifier: Apache-2.0

/// The BEGIN and END lines of the components that a table knows, all in one array.
///
/// ```
/// BEGIN:VCALENDAR␍␊END:VCALENDAR␍␊BEGIN:VEVENT␍␊END:VEVENT␍␊…
/// ```
///
/// A file has two such lines for every component, so they are copied and not put together.
struct ComponentLines: Sendable {
  private struct Place: BitwiseCopyable {
    let begin: Int
    let end: Int
    let limit: Int
    let key: ComponentKey
  }

  /// Those of all names, in the order of `ComponentVocabulary`.
  static let all = ComponentLines()

  private let text: [UInt8]
  private let places: [Place]

  private init() {
    var text: [UInt8] = []
    places = ComponentVocabulary.table.names.indices.map { index in
      let name = ComponentName(index: index)
      let begin = text.count
      LineFolder.write("BEGIN:\(name)".utf8.span, to: &text)
      let end = text.count
      LineFolder.write("END:\(name)".utf8.span, to: &text)
      return Place(begin: begin, end: end, limit: text.count, key: ComponentKey(name))
    }
    self.text = text
  }

  /// What a name says of the place of a component.
  @inline(__always)
  func key(_ index: Int) -> ComponentKey { places[index].key }

  /// Appends the BEGIN line of the name with a number.
  func writeBegin(_ index: Int, to bytes: inout [UInt8]) {
    bytes.append(copying: text.span, from: places[index].begin, to: places[index].end)
  }

  /// Appends the END line of the name with a number.
  func writeEnd(_ index: Int, to bytes: inout [UInt8]) {
    bytes.append(copying: text.span, from: places[index].end, to: places[index].limit)
  }

  /// Appends the BEGIN line of any name.
  func writeBegin(_ name: ComponentName, to bytes: inout [UInt8]) {
    if let index = name.index { return writeBegin(index, to: &bytes) }
    LineFolder.write("BEGIN:\(name.canonicalName)".utf8.span, to: &bytes)
  }

  /// Appends the END line of any name.
  func writeEnd(_ name: ComponentName, to bytes: inout [UInt8]) {
    if let index = name.index { return writeEnd(index, to: &bytes) }
    LineFolder.write("END:\(name.canonicalName)".utf8.span, to: &bytes)
  }
}
