// SPDX-License-Identifier: Apache-2.0

/// A fast path that reads well-formed dates and times eight bytes at a time.
///
/// It returns nil for any other text; `BasicScanner` then finds the error.
enum DigitPairs {
  /// The date in the first eight bytes.
  @inline(__always)
  static func date(_ bytes: Span<UInt8>) -> CivilDate? {
    guard let pairs = pairs(word(bytes, 0)) else { return nil }
    let year = number(pairs, 0) &* 100 &+ number(pairs, 1)
    return CivilDate(year: year, month: number(pairs, 2), day: number(pairs, 3))
  }

  /// The date-time in the first fifteen bytes.
  @inline(__always)
  static func dateTime(_ bytes: Span<UInt8>) -> CivilDateTime? {
    // The word starts with the last digit of the date and the `T`; both are replaced by zeros.
    let last = word(bytes, 7)
    guard last >> 8 & 0xFF == 0x54, let date = date(bytes),
      let pairs = pairs(last & ~0xFFFF | 0x3030),
      let time = TimeOfDay(
        hour: number(pairs, 1), minute: number(pairs, 2), second: number(pairs, 3))
    else { return nil }
    return CivilDateTime(date, time)
  }

  /// Eight bytes from an index on, in little-endian order.
  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
    let low =
      UInt64(bytes[index]) | UInt64(bytes[index &+ 1]) << 8 | UInt64(bytes[index &+ 2]) << 16
      | UInt64(bytes[index &+ 3]) << 24
    return low | UInt64(bytes[index &+ 4]) << 32 | UInt64(bytes[index &+ 5]) << 40
      | UInt64(bytes[index &+ 6]) << 48 | UInt64(bytes[index &+ 7]) << 56
  }

  /// The four two-digit numbers in eight digits, or nil if a byte is not a digit.
  @inline(__always)
  private static func pairs(_ word: UInt64) -> UInt64? {
    // Digits are 0x30 through 0x39. Adding 6 changes the high nibble of any byte after `9`.
    let sixteens: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let zeros: UInt64 = 0x3030_3030_3030_3030
    guard word & sixteens == zeros, (word &+ 0x0606_0606_0606_0606) & sixteens == zeros else {
      return nil
    }
    let digits = word ^ zeros
    return (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
  }

  @inline(__always)
  private static func number(_ pairs: UInt64, _ place: UInt64) -> Int {
    Int(truncatingIfNeeded: pairs >> (place &* 16) & 0xFF)
  }
}
