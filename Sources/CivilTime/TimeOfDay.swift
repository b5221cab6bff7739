// SPDX-License-Identifier: Apache-2.0

/// A wall-clock time without a date or zone (RFC 5545 §3.3.12, the TIME type).
public struct TimeOfDay: Hashable, Sendable, Comparable {
  private let storedHour: UInt8
  private let storedMinute: UInt8
  private let storedSecond: UInt8

  /// The start of a day, 00:00:00.
  public static let midnight = TimeOfDay(unchecked: 0, 0, 0)

  /// Creates a time, or returns nil if the time does not exist.
  ///
  /// - Parameters:
  ///   - hour: The hour, from 0 through 23.
  ///   - minute: The minute, from 0 through 59.
  ///   - second: The second, from 0 through 60; 60 is a leap second and is preserved.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second else { return nil }
    self.init(unchecked: hour, minute, second)
  }

  private init(unchecked hour: Int, _ minute: Int, _ second: Int) {
    storedHour = UInt8(truncatingIfNeeded: hour)
    storedMinute = UInt8(truncatingIfNeeded: minute)
    storedSecond = UInt8(truncatingIfNeeded: second)
  }

  /// Creates a time from the seconds after midnight, or returns nil outside 0 through 86,399.
  public init?(secondOfDay: Int) {
    guard 0..<86_400 ~= secondOfDay else { return nil }
    let second = UInt32(truncatingIfNeeded: secondOfDay)
    let minute = second / 60
    self.init(unchecked: Int(minute / 60), Int(minute % 60), Int(second % 60))
  }

  /// The hour, from 0 through 23.
  public var hour: Int { Int(storedHour) }
  /// The minute, from 0 through 59.
  public var minute: Int { Int(storedMinute) }
  /// The second, from 0 through 60.
  public var second: Int { Int(storedSecond) }

  /// The number of seconds since midnight, from 0 through 86,399.
  ///
  /// Second 60 counts as second 59, as RFC 5545 §3.3.12 allows for systems without leap seconds.
  public var secondOfDay: Int { hour * 3600 + minute * 60 + min(second, 59) }

  /// Whether the left time is earlier.
  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    left.ordinal < right.ordinal
  }

  private var ordinal: Int { hour << 12 | minute << 6 | second }
}

extension TimeOfDay: CustomStringConvertible {
  /// The basic form, such as `090000` (RFC 5545 §3.3.12).
  public var description: String {
    var digits: [UInt8] = []
    appendDigits(to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends the basic form.
  func appendDigits(to bytes: inout [UInt8]) {
    bytes.appendDigits(hour, width: 2)
    bytes.appendDigits(minute, width: 2)
    bytes.appendDigits(second, width: 2)
  }
}
