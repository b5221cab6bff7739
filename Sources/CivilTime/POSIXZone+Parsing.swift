// SPDX-License-Identifier: Apache-2.0

// std offset [dst [offset] "," start ["/" time] "," end ["/" time]]
//
// std, dst  three letters or more, or letters, digits, "+" and "-" between "<" and ">"
// offset    ["+" / "-"] hh [":" mm [":" ss]], west of Greenwich
// start,end "J" 1…365  /  0…365  /  "M" month "." week "." weekday, with Sunday as 0
// time      as offset, with hours up to 167 (RFC 9636 §3.3.1)

extension POSIXZone {
  /// Reads the footer of a TZif file (RFC 9636 §3.3.1).
  ///
  /// - Parameter bytes: The footer without its newlines; not empty.
  /// - Throws: `BasicFormatError` at the first invalid character.
  package init(parsing bytes: Span<UInt8>) throws(BasicFormatError) {
    var scanner = BasicScanner(section: "RFC 9636 §3.3.1")
    let standardName = try scanner.zoneName(bytes)
    let standardSeconds = -(try scanner.clock(bytes, hours: 0...24))
    let standard = LocalTimeType(
      offset: try scanner.zoneOffset(bytes, standardSeconds), isDaylight: false,
      abbreviation: standardName)
    guard scanner.index < bytes.count else {
      self.init(standard: standard, daylight: nil)
      return
    }
    let daylightName = try scanner.zoneName(bytes)
    var daylightSeconds = standardSeconds + 3600
    if scanner.index < bytes.count, bytes[scanner.index] != UInt8(ascii: ",") {
      daylightSeconds = -(try scanner.clock(bytes, hours: 0...24))
    }
    let type = LocalTimeType(
      offset: try scanner.zoneOffset(bytes, daylightSeconds), isDaylight: true,
      abbreviation: daylightName)
    let start = try scanner.change(bytes)
    let end = try scanner.change(bytes)
    try scanner.end(bytes)
    self.init(standard: standard, daylight: Daylight(type: type, start: start, end: end))
  }
}

extension BasicScanner {
  fileprivate mutating func zoneName(_ bytes: Span<UInt8>) throws(BasicFormatError) -> String {
    let isQuoted = skip("<", in: bytes)
    let start = index
    while index < bytes.count, isNameByte(bytes[index], isQuoted: isQuoted) { index += 1 }
    let length = index - start
    guard length >= 3 else {
      throw error(bytes, length: 1, expected: "a zone's name of three letters or more")
    }
    if isQuoted, !skip(">", in: bytes) { throw error(bytes, length: 1, expected: "\">\"") }
    return text(bytes, from: start, length: length)
  }

  private func isNameByte(_ byte: UInt8, isQuoted: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
    default: false
    }
  }

  fileprivate func zoneOffset(
    _ bytes: Span<UInt8>, _ seconds: Int
  ) throws(BasicFormatError) -> UTCOffset {
    guard let offset = UTCOffset(seconds: seconds) else {
      throw error(bytes, length: 1, expected: "an offset of less than 26 hours")
    }
    return offset
  }

  /// Reads signed hours, minutes and seconds, and returns them in seconds.
  fileprivate mutating func clock(
    _ bytes: Span<UInt8>, hours: ClosedRange<Int>
  ) throws(BasicFormatError) -> Int {
    let isNegative = sign(bytes) ?? false
    var seconds = try number(bytes, in: hours, "an hour") * 3600
    if skip(":", in: bytes) {
      seconds += try number(bytes, in: 0...59, "a minute") * 60
      if skip(":", in: bytes) { seconds += try number(bytes, in: 0...59, "a second") }
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func number(
    _ bytes: Span<UInt8>, in range: ClosedRange<Int>, _ name: String
  ) throws(BasicFormatError) -> Int {
    let start = index
    if let number = number(bytes), range ~= number { return number }
    let length = max(1, index - start)
    index = start
    throw error(
      bytes, length: length,
      expected: "\(name) from \(range.lowerBound) through \(range.upperBound)")
  }

  fileprivate mutating func change(
    _ bytes: Span<UInt8>
  ) throws(BasicFormatError) -> POSIXZone.Change {
    guard skip(",", in: bytes) else {
      throw error(bytes, length: 1, expected: "\",\" and a day of change")
    }
    let day = try changeDay(bytes)
    let seconds = skip("/", in: bytes) ? try clock(bytes, hours: 0...167) : 7200
    return POSIXZone.Change(day: day, seconds: seconds)
  }

  private mutating func changeDay(
    _ bytes: Span<UInt8>
  ) throws(BasicFormatError) -> POSIXZone.Change.Day {
    if skip("J", in: bytes) { return .julian(try number(bytes, in: 1...365, "a day")) }
    guard skip("M", in: bytes) else {
      return .zeroBased(try number(bytes, in: 0...365, "a day"))
    }
    let month = try number(bytes, in: 1...12, "a month")
    try dot(bytes)
    let week = try number(bytes, in: 1...5, "a week")
    try dot(bytes)
    let sundayBased = try number(bytes, in: 0...6, "a weekday")
    let weekday = Weekday(rawValue: UInt8((sundayBased + 6) % 7)) ?? .sunday
    return .weekday(month: month, week: week, weekday: weekday)
  }

  private mutating func dot(_ bytes: Span<UInt8>) throws(BasicFormatError) {
    guard skip(".", in: bytes) else { throw error(bytes, length: 1, expected: "\".\"") }
  }
}
