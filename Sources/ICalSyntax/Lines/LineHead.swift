// SPDX-License-Identifier: Apache-2.0

/// What has to be known of a content line to put it in its place.
struct LineHead {
  /// A line that begins or ends a component (RFC 5545 §3.6).
  enum Keyword {
    case begin(ComponentName)
    case end(ComponentName)
  }

  /// Whether the line is empty.
  let isBlank: Bool
  let nameLength: Int
  let valueStart: Int
  /// The BEGIN or END that the line is, or nil for a property.
  let keyword: Keyword?
  /// What is wrong with the line.
  let problems: [ContentLineParser.Problem]

  /// Looks at a line in the block that it lies in.
  init(of line: ContentLine, in block: Span<UInt8>) {
    let physical = block.extracting(line.start..<line.end)
    guard line.isFolded else {
      self.init(physical.extracting(0..<LineUnfolder.contentLength(of: physical)))
      return
    }
    let unfolded = LineUnfolder.unfold(physical)
    self.init(unfolded.span)
  }

  private init(_ text: Span<UInt8>) {
    isBlank = text.trimmedRange.isEmpty
    let parser = ContentLineParser(text)
    nameLength = parser.nameLength
    valueStart = parser.valueStart
    problems = parser.problems
    let name = text.extracting(0..<nameLength)
    let isBegin = name.isEqual(to: "BEGIN")
    guard isBegin || name.isEqual(to: "END") else {
      keyword = nil
      return
    }
    let value = text.extracting(valueStart..<text.count)
    let component = ComponentName(spelling: value.extracting(value.trimmedRange))
    keyword = isBegin ? .begin(component) : .end(component)
  }
}

extension Span<UInt8> {
  /// Whether the bytes are this ASCII word, written in upper case here, in whatever case.
  fileprivate func isEqual(to word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    var index = 0
    for byte in word.description.utf8 {
      guard self[index].asciiUppercased == byte else { return false }
      index += 1
    }
    return true
  }

  /// The range of the bytes without the spaces and tabs around them.
  fileprivate var trimmedRange: Range<Int> {
    var start = 0
    var end = count
    while start < end, self[start].isFoldSpace { start += 1 }
    while end > start, self[end - 1].isFoldSpace { end -= 1 }
    return start..<end
  }
}
