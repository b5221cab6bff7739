// SPDX-License-Identifier: Apache-2.0

/// The first sixteen letters of a name in upper case, as two numbers that are in the order of names.
///
/// Nearly all names differ in them, so that sorting properties is sorting numbers.
struct CanonicalKey: Equatable, BitwiseCopyable, Sendable {
  /// That of no name at all: before all names.
  static let empty = CanonicalKey(first: 0, second: 0)
  /// That of a line that is no content line: after all names.
  static let malformed = CanonicalKey(first: .max, second: .max)

  let first: UInt64
  private let second: UInt64
  /// Whether the name goes on after the letters of the key.
  let isCut: Bool

  private init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
    isCut = false
  }

  /// The key of the name that a line begins with.
  init(_ text: Span<UInt8>, count: Int) {
    first = Self.letters(of: text, at: 0, count: count)
    second = count > 8 ? Self.letters(of: text, at: 8, count: count &- 8) : 0
    isCut = count > 16
  }

  /// Up to eight letters of a name in upper case, the first one highest.
  @inline(__always)
  private static func letters(of text: Span<UInt8>, at start: Int, count: Int) -> UInt64 {
    ByteWord.uppercased(ByteWord.prefix(text.word(at: start), count)).byteSwapped
  }

  /// Whether the key comes before another one.
  @inline(__always)
  static func < (left: CanonicalKey, right: CanonicalKey) -> Bool {
    left.first != right.first ? left.first < right.first : left.second < right.second
  }
}
