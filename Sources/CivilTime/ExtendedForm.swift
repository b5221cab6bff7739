// SPDX-License-Identifier: Apache-2.0

/// A text that may be a date or a time in the extended form of ISO 8601.
struct ExtendedForm {
  /// The separators of the extended form, by their places.
  private static let separators: [(place: Int, byte: UInt8)] = [
    (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (13, UInt8(ascii: ":")),
    (16, UInt8(ascii: ":")),
  ]
  /// The lengths of a date, of a time to the minute, and of a time to the second.
  private static let lengths = [10, 16, 19]

  /// The basic form; the text itself if it is not in the extended form.
  let basic: String
  /// The places of the separators that are left out.
  private let places: [Int]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    let separators = Self.separators.filter { $0.place < bytes.count }
    guard Self.lengths.contains(bytes.count),
      separators.allSatisfy({ bytes[$0.place] == $0.byte })
    else {
      (basic, places) = (text, [])
      return
    }
    let places = separators.map(\.place)
    let rest = bytes.indices.filter { !places.contains($0) }.map { bytes[$0] }
    let seconds: [UInt8] = bytes.count == 16 ? [0x30, 0x30] : []
    (basic, self.places) = (String(decoding: rest + seconds, as: UTF8.self), places)
  }

  /// An error of the basic form, at its offset in the text.
  func located(_ error: BasicFormatError) -> BasicFormatError {
    guard !places.isEmpty else { return error }
    var offset = error.offset
    for place in places where place <= offset { offset += 1 }
    return BasicFormatError(
      offset: offset, expected: error.expected, found: error.found, section: error.section)
  }
}
