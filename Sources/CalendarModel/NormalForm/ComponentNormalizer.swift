// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Brings the components of one item into the normal form.
struct ComponentNormalizer {
  /// What one property, or one value of a list, became.
  struct Entry {
    let name: PropertyName
    /// Where it lies in the form.
    let range: Range<Int>
    /// The place of the property in its component.
    let place: Int
  }

  var zones: CanonicalZones
  /// When the main component starts, or nil if there is none.
  private(set) var mainStart: CanonicalTime?

  // Of the component that is being written:
  var form = CanonicalForm()
  private(set) var entries: [Entry] = []
  /// When it starts.
  var start: CanonicalTime?
  /// What its times that name occurrences are compared with.
  var seriesStart: CanonicalTime?
  /// Whether its end is that of all occurrences of a series.
  private(set) var isSeries = false
  /// Properties that may stand once and did, by their numbers.
  private var seen: UInt128 = 0
  /// How often those stand that stand more than once all the same.
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

  /// The digest of a component with all that is nested in it.
  mutating func digest(of component: Component) -> SHA256.Digest {
    write(component)
    var whole = CanonicalForm()
    whole.append(component.name.canonicalName)
    whole.append(entries.map(\.range), of: form)
    let nested = component.components.map { digest(of: $0).bytes }
    whole.append(list: nested.sorted(by: CanonicalForm.precedes))
    return SHA256.digest(of: whole.bytes)
  }

  /// What the properties of a component say, in their order.
  ///
  /// `isOnce` tells to read a series as if it took place once.
  mutating func properties(
    of component: Component, isOnce: Bool = false
  ) -> [CanonicalProperty] {
    write(component, isOnce: isOnce)
    return entries.map {
      CanonicalProperty(name: $0.name, bytes: Array(form.bytes[$0.range]), place: $0.place)
    }
  }

  /// When a component starts, if that can be read (RFC 5545 §3.8.2.4).
  mutating func startTime(of component: Component) -> CanonicalTime? {
    component[.dtStart].flatMap { time(of: $0) }
  }

  /// Which occurrence of the item a time names.
  func occurrenceKey(at time: CanonicalTime) -> OccurrenceKey {
    let found = time.onClock(of: mainStart)
    if let instant = found.instant { return .instant(instant) }
    switch found {
    case .date(let date): return .date(date)
    case .floating, .utc, .zoned: return .local(found.wallTime, clock: found.clockName)
    }
  }

  /// The first time of a property, if it can be read.
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

  /// Appends a property by itself.
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

  /// Appends a property that is one text and no more, as most are, without a list of one value.
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

  /// Appends what a property says.
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

  /// How often a property stood before that may stand once; nil the first time.
  ///
  /// Whoever reads takes the first, so that the order of these does count.
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
