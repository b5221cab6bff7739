// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Names of time zones that are an offset from UTC: `UTC+2`, `GMT-0530`, `UTC +05:30`.
enum FixedOffsetName {
  /// The offset that a name is, positive east of Greenwich, or nil if it is another name.
  ///
  /// `Etc/GMT+5` is not one of them: it is a name of the database, with its sign the other way.
  static func offset(of name: String) -> UTCOffset? {
    var rest = Array(name.utf8)
    guard rest.starts(with: "UTC".utf8) || rest.starts(with: "GMT".utf8) else { return nil }
    rest.removeFirst(3)
    if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    rest.removeFirst()
    let fields = rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let hours: ArraySlice<UInt8>
    let minutes: ArraySlice<UInt8>
    switch (fields.count, rest.count) {
    case (2, 4...5):
      hours = fields[0]
      minutes = fields[1]
    case (1, 1...2):
      hours = rest[...]
      minutes = []
    case (1, 4):
      hours = rest[..<2]
      minutes = rest[2...]
    default: return nil
    }
    guard let hour = number(hours), let minute = minutes.isEmpty ? 0 : number(minutes),
      hour <= 18, minute < 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60
    return UTCOffset(seconds: sign == UInt8(ascii: "-") ? -seconds : seconds)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
