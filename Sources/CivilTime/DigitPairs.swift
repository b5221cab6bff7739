// SPDX-License-Identifier: Apache-2.0

/// Reads dates and times whose digits all stand where they should, two at a time.
///
/// It tells nothing about any other text but that it is one; `BasicScanner` then says what is wrong.
enum DigitPairs {
  /// The date in the first eight bytes.
  @inline(__always)
  static func date(_ bytes: Span<UInt8>) -> CivilDate? {
    let year = pair(bytes, 0) &* 100 &+ pair(bytes, 2)
    return CivilDate(year: year, month: pair(bytes, 4), day: pair(bytes, 6))
  }

  /// The date-time in the first fifteen bytes.
  @inline(__always)
  static func dateTime(_ bytes: Span<UInt8>) -> CivilDateTime? {
    guard bytes[8] == UInt8(ascii: "T"), let date = date(bytes),
      let time = TimeOfDay(
        hour: pair(bytes, 9), minute: pair(bytes, 11), second: pair(bytes, 13))
    else { return nil }
    return CivilDateTime(date, time)
  }

  /// The number that two digits make, or one that is outside of any range if they are none.
  @inline(__always)
  private static func pair(_ bytes: Span<UInt8>, _ index: Int) -> Int {
    let tens = bytes[index] &- 0x30
    let ones = bytes[index &+ 1] &- 0x30
    return tens <= 9 && ones <= 9 ? Int(tens) &* 10 &+ Int(ones) : 1_000_000
  }
}
