// SPDX-License-Identifier: Apache-2.0

/// Selects the lines of vCards that are read, and converts them to content lines (RFC 6350 §3.2).
///
/// ```text
/// item1.X-ABDATE:2010-06-12          ──►  X-ABDATE;GROUP=item1:2010-06-12
/// PHOTO;ENCODING=b:/9j/4AAQSkZJR          (an empty line)
///  ABAQAAAQABAAD                          (an empty line)
/// N;QUOTED-PRINTABLE:M=C3=BCller=    ──►  N;QUOTED-PRINTABLE:M=C3=BCller
/// ;Ana                                     ;Ana
/// ```
///
/// A group becomes a parameter, as in jCard (RFC 7095). A quoted-printable value of vCard 2.1
/// continues after an equals sign (RFC 2045 §6.7), and the space of a fold is part of the text
/// there. Other lines become empty, so that photos and notes cost no memory and diagnostics have
/// the right line numbers. The chunks may be of any size.
struct VCardLines {
  /// What happens to the rest of a content line.
  private enum Fate {
    case pass, drop
  }

  /// The properties that are read, and the structure of cards.
  ///
  /// AGENT may contain a card.
  private static let wanted = VCardFields.anniversaryNames.union([
    "BEGIN", "END", "VERSION", "AGENT", "UID", "CLASS", "FN", "N", "ORG", "NICKNAME", "EMAIL",
    "BDAY", "X-ABLABEL",
  ])
  /// The maximum length of a property name with its group, in bytes.
  private static let nameLimit = 256

  /// The maximum number of bytes in a content line that is read.
  private let limit: Int
  /// The incomplete physical line, up to the limit.
  private var line: [UInt8] = []
  /// Whether bytes of the physical line were left out, because it exceeds the limit.
  private var isCut = false
  /// The last byte of the physical line that is no blank.
  private var lastInk: UInt8 = 0
  /// The number of complete physical lines.
  private var lineCount = 0

  private var fate = Fate.drop
  /// The line number and the size of the current content line.
  private var contentLine = 0
  private var contentSize = 0
  private var isQuotedPrintable = false
  /// Whether the previous line ended in a soft line break.
  private var isContinuing = false
  /// Whether the card is a vCard 2.1.
  private var isOld = false
  /// The numbers of the content lines that are read and exceed the limit, which are incomplete.
  private var cutLines: [Int] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// Reads the next bytes, and returns the converted lines.
  mutating func convert(_ chunk: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    for index in chunk.indices {
      let byte = chunk[index]
      guard byte != ASCII.lineFeed else {
        endLine(to: &output)
        continue
      }
      if !byte.isFoldSpace, byte != ASCII.carriageReturn { lastInk = byte }
      if line.count < limit { line.append(byte) } else { isCut = true }
    }
    return output
  }

  /// Returns the last line at the end of the stream.
  mutating func finish() -> [UInt8] {
    var output: [UInt8] = []
    if !line.isEmpty { endLine(to: &output) }
    return output
  }

  /// Returns the numbers of the incomplete lines since the last call.
  mutating func takeCutLines() -> [Int] {
    defer { cutLines = [] }
    return cutLines
  }

  private mutating func endLine(to output: inout [UInt8]) {
    lineCount += 1
    var text = line[...]
    if text.last == ASCII.carriageReturn { text.removeLast() }
    if lineCount == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    var converted: [UInt8] = []
    if isContinuing {
      converted.append(ASCII.space)
    } else if text.first?.isFoldSpace == true {
      // The reader removes one space, so the space that belongs to the text is doubled.
      if isOld { converted.append(ASCII.space) }
    } else {
      converted = begin(&text)
    }
    isContinuing = isQuotedPrintable && lastInk == ASCII.equals
    if isContinuing, !isCut {
      while text.last?.isFoldSpace == true { text.removeLast() }
      text.removeLast()
    }
    if fate == .pass {
      converted += text
      contentSize += converted.count
      if isCut || contentSize > limit {
        cutLines.append(contentLine)
        fate = .drop
      } else {
        output += converted
      }
    }
    output.append(ASCII.lineFeed)
    line.removeAll(keepingCapacity: true)
    (isCut, lastInk) = (false, 0)
  }

  /// Begins a content line.
  ///
  /// - Parameter text: The physical line, from which the name and the group are removed.
  /// - Returns: The name, and the group as a parameter.
  private mutating func begin(_ text: inout ArraySlice<UInt8>) -> [UInt8] {
    (fate, contentLine, contentSize, isQuotedPrintable) = (.drop, lineCount, 0, false)
    let end = text.prefix(Self.nameLimit).firstIndex { byte in
      byte == ASCII.colon || byte == ASCII.semicolon
    }
    guard let end else { return [] }
    let words = text[..<end].split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    isQuotedPrintable = SoftLineBreaks.isQuotedPrintable(text)
    guard let name = words.last.map({ String(decoding: $0, as: UTF8.self).asciiUppercased }),
      Self.wanted.contains(name)
    else { return [] }
    fate = .pass
    text = text[end...]
    if name == "BEGIN" { isOld = false }
    if name == "VERSION" {
      isOld = text.dropFirst().filter { !$0.isFoldSpace }.elementsEqual("2.1".utf8)
    }
    guard words.count == 2, words[0].allSatisfy(\.isNameByte), !words[0].isEmpty else {
      return Array(name.utf8)
    }
    return Array("\(name);GROUP=".utf8) + words[0]
  }
}
