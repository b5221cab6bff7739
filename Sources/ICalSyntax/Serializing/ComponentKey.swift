// SPDX-License-Identifier: Apache-2.0

/// The name of a component as what nested components are sorted by, before all else.
struct ComponentKey: BitwiseCopyable, Sendable {
  private static let timeZone = ComponentName.timeZone.index

  /// The first letters of the name; none for a time zone, which comes first.
  let key: CanonicalKey
  /// The length of the name.
  let length: Int

  init(_ name: ComponentName) {
    let letters = name.canonicalName.utf8.span
    length = letters.count
    key = name.index == Self.timeZone ? .empty : CanonicalKey(letters, at: 0, count: letters.count)
  }
}
