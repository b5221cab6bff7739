// SPDX-License-Identifier: Apache-2.0

/// The position of a component in a block, with its lines and children (RFC 5545 §3.6).
struct ComponentRecord: BitwiseCopyable, Sendable {
  /// The code of a name that is unknown or not in upper case.
  private static let otherName: UInt8 = .max

  /// The index of the name in the component vocabulary, or `otherName`.
  private let nameCode: UInt8
  /// Whether the component has its own END line.
  var isComplete = false
  /// Whether it contains an unmatched END line, which would close a parent when written there.
  var hasStrayEnd = false
  /// The index of the BEGIN line in the block's lines.
  let beginLine: UInt32
  /// The index of the first property; the others follow it directly.
  var firstProperty: UInt32
  var propertyCount: UInt32 = 0
  /// The index of the first entry in the block's list of children.
  var firstChild: UInt32 = 0
  var childCount: UInt32 = 0
  /// The range of the bytes from BEGIN through END; empty until END is read.
  let start: UInt32
  var end: UInt32

  /// The indices of the property lines.
  var propertyLines: Range<Int> {
    Int(firstProperty)..<Int(firstProperty) + Int(propertyCount)
  }

  /// The indices of the children in the block's list of children.
  var childPlaces: Range<Int> {
    Int(firstChild)..<Int(firstChild) + Int(childCount)
  }

  /// Creates the record of a component that begins.
  ///
  /// - Parameters:
  ///   - nameIndex: The index of the name if it is known and in upper case.
  ///   - beginLine: The index of the BEGIN line.
  ///   - start: The offset of that line.
  init(nameIndex: Int?, beginLine: Int, start: UInt32) {
    nameCode = nameIndex.map { UInt8(truncatingIfNeeded: $0) } ?? Self.otherName
    self.beginLine = UInt32(truncatingIfNeeded: beginLine)
    self.firstProperty = UInt32(truncatingIfNeeded: beginLine &+ 1)
    self.start = start
    self.end = start
  }

  /// The index of the name, or nil if it must be read from the BEGIN line.
  var nameIndex: Int? { nameCode == Self.otherName ? nil : Int(nameCode) }
}
