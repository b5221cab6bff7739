// SPDX-License-Identifier: Apache-2.0

internal import CICU

// This is the only file that handles C memory. All parameters and results are Swift values, or own
// their C objects and close them on deinitialization.

/// Swift wrappers of the functions of the C shim.
enum ICUCalls {
  /// The version of the library.
  static func version() -> String { unsafe String(cString: cicu_version()) }

  /// The version of Unicode.
  static func unicodeVersion() -> String { unsafe text(cicu_unicode_version()) ?? "" }

  /// The version of ICU's time zones.
  static func zoneVersion() -> String? {
    var status: Int32 = 0
    guard let version = unsafe cicu_zone_version(&status) else { return nil }
    return unsafe String(cString: version)
  }

  /// The table of Windows zone names, one per line; see `cicu_windows_zones`.
  static func windowsZones() throws(ICUError) -> String {
    var status: Int32 = 0
    let table = unsafe text(cicu_windows_zones(&status))
    try check(status)
    return table ?? ""
  }

  /// The names of all zones, one per line.
  static func zoneNames() throws(ICUError) -> String {
    var status: Int32 = 0
    let names = unsafe text(cicu_zone_names(&status))
    try check(status)
    return names ?? ""
  }

  /// The transitions of a zone, one per line; see `cicu_zone_changes`.
  static func zoneChanges(_ name: String) throws(ICUError) -> String {
    var status: Int32 = 0
    let bytes = Array(name.utf8)
    let changes = unsafe text(cicu_zone_changes(bytes, try size(bytes.count), &status))
    try check(status)
    return changes ?? ""
  }

  /// The words of a locale for dates, one meaning per line; see `cicu_date_words`.
  static func dateWords(locale: String) throws(ICUError) -> String {
    var status: Int32 = 0
    let words = unsafe text(cicu_date_words(locale, &status))
    try check(status)
    return words ?? ""
  }

  /// The canonical CLDR name of a zone, or nil if the zone is unknown.
  static func canonicalZone(_ name: String) -> String? {
    var status: Int32 = 0
    let bytes = Array(name.utf8)
    guard let count = Int32(exactly: bytes.count) else { return nil }
    return unsafe text(cicu_canonical_zone(bytes, count, &status))
  }

  /// The most likely character set of a text, with a confidence from 0 through 100.
  static func detectCharset(_ bytes: [UInt8]) -> (name: String, confidence: Int)? {
    var status: Int32 = 0
    var confidence: Int32 = 0
    guard let count = Int32(exactly: bytes.count),
      let name = unsafe text(cicu_detect_charset(bytes, count, &confidence, &status))
    else { return nil }
    return (name, Int(confidence))
  }

  /// The text in NFKC_Casefold form.
  static func foldCase(_ string: String) throws(ICUError) -> String {
    var status: Int32 = 0
    let bytes = Array(string.utf8)
    let count = try size(bytes.count)
    let folded = unsafe text(cicu_fold_case(bytes, count, &status))
    try check(status)
    return folded ?? ""
  }

  /// A byte count as `Int32`.
  static func size(_ count: Int) throws(ICUError) -> Int32 {
    guard let size = Int32(exactly: count) else {
      throw ICUError(.tooLarge, "the text has 2 GiB or more")
    }
    return size
  }

  /// Throws if a status is a failure; negative codes are warnings.
  static func check(_ status: Int32) throws(ICUError) {
    guard status > 0 else { return }
    throw ICUError(.failed, "ICU failed with \(errorName(status))")
  }

  static func errorName(_ status: Int32) -> String {
    unsafe String(cString: cicu_error_name(status))
  }

