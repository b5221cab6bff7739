// SPDX-License-Identifier: Apache-2.0

/// A word as it has to be typed in a shell, for commands that are printed to be copied.
package struct ShellWord: CustomStringConvertible, Sendable {
  private let word: String

  /// Creates a word.
  package init(_ word: String) {
    self.word = word
  }

  /// The word, in single quotes where it needs them.
  package var description: String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:@%+=,".utf8.contains(byte)
      }
    }
    guard !plain || word.isEmpty else { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }
}
