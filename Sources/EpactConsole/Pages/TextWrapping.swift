// SPDX-License-Identifier: Apache-2.0

/// The wrapping of text in narrow columns.
enum TextWrapping {
  /// The text wrapped at a width, at spaces if possible.
  static func lines(of text: String, width: Int) -> [String] {
    guard DisplayWidth.of(text) > width else { return [text] }
    var lines: [String] = []
    var line = ""
    for character in text {
      line.append(character)
      guard DisplayWidth.of(line) > width else { continue }
      // The last space is used unless the word after it fills more than half of the line.
      let space = line.lastIndex(of: " ")
      if let space, DisplayWidth.of(String(line[..<space])) * 2 >= width {
        lines.append(String(line[..<space]))
        line = String(line[line.index(after: space)...])
      } else {
        lines.append(String(line.dropLast()))
        line = String(character)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
