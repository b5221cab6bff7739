// SPDX-License-Identifier: Apache-2.0

/// The parameters of one line, sorted by name, with their common properties.
///
/// It is reused for each line to keep its capacity.
struct ParameterPlaces {
  /// The findings while parameters are read.
  private struct Findings: BitwiseCopyable {
    var count = 0
    var areCanonical = true
    var areNamed = true
    var areInOrder = true
    var value: ParameterPlace?
  }

  /// The maximum number of parameters for insertion sort.
  private static let insertionLimit = 40

  private var places: [ParameterPlace] = []
  private var found = Findings()

  /// Whether all parameters can be written unchanged, apart from VALUE.
  ///
  /// A parameter without a valid name cannot be moved, because quotes in it affect the parameters
  /// after it.
  var areAsTheyStand: Bool { !found.areNamed || found.areCanonical && found.areInOrder }

  /// Whether all parameters have valid names (RFC 5545 §3.1).
  var areNamed: Bool { found.areNamed }

  /// The first VALUE parameter (RFC 5545 §3.2.20).
  var value: ParameterPlace? { found.value }

  /// Reads the parameters in a range of a line and sorts them by name, stably.
  mutating func read(_ text: Span<UInt8>, _ range: Range<Int>) {
    var found = Findings()
    var index = range.lowerBound
    while index < range.upperBound, text[index] == ASCII.semicolon {
      if found.count == places.count {
        places += Array(repeating: ParameterPlace(), count: max(16, found.count))
      }
      index = readSome(text, from: index, to: range.upperBound, &found)
    }
    self.found = found
    if found.areNamed, !found.areInOrder { sort(text) }
  }

  /// Reads as many parameters as the capacity allows, and returns the index after them.
  @inline(__always)
  private mutating func readSome(
    _ text: Span<UInt8>, from start: Int, to end: Int, _ found: inout Findings
  ) -> Int {
    var places = places.mutableSpan
    var index = start
    while index < end, text[index] == ASCII.semicolon, found.count < places.count {
      let place = ParameterPlace(text, at: index &+ 1, upTo: end)
      index = place.end
      found.areCanonical = found.areCanonical && place.isCanonical
      found.areNamed = found.areNamed && place.hasName
      if place.isValue {
        // The first one counts; the values of further ones are written in upper case too.
        if found.value != nil { found.areCanonical = false }
        found.value = found.value ?? place
      }
      if found.count > 0, !place.clearlyFollows(places[found.count &- 1]),
        place.precedes(places[found.count &- 1], in: text)
      {
        found.areInOrder = false
      }
      places[found.count] = place
      found.count &+= 1
    }
    return index
  }

  private mutating func sort(_ text: Span<UInt8>) {
    let count = found.count
    guard count <= Self.insertionLimit else {
      places[..<count].sort { $0.precedes($1, in: text) }
      return
    }
    var places = places.mutableSpan
    for index in 0..<count {
      let place = places[index]
      var free = index
      while free > 0, place.precedes(places[free &- 1], in: text) {
        places[free] = places[free &- 1]
        free &-= 1
      }
      places[free] = place
    }
  }

  /// Whether all parameters are canonical except for their order.
  var areToBeMoved: Bool { found.areCanonical && found.value == nil }

  /// Appends the parameters, optionally without VALUE.
  mutating func write(_ text: Span<UInt8>, withoutValue: Bool, to bytes: inout [UInt8]) {
    for index in 0..<found.count {
      let place = places[index]
      if !(withoutValue && place.isValue) { place.write(text, to: &bytes) }
    }
  }

  /// Appends the parameters as spelled.
  @inline(__always)
  mutating func write(_ text: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
    for index in 0..<found.count {
      let piece = places[index].piece
      output.append(copying: text, from: piece.start, to: piece.end)
    }
  }
}
