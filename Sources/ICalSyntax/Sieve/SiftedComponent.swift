// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The properties of a component that a sieve needs, read eight bytes at a time.
struct SiftedComponent {
  /// The kinds of components that the sieve can drop.
  private enum Kind {
    case event, reminder, journal
  }

  private var kind = Kind.event
  private(set) var lineCount = 0
  /// A hash of the unfolded UID; 0 if there is none.
  private(set) var uid: UInt64 = 0
  private var isInUID = false
  /// Whether the previous line has a value that must not be folded.
  private var isInValue = false
  /// Whether only a full parser can decide.
  private var isInDoubt = false
  /// The range of its times, in days since 1970-01-01.
  private var earliest = Int.max
  private var latest = Int.min
  private var durationDays = 0
  private var startDay: Int?
  private var rule: SiftedRule?
  /// Whether it is an override, which shares the UID of its series.
  private(set) var isOverride = false
  /// The day of the RECURRENCE-ID, since 1970-01-01; nil if uncertain.
  var overriddenDay: Int? { isInDoubt ? nil : recurrenceDay }
  private var recurrenceDay: Int?

  /// Whether the component is certainly outside of a range of days since 1970-01-01.
  func canBeDropped(outside days: ClosedRange<Int>) -> Bool {
    guard !isInDoubt else { return false }
    // A reminder or journal entry without times has no occurrence.
    if earliest > latest {
      return kind != .event && durationDays == 0 && rule == nil && !isOverride
    }
    // An override without a start takes its duration from the series, and a rule requires a start.
    guard startDay != nil || rule == nil && !isOverride else { return false }
    return (lastDay ?? .max) < days.lowerBound || earliest > days.upperBound
  }

  /// The last day of any occurrence, or nil if there is no limit.
  private var lastDay: Int? {
    let span = latest - earliest + durationDays + 1
    guard let rule, let startDay else { return earliest + span }
    return rule.lastDay(from: startDay).map { max($0, earliest) + span }
  }

  /// Whether a line begins a component that the sieve can drop.
  @inline(__always)
  static func begins(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    kind(bytes, start, end, begin: true) != nil
  }

  /// Whether a line ends such a component.
  @inline(__always)
  static func ends(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    kind(bytes, start, end, begin: false) != nil
  }

  /// The kind of component in a BEGIN or END line.
  @inline(__always)
  private static func kind(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, begin: Bool
  ) -> Kind? {
    // `begin:` and `end:`, in lower case.
    let (word, mask, length): (UInt64, UInt64, Int) =
      begin ? (0x3A6E_6967_6562, 0xFFFF_FFFF_FFFF, 6) : (0x3A64_6E65, 0xFFFF_FFFF, 4)
    guard (bytes.word(at: start) | lowerCase) & mask == word else { return nil }
    let nameStart = start &+ length
    let name = bytes.word(at: nameStart) | lowerCase
    let nameLength = contentEnd(bytes, start, end) &- nameStart
    switch nameLength {
    case 6: return name & 0xFFFF_FFFF_FFFF == 0x746E_6576_6576 ? .event : nil
    case 5: return name & 0xFF_FFFF_FFFF == 0x6F_646F_7476 ? .reminder : nil
    case 8: return name == 0x6C61_6E72_756F_6A76 ? .journal : nil
    default: return nil
    }
  }

  /// The bit that distinguishes lowercase from uppercase letters, in every byte.
  static let lowerCase: UInt64 = 0x2020_2020_2020_2020

  /// The end of a line without its CR.
  @inline(__always)
  private static func contentEnd(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    end > start && bytes[end &- 1] == ASCII.carriageReturn ? end &- 1 : end
  }

  /// Reads a component from its BEGIN line on.
  ///
  /// - Returns: The start of the line after it, or nil if its END is not available yet. A component
  ///   without an END before another one begins, or before the end of the file, is uncertain.
  mutating func read(_ bytes: Span<UInt8>, from begin: Int, isLast: Bool) -> Int? {
    var start = begin
    var depth = 0
    while start < bytes.count {
      let end = bytes.firstLineFeed(from: start, to: bytes.count)
      guard end < bytes.count || isLast else { return nil }
      let content = Self.contentEnd(bytes, start, end)
      let word = bytes.word(at: start) | Self.lowerCase
      if word & 0xFFFF_FFFF_FFFF == 0x3A6E_6967_6562 {
        let kind = Self.kind(bytes, start, end, begin: true)
        if depth == 0 {
          self.kind = kind ?? .event
        } else if kind != nil || isCalendar(bytes, at: start &+ 6) {
          isInDoubt = true
          return start
        }
        depth += 1
      } else if word & 0xFFFF_FFFF == 0x3A64_6E65 {
        depth -= 1
        if depth == 0 {
          lineCount += 1
          if Self.kind(bytes, start, end, begin: false) != kind { isInDoubt = true }
          return min(end &+ 1, bytes.count)
        }
        if isCalendar(bytes, at: start &+ 4) {
          isInDoubt = true
          return start
        }
      } else {
        look(at: word, bytes, start, content, isOwn: depth == 1)
      }
      lineCount += 1
      start = min(end &+ 1, bytes.count)
    }
    guard isLast else { return nil }
    isInDoubt = true
    return bytes.count
  }

