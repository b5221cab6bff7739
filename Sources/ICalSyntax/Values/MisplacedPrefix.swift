// SPDX-License-Identifier: Apache-2.0

/// A prefix of a value that repeats the name of its property, or contains its VALUE parameter.
///
/// Lenient: programs write `RRULE:RRULE:FREQ=DAILY` and `TRIGGER:VALUE=DATE-TIME:20261130T090000Z`.
/// A text or URI may begin so, and is read as it is.
struct MisplacedPrefix {
  /// The type in a VALUE parameter.
  let type: ValueType?
  /// The prefix with its colon.
  let text: String
  /// The length in bytes.
  var count: Int { text.utf8.count }

  /// The maximum length, which bounds the search for the colon.
  private static let limit = 24

  /// Finds a prefix.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The name of its property.
  ///   - form: The form of the property's values.
  init?(in value: Span<UInt8>, name: String?, _ form: ValueForm) {
    guard let name, Self.isTime(form.type), value.count > 0, value[0] >= 0x41 else { return nil }
    let head = value.extracting(0..<min(value.count, Self.limit))
    guard let colon = head.firstIndex(of: ASCII.colon) else { return nil }
    let word = String(copying: head.extracting(0..<colon)).asciiUppercased
    text = String(copying: head.extracting(0..<(colon + 1)))
    if word == name {
      type = nil
    } else if word.hasPrefix("VALUE="), let type = ValueType(rawValue: String(word.dropFirst(6))),
      type != .unknown
    {
      self.type = type
    } else {
      return nil
    }
  }

  private static func isTime(_ type: ValueType) -> Bool {
    [.date, .dateTime, .duration, .period, .recurrence].contains(type)
  }
}
