// SPDX-License-Identifier: Apache-2.0

/// The BEGIN and END lines of all known components in one array.
///
/// ```
/// BEGIN:VCALENDAR␍␊END:VCALENDAR␍␊BEGIN:VEVENT␍␊END:VEVENT␍␊…
/// ```
///
/// Every component of a file has two such lines, so they are copied instead of assembled.
struct ComponentLines: Sendable {
  private struct Place: BitwiseCopyable {
    let begin: Int
    let end: Int
    let limit: Int
    let key: ComponentKey
  }

  /// The lines of all names, in the order of `ComponentVocabulary`.
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

  /// The sort key of a name.
  @inline(__always)
  func key(_ index: Int) -> ComponentKey { places[index].key }

  /// Appends the BEGIN line of the name with an index.
  func writeBegin(_ index: Int, to bytes: inout [UInt8]) {
    bytes.append(copying: text.span, from: places[index].begin, to: places[index].end)
  }

  /// Appends the END line of the name with an index.
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
