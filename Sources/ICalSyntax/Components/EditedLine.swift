// SPDX-License-Identifier: Apache-2.0

/// The parts of a property that is not, or no longer, a line of a file.
struct EditedLine: Sendable {
  let name: PropertyName
  /// The bytes between the name and the colon, the first semicolon included.
  var parameters: [UInt8]
  var value: [UInt8]
  /// Where the property was before it was changed.
  let position: SourcePosition?

  static func encode(_ parameters: [Parameter]) -> [UInt8] {
    var bytes: [UInt8] = []
    for parameter in parameters {
      bytes.append(ASCII.semicolon)
      parameter.write(to: &bytes)
    }
    return bytes
  }
}