  private func isCalendar(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    bytes.word(at: start) | Self.lowerCase == 0x6164_6E65_6C61_6376
  }

  /// Checks a line that is neither BEGIN nor END.
  @inline(__always)
  private mutating func look(
    at word: UInt64, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, isOwn: Bool
  ) {
    if Self.hasControls(bytes, start, end) { isInDoubt = true }
    let first = UInt8(truncatingIfNeeded: word)
    // A tab must be compared in the source bytes, because the lowercase bit turns it into 0x29.
    if first == ASCII.space || (start < end && bytes[start] == ASCII.tab) {
      if isInUID { addToUID(bytes, start &+ 1, end) }
      if isInValue { isInDoubt = true }
      return
    }
    isInUID = false
    isInValue = false
    guard isOwn else { return }
    if !Self.hasName(bytes, start, end) { isInDoubt = true }
    switch first {
    case UInt8(ascii: "d"): lookAtTimes(word, bytes, start, end)
    case UInt8(ascii: "r"): lookAtRecurrence(word, bytes, start, end)
    case UInt8(ascii: "u"):
      guard word & 0xFF_FFFF == 0x64_6975, Self.isSeparator(word >> 24) else { return }
      isInUID = true
      if uid == 0 { uid = 0xCBF2_9CE4_8422_2325 }
      addToUID(bytes, start &+ 3, end)
    default: break
    }
  }

  @inline(__always)
  private mutating func lookAtTimes(
    _ word: UInt64, _ bytes: Span<UInt8>, _ start: Int, _ end: Int
  ) {
    switch word {
    // `dtstart` and its separator.
    case let word where word & 0xFF_FFFF_FFFF_FFFF == 0x74_7261_7473_7464:
      if Self.isSeparator(word >> 56), let day = addDate(bytes, start &+ 7, end) {
        startDay = max(startDay ?? day, day)
      }
    case let word where word & 0xFF_FFFF_FFFF == 0x64_6E65_7464:
      if kind == .event, Self.isSeparator(word >> 40) { addDate(bytes, start &+ 5, end) }
    case let word where word & 0xFF_FFFF == 0x65_7564:
      if kind == .reminder, Self.isSeparator(word >> 24) { addDate(bytes, start &+ 3, end) }
    case 0x6E6F_6974_6172_7564: addDuration(bytes, start &+ 8, end)
    default: break
    }
  }

  private mutating func lookAtRecurrence(
    _ word: UInt64, _ bytes: Span<UInt8>, _ start: Int, _ end: Int
  ) {
    // `rrule`, `rdate` and `recurren`, the start of RECURRENCE-ID.
    switch word & 0xFF_FFFF_FFFF {
    case 0x65_6C75_7272 where Self.isSeparator(word >> 40):
      isInValue = true
      var next: SiftedRule?
      if let value = Self.value(bytes, start, end) {
        next = SiftedRule(bytes, from: value, to: end)
      }
      // Only a full parser can combine several rules.
      if next == nil || rule != nil { isInDoubt = true }
      rule = next
    case 0x65_7461_6472: isInDoubt = true
    case 0x7275_6365_72 where Self.isRecurrenceID(bytes, start):
      isOverride = true
      isInValue = true
      let name = start &+ 13
      guard name < end, recurrenceDay == nil, !Self.hasRange(bytes, name, end) else {
        isInDoubt = true
        return
      }
      recurrenceDay = addDate(bytes, name, end)
    default: break
    }
  }

  /// Adds the date at the start of a line's value, and returns its day number.
  @discardableResult
  private mutating func addDate(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    guard let value = Self.value(bytes, start, end), let day = Self.day(bytes, value, end) else {
      isInDoubt = true
      return nil
    }
    earliest = min(earliest, day)
    latest = max(latest, day)
    return day
  }

  /// Adds the length of a duration in days, rounded up (RFC 5545 §3.3.6).
  private mutating func addDuration(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    guard var index = Self.value(bytes, start, end) else {
      isInDoubt = true
      return
    }
    var number = 0
    var days = 1
    while index < end {
      let byte = bytes[index]
      switch byte {
      case 0x30...0x39:
        number = number &* 10 &+ Int(byte &- 0x30)
        if number > 100_000 { isInDoubt = true }
        number = min(number, 100_000)
      case UInt8(ascii: "W"): (days, number) = (days + number * 7, 0)
      case UInt8(ascii: "D"): (days, number) = (days + number, 0)
      case UInt8(ascii: "H"): (days, number) = (days + number / 24 + 1, 0)
      case UInt8(ascii: "M"), UInt8(ascii: "S"): (days, number) = (days + number / 1440 + 1, 0)
      case UInt8(ascii: "P"), UInt8(ascii: "T"), UInt8(ascii: "+"), ASCII.hyphen: break
      default: isInDoubt = true
      }
      index &+= 1
    }
    durationDays = max(durationDays, days)
  }

  /// Adds bytes to the hash of the UID (FNV-1a).
  @inline(__always)
  private mutating func addToUID(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    var index = start
    while index < end {
      uid = (uid ^ UInt64(bytes[index])) &* 0x100_0000_01B3
      index &+= 1
    }
  }
}
