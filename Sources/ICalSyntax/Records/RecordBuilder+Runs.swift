// SPDX-License-Identifier: Apache-2.0

/// The short way for most lines of a file.
extension RecordBuilder {
  /// Reads properties that stand side by side and are as they should be, as far as there are any.
  ///
  /// It does nothing that `read(_:upTo:isLast:)` would not do in the same way, but with all that
  /// changes from line to line at hand. It stops before a line that is folded, has control characters or
  /// bytes that are not UTF-8, begins or ends a component, or reaches a limit.
  mutating func readRun(_ bytes: Span<UInt8>, upTo end: Int) {
    guard isContiguous, scanner.isAtLineStart else { return }
    let hasBareLineEnds = scanner.firstBareLineEnd != nil
    let room = limits.propertiesPerComponent - (lines.count - firstLine + scatteredLines)
    let lengthLimit = limits.lineLength
    var splitter = splitter
    var start = scanner.lineStart
    var count = 0
    while count < room {
      let lineFeed = bytes.firstLineFeed(from: start, to: end)
      let next = lineFeed &+ 1
      guard next < end, lineFeed > start, !bytes[next].isFoldSpace else { break }
      let isPair = bytes[lineFeed &- 1] == ASCII.carriageReturn
      let contentEnd = isPair ? lineFeed &- 1 : lineFeed
      guard isPair || hasBareLineEnds, next &- start <= lengthLimit, next <= componentLimit,
        bytes.isPrintable(from: start, to: contentEnd)
          || UTF8Check.isText(bytes, from: start, to: contentEnd)
      else { break }
      var line = LineRecord(
        physical: start..<next, text: start..<contentEnd, isFolded: false,
        lineNumber: scanner.lineNumber &+ count)
      guard splitter.split(&line, in: bytes), !line.isNamed(beginName), !line.isNamed(endName),
        splitter.parameterCount &- firstParameter <= limits.parametersPerComponent
      else { break }
      self.splitter.parameterCount = splitter.parameterCount
      lines.append(line)
      start = next
      count &+= 1
    }
    scanner.pass(lines: count, upTo: start)
  }
}
