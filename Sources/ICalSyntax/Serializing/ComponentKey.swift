// SPDX-License-Identifier: Apache-2.0

/// The name of a component as what nested components are sorted by, before all else.
struct ComponentKey: BitwiseCopyable, Sendable {
  private static let timeZone = ComponentName.timeZone.index

  /// The first letters of the name; none for a time zone, which comes first.
  let key: CanonicalKey
  /// How much of the line that begins it is compared: all to the end of the name, none for a time zone.
  let length: Int

  /// Whether all of that is in the key.
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
