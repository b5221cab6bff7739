// SPDX-License-Identifier: Apache-2.0

/// Where a component lies, and which lines and components are in it (RFC 5545 §3.6).
struct ComponentRecord: BitwiseCopyable, Sendable {
  /// Marks a name that no table knows, or one that is not in upper case.
  private static let otherName: UInt8 = .max

  /// The number of the name in the vocabulary of components, or `otherName`.
  private let nameCode: UInt8
  /// Whether the component ended with an END line of its own.
  var isComplete = false
  /// Whether a line in it ends nothing; its bytes could then end what they are written into.
  var hasStrayEnd = false
  /// The index of the BEGIN line among the lines of the block.
  let beginLine: UInt32
  /// The index of the first property; the others follow it directly.
  var firstProperty: UInt32
  var propertyCount: UInt32 = 0
  /// The index of the first entry in the block's list of nested components.
  var firstChild: UInt32 = 0
  var childCount: UInt32 = 0
  /// The range of the bytes from BEGIN through END; empty while there is no END.
  let start: UInt32
  var end: UInt32

  /// The indices of the lines of the properties.
  var propertyLines: Range<Int> {
    Int(firstProperty)..<Int(firstProperty) + Int(propertyCount)
  }

  /// The indices of the nested components in the block's list of them.
  var childPlaces: Range<Int> {
    Int(firstChild)..<Int(firstChild) + Int(childCount)
  }

  /// Describes a component that has begun.
  ///
  /// - Parameters:
  ///   - nameIndex: The number of the name, if a table knows it and it is in upper case.
  ///   - beginLine: The index of the BEGIN line.
  ///   - start: Where that line starts.
  init(nameIndex: Int?, beginLine: Int, start: UInt32) {
    nameCode = nameIndex.map { UInt8(truncatingIfNeeded: $0) } ?? Self.otherName
    self.beginLine = UInt32(truncatingIfNeeded: beginLine)
    self.firstProperty = UInt32(truncatingIfNeeded: beginLine &+ 1)
    self.start = start
    self.end = start
  }

  /// The number of the name, or nil if it has to be looked up in the BEGIN line.
  var nameIndex: Int? { nameCode == Self.otherName ? nil : Int(nameCode) }
}
