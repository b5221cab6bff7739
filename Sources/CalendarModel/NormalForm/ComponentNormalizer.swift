// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Converts the components of one item to the normal form.
struct ComponentNormalizer {
  /// The location of the canonical form of a property, or of one value of a list.
  struct Entry {
    let name: PropertyName
    /// The range in the form.
    let range: Range<Int>
    /// The index of the property in its component.
    let place: Int
  }

  var zones: CanonicalZones
  /// The start of the main component, or nil if there is none.
  private(set) var mainStart: CanonicalTime?

  // The state of the current component:
  var form = CanonicalForm()
  private(set) var entries: [Entry] = []
  /// The start of the component.
  var start: CanonicalTime?
  /// The start of the series, for the conversion of times that identify occurrences.
  var seriesStart: CanonicalTime?
  /// Whether the end applies to all occurrences of a series.
  private(set) var isSeries = false
  /// The bits of properties that occurred but may occur only once, by property index.
  private var seen: UInt128 = 0
  /// The repetition counts of properties that may occur only once, by property index.
  private var repetitions: [Int: Int] = [:]

  init(_ form: NormalForm, _ components: [Component], _ definitions: [Component]) {
    self.init(
      zones: CanonicalZones(form, components, definitions),
      main: components.first { !$0.isOverride })
  }

  init(zones: CanonicalZones, main: Component?) {
    self.zones = zones
    mainStart = main.flatMap { startTime(of: $0) }
  }

  /// Returns the digest of a component and its nested components.
  mutating func digest(of component: Component) -> SHA256.Digest {
    write(component)
    var whole = CanonicalForm()
    whole.append(component.name.canonicalName)
    whole.append(entries.map(\.range), of: form)
    let nested = component.components.map { digest(of: $0).bytes }
    whole.append(list: nested.sorted(by: CanonicalForm.precedes))
    return SHA256.digest(of: whole.bytes)
  }

  /// Returns the canonical properties of a component, in order.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - isOnce: Whether a series is read as not recurring.
  /// - Returns: The properties; defaults and metadata are omitted.
  mutating func properties(
    of component: Component, isOnce: Bool = false
  ) -> [CanonicalProperty] {
    write(component, isOnce: isOnce)
    return entries.map {
      CanonicalProperty(name: $0.name, bytes: Array(form.bytes[$0.range]), place: $0.place)
    }
  }

  /// Returns the start of a component, if it is valid (RFC 5545 §3.8.2.4).
  mutating func startTime(of component: Component) -> CanonicalTime? {
    component[.dtStart].flatMap { time(of: $0) }
  }

  /// Returns the key of the occurrence that a time identifies.
  func occurrenceKey(at time: CanonicalTime) -> OccurrenceKey {
    let found = time.onClock(of: mainStart)
    if let instant = found.instant { return .instant(instant) }
    switch found {
    case .date(let date): return .date(date)
    case .floating, .utc, .zoned: return .local(found.wallTime, clock: found.clockName)
    }
  }

  /// Returns the first time of a property, if it is valid.
  mutating func time(of property: Property) -> CanonicalTime? {
    property.typedValues.first.flatMap { CanonicalTime($0, tzID: property.tzID, &zones) }
  }

  private mutating func write(_ component: Component, isOnce: Bool = false) {
    form = CanonicalForm()
    entries = []
    seen = 0
    repetitions = [:]
    start = startTime(of: component)
    seriesStart = component.isOverride ? mainStart : start
    isSeries = !isOnce && component.isSeries
    let set = ComponentSet(component.name)
    var ends: [Int] = []
    for (place, property) in component.properties.enumerated() {
      if let index = property.nameIndex {
        let traits = PropertyTraits.all[index]
        if traits.isIgnored { continue }
        if traits.isEnd, component.name != .alarm {
          ends.append(place)
        } else {
          append(property, at: place, traits, PropertyTable.rows[index], in: set)
        }
      } else if !PropertyTraits.isLeftBehind(property.name.canonicalName, in: set) {
        append(property, at: place, PropertyTraits(), nil, in: set)
      }
    }
    appendEnd(of: component, at: ends)
  }

  /// Appends a property.
  mutating func append(
    _ property: Property, at place: Int, _ traits: PropertyTraits, _ row: PropertyTable.Row?,
    in set: ComponentSet
  ) {
    var repetition: Int?
    if let row { repetition = self.repetition(of: property, row, in: set) }
    if traits.isPlain, !property.hasParameters {
      return appendPlain(property, repetition: repetition, at: place)
    }
    let value = canonicalValue(of: property, traits, row)
    let name = property.name
    for parts in value.values {
      if let standard = traits.standard, parts == [standard] { continue }
      append(
        name, parameters: value.parameters, repetition: repetition, parts: parts, at: place)
    }
  }

  /// Appends a property with a single text, the most common kind, without allocating a list.
  private mutating func appendPlain(_ property: Property, repetition: Int?, at place: Int) {
    let (name, start) = (property.name, form.bytes.count)
    form.append(name.canonicalName)
    form.append(count: 0)
    form.append(count: 1)
    property.withValue { bytes in
      let isEscaped = bytes.indices.contains { bytes[$0] == UInt8(ascii: "\\") }
      if isEscaped { form.append(TextEscaping.unescape(bytes)) } else { form.append(bytes) }
    }
    if let repetition { form.append(count: repetition) }
    entries.append(Entry(name: name, range: start..<form.bytes.count, place: place))
  }

  /// Appends a canonical property.
  mutating func append(
    _ name: PropertyName, parameters: [[UInt8]], repetition: Int? = nil, parts: [[UInt8]],
    at place: Int
  ) {
    let start = form.bytes.count
    form.append(name.canonicalName)
    form.append(list: parameters)
    form.append(list: parts)
    if let repetition { form.append(count: repetition) }
    entries.append(Entry(name: name, range: start..<form.bytes.count, place: place))
  }

  /// Returns the number of earlier occurrences of a property that may occur only once.
  ///
  /// Readers use the first one, so that the order of such properties is significant.
  ///
  /// - Returns: The number, or nil for the first occurrence and for repeatable properties.
  private mutating func repetition(
    of property: Property, _ row: PropertyTable.Row, in set: ComponentSet
  ) -> Int? {
    guard let index = property.nameIndex else { return nil }
    let bit: UInt128 = 1 << UInt128(index)
    if seen & bit == 0 {
      seen |= bit
      return nil
    }
    switch row.occurrence(in: set) {
    case .one, .upToOne:
      repetitions[index, default: 0] += 1
      return repetitions[index]
    case .any, nil: return nil
    }
  }
}
