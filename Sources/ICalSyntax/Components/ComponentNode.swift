// SPDX-License-Identifier: Apache-2.0

/// The parts of a component that is not, or no longer, described by the records of a file.
struct ComponentNode: Sendable {
  let name: ComponentName
  var properties: PropertyList = []
  var components: ComponentList = []
  var isComplete = true
  /// Where the component began in the file that it was read from.
  var position: SourcePosition?
  /// How the lines that begin and end it are spelled, if its name does not say it.
  var spelling: ComponentSpelling?
  /// The bytes that the component was read from, until it is changed.
  var source: ArraySlice<UInt8>?
}
