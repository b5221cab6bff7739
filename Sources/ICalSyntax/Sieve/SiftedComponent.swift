// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// What a sieve sees of a component: the beginnings of its lines, eight bytes at once.
struct SiftedComponent {
  /// The kinds of components that can be dropped.
  private enum Kind {
    case event, reminder, journal
  }

  private var kind = Kind.event
  private(set) var lineCount = 0
  /// A digest of the UID, however it is folded; 0 if there is none.
  private(set) var uid: UInt64 = 0
  private var isInUID = false
  /// Whether the line before was one whose value must not be folded.
  private var isInValue = false
  /// Whether something was seen that only a reader understands.
  private var isInDoubt = false
  /// Days since 1970-01-01.
  private var earliest = Int.max
  private var latest = Int.min
  private var durationDays = 0
  private var startDay: Int?
  private var rule: SiftedRule?
  /// Whether it is an override, which has the UID of its series.
  private(set) var isOverride = false
  /// The day of the RECURRENCE-ID, in days since 1970-01-01; nil if it is in doubt.
  var overriddenDay: Int? { isInDoubt ? nil : recurrenceDay }
  private var recurrenceDay: Int?

  /// Whether it certainly lies outside of a range of days since 1970-01-01.
  func canBeDropped(outside days: ClosedRange<Int>) -> Bool {
    guard !isInDoubt else { return false }
    // A reminder or a journal entry without any time takes place at none.
    if earliest > latest {
      return kind != .event && durationDays == 0 && rule == nil && !isOverride
    }
    // An override without a start is as long as its series says, and a rule begins with one.
    guard startDay != nil || rule == nil && !isOverride else { return false }
    return (lastDay ?? .max) < days.lowerBound || earliest > days.upperBound
  }

  /// The last day on which it may take place; nil if there is none.
  private var lastDay: Int? {
    let span = latest - earliest + durationDays + 1
    guard let rule, let startDay else { return earliest + span }
    return rule.lastDay(from: startDay).map { max($0, earliest) + span }
  }

  /// Whether a line begins a component that can be dropped.
  @inline(__always)
  static func begins(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    kind(bytes, start, end, begin: true) != nil
  }

  /// Whether a line ends such a component.
  @inline(__always)
  static func ends(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    kind(bytes, start, end, begin: false) != nil
  }

  /// The kind that a BEGIN or END line names.
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

  /// The bit in which capital and small letters differ, in every byte.
  static let lowerCase: UInt64 = 0x2020_2020_2020_2020

  /// The end of a line without its CR.
  @inline(__always)
  private static func contentEnd(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    end > start && bytes[end &- 1] == ASCII.carriageReturn ? end &- 1 : end
  }

  /// Reads a component from its BEGIN line on.
  ///
  /// - Returns: Where the line after it begins; nil if its end is not there yet. A component that does
  ///   not end before another one begins, or the file is over, is in doubt.
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

  /// Looks at a line that is neither BEGIN nor END.
  @inline(__always)
  private mutating func look(
    at word: UInt64, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, isOwn: Bool
  ) {
    if Self.hasControls(bytes, start, end) { isInDoubt = true }
    let first = UInt8(truncatingIfNeeded: word)
    // A space, or a tab, which the bit of small letters has made 0x29.
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
    // `dtstart` and what separates it from its value.
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
    // `rrule`, `rdate` and `recurren`, the beginning of RECURRENCE-ID.
    switch word & 0xFF_FFFF_FFFF {
    case 0x65_6C75_7272 where Self.isSeparator(word >> 40):
      isInValue = true
      var next: SiftedRule?
      if let value = Self.value(bytes, start, end) {
        next = SiftedRule(bytes, from: value, to: end)
      }
      // What several rules give together only a reader knows.
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

  /// Takes the date that the value of a line begins with, and gives its days since 1970-01-01.
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

  /// Takes the days, rounded up, of a duration (RFC 5545 §3.3.6).
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

  /// Adds bytes to the digest of the UID (FNV-1a).
  @inline(__always)
  private mutating func addToUID(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    var index = start
    while index < end {
      uid = (uid ^ UInt64(bytes[index])) &* 0x100_0000_01B3
      index &+= 1
    }
  }
}
