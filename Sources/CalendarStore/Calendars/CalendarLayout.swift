// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The text of a calendar between its properties and components: its first and last line, and blank
/// lines.
struct CalendarLayout {
  /// A property or a component of the calendar as it was read.
  enum Place {
    /// The index of a property.
    case property(Int)
    /// The slot of a component.
    case slot(Int)
  }

  /// A property or a component with the text after it.
  struct Part {
    let place: Place
    let gap: ArraySlice<UInt8>
  }

  /// The text of replaced properties.
  struct Properties {
    /// The text before those of the file.
    var first: [UInt8] = []
    /// The text at the place of each one of the file; empty if it was removed.
    var texts: [[UInt8]] = []
  }

  /// The range of the calendar in the file; empty in a new one.
  let range: Range<Int>
  /// The text of the file between the previous calendar and this one.
  let before: ArraySlice<UInt8>
  /// The text before the first part.
  let head: ArraySlice<UInt8>
  /// The properties and components in file order.
  let parts: [Part]
  /// The text after the last part.
  let tail: ArraySlice<UInt8>
  private let properties: [Property]

  /// Reads the layout of a calendar.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - firstSlot: The slot of its first component.
  ///   - source: The file.
  ///   - end: The end of the previous calendar in the file.
  init(of calendar: Component, slots firstSlot: Int, in source: [UInt8], after end: Int) {
    let range = calendar.sourceRange ?? end..<end
    self.range = range
    before = source[end..<max(end, range.lowerBound)]
    properties = Array(calendar.properties)
    let places: [(place: Place, range: Range<Int>?)] =
      properties.enumerated().map { (.property($0), $1.sourceRange) }
      + calendar.components.enumerated().map { (.slot(firstSlot + $0), $1.sourceRange) }
    guard let ranged = Self.ordered(places, in: range) else {
      let name = calendar.name.rawName
      head = Array("BEGIN:\(name)\r\n".utf8)[...]
      parts = places.map { Part(place: $0.place, gap: []) }
      tail = Array("END:\(name)\r\n".utf8)[...]
      return
    }
    head = source[range.lowerBound..<(ranged.first?.range.lowerBound ?? range.lowerBound)]
    let starts = ranged.dropFirst().map(\.range.lowerBound)
    parts = ranged.enumerated().map { index, part in
      let end = part.range.upperBound
      return Part(place: part.place, gap: index < starts.count ? source[end..<starts[index]] : [])
    }
    tail = source[(ranged.last?.range.upperBound ?? range.lowerBound)..<range.upperBound]
  }

  /// The places in file order, or nil unless each has a range of its own within the calendar.
  private static func ordered(
    _ places: [(place: Place, range: Range<Int>?)], in calendar: Range<Int>
  ) -> [(place: Place, range: Range<Int>)]? {
    var ranged: [(place: Place, range: Range<Int>)] = []
    for case (let place, let range?) in places { ranged.append((place, range)) }
    guard ranged.count == places.count, !ranged.isEmpty else { return nil }
    ranged.sort { $0.range.lowerBound < $1.range.lowerBound }
    var end = calendar.lowerBound
    for (_, range) in ranged {
      guard range.lowerBound >= end else { return nil }
      end = range.upperBound
    }
    return end <= calendar.upperBound ? ranged : nil
  }

  /// The bytes of a property of the file.
  func text(ofProperty index: Int) -> [UInt8] { Self.text(of: properties[index]) }

  /// The text of properties that replace those of the file.
  ///
  /// - Parameters:
  ///   - changed: The properties; those of the file keep their bytes.
  ///   - lineBreak: The line break of the others.
  /// - Returns: The text at each place.
  func placing(_ changed: [Property], _ lineBreak: LineBreak) -> Properties {
    let placement = ListPlacement(
      of: changed, in: properties, bytes: Self.text, name: \.name.canonicalName)
    let own = Set(properties.map(Self.text))
    func text(of list: [Property]) -> [UInt8] {
      list.flatMap { property in
        let text = Self.text(of: property)
        return own.contains(text) ? text : lineBreak.applied(to: text)
      }
    }
    return Properties(
      first: text(of: placement.first), texts: placement.lists.map { text(of: $0) })
  }

  private static func text(of property: Property) -> [UInt8] {
    var bytes: [UInt8] = []
    Serializer().write(property, to: &bytes)
    return bytes
  }
}

/// The elements of a changed list at the places of the original one.
///
/// Equal elements keep their places. Another element takes the place of a missing one of its name;
/// if there is none, it follows its predecessor.
struct ListPlacement<Element> {
  /// The elements without a predecessor.
  private(set) var first: [Element] = []
  /// The elements at each place.
  private(set) var lists: [[Element]]

  /// Places the elements.
  ///
  /// - Parameters:
  ///   - changed: The changed list.
  ///   - original: The original list.
  ///   - bytes: The notation of an element, which equal elements share.
  ///   - name: The name of an element.
  init(
    of changed: [Element], in original: [Element], bytes: (Element) -> [UInt8],
    name: (Element) -> String
  ) {
    lists = original.map { _ in [] }
    var free: [[UInt8]: [Int]] = [:]
    for (place, element) in original.enumerated().reversed() {
      free[bytes(element), default: []].append(place)
    }
    var places = changed.map { free[bytes($0)]?.popLast() }
    var missing: [String: [Int]] = [:]
    for place in free.values.joined().sorted(by: >) {
      missing[name(original[place]), default: []].append(place)
    }
    for (index, element) in changed.enumerated() where places[index] == nil {
      places[index] = missing[name(element)]?.popLast()
    }
    var previous: Int?
    for (element, place) in zip(changed, places) {
      previous = place ?? previous
      if let previous { lists[previous].append(element) } else { first.append(element) }
    }
  }
}
