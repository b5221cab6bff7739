// SPDX-License-Identifier: Apache-2.0

/// Where a component lies, and which lines and components are in it (RFC 5545 §3.6).
struct ComponentRecord: Sendable {
  /// The name, as it is spelled after BEGIN.
  let name: ComponentName
  /// The index of the BEGIN line among the lines of the block.
  let beginLine: UInt32
  /// The index of the first property; the others follow it directly.
  var firstProperty: UInt32
  var propertyCount: UInt32 = 0
  /// The index of the first entry in the block's list of nested components.
  var firstChild: UInt32 = 0
  var childCount: UInt32 = 0
  /// The range of the bytes from BEGIN through END, or up to where the component was cut off.
  let start: UInt32
  var end: UInt32
  /// Whether the component ended with an END line of its own.
  var isComplete = false
  /// Whether a line in it ends nothing; its bytes could then end what they are written into.
  var hasStrayEnd = false

  init(name: ComponentName, beginLine: Int, start: UInt32) {
    self.name = name
    self.beginLine = UInt32(truncatingIfNeeded: beginLine)
    self.firstProperty = UInt32(truncatingIfNeeded: beginLine &+ 1)
    self.start = start
    self.end = start
  }
}
