// SPDX-License-Identifier: Apache-2.0

/// The parts of a component that the records of a file do not describe.
struct ComponentNode: Sendable {
  let name: ComponentName
  var properties: PropertyList = []
  var components: ComponentList = []
  var isComplete = true
  /// The position in the source file.
  var position: SourcePosition?
  /// How the lines that begin and end it are spelled, if its name does not say it.
  var spelling: ComponentSpelling?
  /// The bytes that the component was read from, until it is changed.
  var source: ArraySlice<UInt8>?
}