  /// Copies a C buffer and frees it.
  fileprivate static func bytes(_ buffer: cicu_buffer) -> [UInt8]? {
    defer { unsafe cicu_buffer_free(buffer) }
    guard let start = unsafe buffer.bytes else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(buffer.count)))
  }

  /// Copies a C buffer as text and frees it.
  static func text(_ buffer: cicu_buffer) -> String? {
    unsafe bytes(buffer).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// An ICU converter, which is closed on deinitialization.
///
/// It cannot be copied, because two copies would close it twice.
@safe struct ConverterHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Opens the converter of a character set, or returns nil if ICU does not have it.
  init?(charset: String) {
    var status: Int32 = 0
    guard let opened = unsafe cicu_converter_open(charset, &status) else { return nil }
    unsafe pointer = opened
  }

  deinit {
    unsafe cicu_converter_close(pointer)
  }

  /// The canonical name of the character set.
  var name: String? {
    var status: Int32 = 0
    return unsafe cicu_converter_name(pointer, &status).map { unsafe String(cString: $0) }
  }

  /// The result of converting some bytes.
  struct Outcome {
    /// The valid part of the text in UTF-8.
    let output: [UInt8]
    /// The number of bytes read, including invalid ones.
    let consumed: Int
    /// The number of invalid bytes at the end of those read.
    let invalidCount: Int
    /// ICU's error code.
    let status: Int32
  }

  /// Converts the next bytes.
  mutating func convert(_ chunk: Span<UInt8>, isLast: Bool) throws(ICUError) -> Outcome {
    let count = try ICUCalls.size(chunk.count)
    var (consumed, invalid, status): (Int32, Int32, Int32) = (0, 0, 0)
    let handle = unsafe pointer
    let buffer = unsafe chunk.withUnsafeBufferPointer { bytes in
      // An empty span has no address, but the C function requires a non-null pointer.
      var nothing: UInt8 = 0
      return unsafe withUnsafePointer(to: &nothing) { none in
        unsafe cicu_converter_convert(
          handle, bytes.baseAddress ?? none, count, isLast, &consumed, &invalid, &status)
      }
    }
    return Outcome(
      output: unsafe ICUCalls.bytes(buffer) ?? [], consumed: Int(consumed),
      invalidCount: Int(invalid), status: status)
  }
}

/// An ICU collator, which is closed on deinitialization.
///
/// It cannot be copied, because two copies would close it twice.
@safe struct CollatorHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Opens the collator of a locale with a strength from 1 through 3.
  init(locale: String, strength: Int32) throws(ICUError) {
    var status: Int32 = 0
    guard let opened = unsafe cicu_collator_open(locale, strength, &status) else {
      throw ICUError(.failed, "ICU failed with \(ICUCalls.errorName(status))")
    }
    unsafe pointer = opened
  }

  deinit {
    unsafe cicu_collator_close(pointer)
  }

  func compare(_ left: [UInt8], _ right: [UInt8]) throws(ICUError) -> Int {
    var status: Int32 = 0
    let (leftCount, rightCount) = (
      try ICUCalls.size(left.count), try ICUCalls.size(right.count)
    )
    let result = unsafe cicu_collator_compare(
      pointer, left, leftCount, right, rightCount, &status)
    try ICUCalls.check(status)
    return Int(result)
  }

  func sortKey(_ text: [UInt8]) throws(ICUError) -> [UInt8] {
    var status: Int32 = 0
    let count = try ICUCalls.size(text.count)
    let key = unsafe ICUCalls.bytes(cicu_collator_sort_key(pointer, text, count, &status))
    try ICUCalls.check(status)
    return key ?? []
  }

  func search(_ pattern: [UInt8], in text: [UInt8]) throws(ICUError) -> Range<Int>? {
    var (status, matchCount): (Int32, Int32) = (0, 0)
    let (patternCount, textCount) = (
      try ICUCalls.size(pattern.count), try ICUCalls.size(text.count)
    )
    let place = unsafe cicu_collator_search(
      pointer, pattern, patternCount, text, textCount, &matchCount, &status)
    try ICUCalls.check(status)
    return place < 0 ? nil : Int(place)..<Int(place) + Int(matchCount)
  }
}
