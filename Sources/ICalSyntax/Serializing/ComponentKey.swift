// SPDX-License-Identifier: Apache-2.0

/// The name of a component as the first sort key of nested components.
struct ComponentKey: BitwiseCopyable, Sendable {
  private static let timeZone = ComponentName.timeZone.index

  /// The first letters of the name; empty for a time zone, which comes first.
  let key: CanonicalKey
  /// The bytes of the BEGIN line to compare, up to the end of the name; 0 for a time zone.
  let length: Int

  /// Whether the key contains all compared bytes.
  static func isWhole(_ length: Int) -> Bool {
    length <= "BEGIN:".utf8.count &+ MemoryLayout<CanonicalKey>.size
  }

  init(_ name: ComponentName) {
    let letters = name.canonicalName.utf8.span
    let isTimeZone = name.index == Self.timeZone
    length = isTimeZone ? 0 : "BEGIN:".utf8.count &+ letters.count
    key = isTimeZone ? .empty : CanonicalKey(letters, at: 0, count: letters.count)
  }
}
