// SPDX-License-Identifier: Apache-2.0

import CalendarStore

/// Words that a query requires, and their search in the bytes of files before they are parsed.
///
/// A file without one of the words has no item that matches. The bytes show it for words and files in
/// ASCII, of which a match differs only in case. A word may be folded over two lines, and a text has
/// no letters or digits in another form unless it is encoded.
struct RawWords: Sendable {
  /// The number of files that one thread reads at a time.
  private static let portion = 64
  private static let beginning = Array("begin:vcalendar".utf8)
  /// The encoding of texts in vCalendar.
  private static let encoding = Array("quoted-printable".utf8)

  /// The words in lower case.
  private let words: [[UInt8]]

  /// Takes the words of a query; nil if it requires none.
  init?(of query: ItemQuery) {
    words = Set(query.root.requiredWords).sorted().map { Array($0.utf8) }
    guard !words.isEmpty else { return nil }
  }

  /// The files of a folder that certainly lack a word.
  ///
  /// - Parameters:
  ///   - names: The names of the files; those that cannot be read are not returned.
  ///   - path: The path of the folder.
  /// - Returns: The names of the files.
  func missing(in names: [String], ofFolder path: String) -> [String] {
    let work = ThreadedWork<[String], [String]> { names in
      names.filter { name in
        (try? FileChange.contents(at: "\(path)/\(name)")).flatMap(\.self).map(areMissing) ?? false
      }
    }
    return work.run(names, inPortionsOf: Self.portion).flatMap(\.self)
  }

  /// Whether the bytes of a calendar certainly lack a word.
  func areMissing(in bytes: [UInt8]) -> Bool {
    guard let text = Self.unfolded(bytes), text.starts(with: Self.beginning),
      !Self.contains(Self.encoding, in: text)
    else { return false }
    return words.contains { !Self.contains($0, in: text) }
  }

  /// The text in lower case without its folds; nil if it is not plain ASCII, or has control characters
  /// or unusual escapes, which a reader may remove from a word.
  private static func unfolded(_ bytes: [UInt8]) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      switch byte {
      case 0x80...: return nil
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        if text.last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
      case UInt8(ascii: " ") where text.last == UInt8(ascii: "\n"),
        UInt8(ascii: "\t") where text.last == UInt8(ascii: "\n"):
        text.removeLast()
      case UInt8(ascii: "\t"): text.append(byte)
      case ..<0x20, 0x7F: return nil
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        let letter = byte | 0x20
        if text.last == UInt8(ascii: "\\"), letter != UInt8(ascii: "n") { return nil }
        text.append(letter)
      default: text.append(byte)
      }
    }
    return text
  }

  private static func contains(_ word: [UInt8], in text: [UInt8]) -> Bool {
    guard let first = word.first, word.count <= text.count else { return word.isEmpty }
    let (word, text) = (word.span, text.span)
    for start in 0...text.count - word.count where text[start] == first {
      var length = 1
      while length < word.count, text[start + length] == word[length] { length += 1 }
      if length == word.count { return true }
    }
    return false
  }
}

extension ItemQuery.Node {
  /// Words in lower case and ASCII that the texts of every matching item contain.
  fileprivate var requiredWords: [String] {
    switch self {
    case .all(let nodes): nodes.flatMap(\.requiredWords)
    case .text(let text), .test(.title, .contains, .text(let text)),
      .test(.title, .equal, .text(let text)), .test(.location, .contains, .text(let text)),
      .test(.location, .equal, .text(let text)), .test(.description, .contains, .text(let text)),
      .test(.description, .equal, .text(let text)):
      text.text.utf8.allSatisfy { $0 < 0x80 }
        ? text.text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) : []
    case .any, .not, .has, .test: []
    }
  }
}
