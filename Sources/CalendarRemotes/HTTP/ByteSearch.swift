// SPDX-License-Identifier: Apache-2.0

/// Searches bytes for words, ignoring case.
enum ByteSearch {
  /// Whether the first bytes contain a lowercase ASCII word, in any case.
  ///
  /// The search is on bytes for speed, because it runs on every request and response.
  static func finds(_ word: String, in bytes: [UInt8], upTo limit: Int = .max) -> Bool {
    let word = Array(word.utf8)
    let last = min(limit, bytes.count) - word.count
    guard let first = word.first, last >= 0 else { return false }
    for start in 0...last where lowercased(bytes[start]) == first {
      if word.indices.allSatisfy({ lowercased(bytes[start + $0]) == word[$0] }) { return true }
    }
    return false
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
