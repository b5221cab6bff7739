// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// An opaque colour as `#rrggbb`.
struct VendorColor: Hashable, Sendable {
  /// The colour in lower case.
  let text: String

  /// Parses a colour of the form `#RRGGBB` or `#RRGGBBFF`; nil for other text.
  init?(_ value: String) {
    guard let text = CollectionProperty.color.canonical(value), text.utf8.count == 7,
      text.hasPrefix("#"), UInt32(text.dropFirst(), radix: 16) != nil
    else { return nil }
    self.text = text
  }

  /// Black or white, whichever is easier to read on the colour.
  var contrast: String {
    let value = UInt32(text.dropFirst(), radix: 16) ?? 0
    let (red, green, blue) = (value >> 16 & 255, value >> 8 & 255, value & 255)
    // The weights of ITU-R BT.601.
    return 299 * red + 587 * green + 114 * blue < 128_000 ? "#ffffff" : "#000000"
  }
}

extension VendorAnswer {
  /// Throws the refusal, unless the request succeeded.
  ///
  /// - Throws: `RemoteError`.
  func expectSuccess() throws(RemoteError) {
    guard !isSuccess else { return }
    throw RemoteError(
      code: status == 403 ? .forbidden : .refused, subject: "\(response.url)", message: refusal)
  }

  /// The outcome of a change of a calendar's property.
  ///
  /// - Parameter isHeld: Whether the answer has the new value.
  /// - Returns: The outcome; a value that the vendor changed counts as refused.
  /// - Throws: `RemoteError` if the answer has another form.
  func outcome(_ isHeld: (VendorAnswer) throws -> Bool) throws -> CollectionPropertyOutcome {
    guard isSuccess else { return .refused(reason: refusal) }
    return try isHeld(self) ? .done : .refused(reason: "the server answers with another value")
  }
}
