// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// Converts the components of an item to single occurrences and stretches of series.
struct SeriesBuilder {
  let options: OccurrenceOptions
  let range: Range<Instant>
  let source: Int
  var zones: ZoneTable
  private(set) var diagnostics: [Diagnostic] = []
  /// The main component, and the overrides that are not superseded.
  private(set) var parts: [SeriesPart] = []
  /// The main components without a start.
  private(set) var undated: [ComponentTimes] = []
  private(set) var singles: [Occurrence] = []
  private(set) var stretches: [SeriesStream.Stretch] = []

  init(
    options: OccurrenceOptions, range: Range<Instant>, source: Int, definitions: [Component],
    zones: ZoneTable
  ) {
    self.options = options
    self.range = range
    self.source = source
    self.zones = zones
    self.zones.definitions = definitions
  }

  /// Adds components with the same UID and kind.
  ///
  /// They are usually one item; components that an import would separate are separated here, too.
  mutating func add(_ components: [Component]) {
    guard Self.mayHoldRivals(components) else { return addItem(components) }
    let selection = PartSelection(
      of: components.compactMap { component in
        ItemKind(component.name).map { ItemGroup.Part(component: component, kind: $0) }
      })
    diagnostics += selection.diagnostics
    addItem(selection.kept.map(\.component))
    for part in selection.separated { addItem([part.component]) }
  }

  /// Whether two of the components may describe the same occurrence.
  ///
  /// For most items this is decided without parsing values.
  private static func mayHoldRivals(_ components: [Component]) -> Bool {
    guard components.count > 1 else { return false }
    var seen: Set<[UInt8]> = []
    return components.contains { component in
      let id = component[.recurrenceID]?.withValue { Array(copying: $0) }
      return !seen.insert(id ?? []).inserted
    }
  }

  /// Adds the components of an item.
  private mutating func addItem(_ components: [Component]) {
    zones.beginItem(components)
    let parts = components.compactMap { ComponentTimes($0, diagnostics: &diagnostics) }
    guard let place = Series.mainPlace(of: parts) else {
      undated += parts.filter { $0.start == nil && $0.recurrenceID == nil }
      return addOrphans(parts)
    }
    for (index, stray) in parts.enumerated() where index != place { addStray(stray) }
    addSeries(parts[place], parts)
  }

  /// Adds a series, with its main component and the candidates for its overrides.
  private mutating func addSeries(_ main: ComponentTimes, _ parts: [ComponentTimes]) {
    guard let start = main.start else { return }
    let part = part(main, start: start)
    self.parts.append(part)
    var recurrence = main.recurrence(&diagnostics)
    let series = series(of: parts, main, on: part.clock)
    guard recurrence.isRecurring || !series.overrides.isEmpty || !recurrence.excludedDates.isEmpty
    else {
      if !part.isCancelled || options.includesCancelled {
        add(part.occurrence(at: part.start, recurrenceID: nil))
      }
      return
    }
    if part.clock.isDate { addTimes(from: &recurrence, part, series) }
    let instances = instances(of: recurrence, part)
    addOverrides(of: series, part, in: instances)
    if let instances { addStretches(of: series, part, recurrence, instances) }
  }

  private mutating func series(
    of parts: [ComponentTimes], _ main: ComponentTimes?, on clock: SeriesClock?
  ) -> Series {
    let series = Series(parts, main: main, clock: clock, zones: &zones)
    diagnostics += series.diagnostics
    return series
  }

  private mutating func part(
    _ times: ComponentTimes, start: EventTime, inherited: Extent? = nil
  ) -> SeriesPart {
    let part = SeriesPart(
      times, start: start, inherited: inherited, source: source, place: options.reminders,
      zones: &zones)
    let name: PropertyName = times.component[.dtStart] == nil ? .due : .dtStart
    if let objection = zones.objection(to: start, at: times.component[name]) {
      diagnostics.append(objection)
    }
    return part
  }

  private mutating func add(_ occurrence: Occurrence) {
    if occurrence.touches(range) { singles.append(occurrence) }
  }

  /// Adds a component with an unreadable RECURRENCE-ID as a separate occurrence.
  private mutating func addStray(_ times: ComponentTimes) {
    guard times.recurrenceID == nil, let start = times.start,
      !times.isCancelled || options.includesCancelled
    else { return }
    let part = part(times, start: start)
    parts.append(part)
    add(part.occurrence(at: part.start, recurrenceID: nil))
  }

  /// Adds an item that has only overrides.
  ///
  /// Lenient: KDE marks an override as recurring with a rule, and expands it, although an override
  /// is a single occurrence (RFC 5545 §3.8.4.4). The other overrides then belong to that series.
  private mutating func addOrphans(_ parts: [ComponentTimes]) {
    let recurring = parts.filter { $0.start != nil && $0.component[.rRule] != nil }
    guard recurring.isEmpty else {
      let plain = parts.filter { $0.start == nil || $0.component[.rRule] == nil }
      for (index, times) in recurring.enumerated() {
        if let rule = times.component[.rRule] { diagnostics.append(Self.recurringOverride(rule)) }
        addSeries(times, index == 0 ? plain : [])
      }
      return
    }
    let series = series(of: parts, nil, on: nil)
    for override in series.overrides {
      let clock = zones.clock(of: override.id.time)
      add(override, on: clock, instance: nil, inherited: nil)
    }
  }

  /// Adds the overrides of a series as occurrences.
  private mutating func addOverrides(
    of series: Series, _ main: SeriesPart, in instances: RecurrenceInstances?
  ) {
    for override in series.overrides {
      let instance = instances.flatMap { Self.instance(of: override, $0) }
      let count = singles.count
      add(override, on: main.clock, instance: instance, inherited: main.extent)
      if singles.count > count, instance == nil { diagnostics.append(Self.orphan(override)) }
    }
  }

  /// Adds an override as an occurrence; without a start of its own, it keeps that of the instance.
  private mutating func add(
    _ override: Series.Override, on clock: SeriesClock, instance: RecurrenceInstance?,
    inherited: Extent?
  ) {
    guard !override.times.isCancelled || options.includesCancelled else { return }
    let part = part(override, inherited)
    parts.append(part)
    // A date identifies the instance on that day.
    let instant = instance?.instant ?? Instant(secondsSinceEpoch: override.key)
    let id = clock.isDate ? clock.day(override.id.time.date) : clock.time(at: instant)
    if let id { add(part.occurrence(at: part.start, recurrenceID: id)) }
  }

  private mutating func part(_ override: Series.Override, _ inherited: Extent?) -> SeriesPart {
    let times = override.times
    return part(
      times, start: times.start ?? override.id.time,
      inherited: times.start == nil ? inherited : nil)
  }

  /// The instance of an override, or nil if it is not in the series.
  private static func instance(
    of override: Series.Override, _ instances: RecurrenceInstances
  ) -> RecurrenceInstance? {
    let floor = Instant(secondsSinceEpoch: override.key)
    var iterator = instances.starting(at: floor).makeIterator()
    guard let first = iterator.next() else { return nil }
    if case .date(let date) = override.moment { return first.local.date == date ? first : nil }
    return first.instant == floor ? first : nil
  }

  private static func recurringOverride(_ rule: Property) -> Diagnostic {
    rule.diagnostic(
      aboutName: .warning, .recurringOverride,
      "expected no RRULE beside a RECURRENCE-ID whose series is missing, found one, by which it is "
        + "expanded", reference: "RFC 5545 §3.8.4.4")
  }

  private static func orphan(_ override: Series.Override) -> Diagnostic {
    let component = override.times.component
    let message =
      "expected a RECURRENCE-ID that the series gives, found '\(override.id.time.rawValue)', which "
      + "is kept as an occurrence of its own"
    guard let property = component[.recurrenceID] else {
      return component.diagnostic(.note, .orphanOverride, message, reference: "RFC 5545 §3.8.4.4")
    }
    return property.diagnostic(.note, .orphanOverride, message, reference: "RFC 5545 §3.8.4.4")
  }
}

extension SeriesBuilder {
  /// The instances of a series without those that overrides replace.
  ///
  /// If a rule cannot be expanded, the start and the single dates remain.
  private mutating func instances(
    of recurrence: RecurrenceProperties, _ part: SeriesPart
  ) -> RecurrenceInstances? {
    var set = RecurrenceSet(
      start: part.wallStart, clock: part.clock.recurrenceClock, options: options.recurrence)
    set.dates = recurrence.dates.map { moment($0.start, on: part.clock) }
    set.excludedDates = recurrence.excludedDates.map { moment($0, on: part.clock) }
    set.rules = recurrence.rules
    if set.endsBeforeStart, let rule = part.component[.rRule] {
      diagnostics.append(
        rule.diagnostic(
          .note, .endedSeries,
          "expected UNTIL at or after DTSTART, found one before it, so that nothing takes place",
          reference: "RFC 5545 §3.3.10"))
    }
    set.exclusionRules = recurrence.exclusionRules
    do throws(ExpansionError) {
      return try set.instances()
    } catch {
      (set.rules, set.exclusionRules) = ([], [])
      let property = part.component[.rRule] ?? part.component[.exRule]
      if let property {
        diagnostics.append(property.diagnostic(.warning, .unusableRule, error.description))
      }
    }
    return try? set.instances()
  }

  /// Removes the times from the single dates of an all-day series, and adds them as occurrences.
  ///
  /// Lenient: DATE-TIME values are invalid if DTSTART is a DATE (RFC 5545 §3.8.5.2). Each is an
  /// occurrence at that time, with the duration of the others. In the series, a day could have only
  /// one of them.
  private mutating func addTimes(
    from recurrence: inout RecurrenceProperties, _ main: SeriesPart, _ series: Series
  ) {
    let times = recurrence.dates.filter { !$0.start.isAllDay }
    guard !times.isEmpty else { return }
    recurrence.dates.removeAll { !$0.start.isAllDay }
    let excluded = recurrence.excludedDates + series.overrides.map(\.id.time)
    let excludedInstants = Set(excluded.filter { !$0.isAllDay }.map { instant(of: $0) })
    let excludedDays = Set(recurrence.excludedDates.filter(\.isAllDay).map(\.date))
    var seen: Set<Instant> = []
    guard !main.isCancelled || options.includesCancelled else { return }
    for time in times where !excludedDays.contains(time.start.date) {
      let instant = instant(of: time.start)
      guard !excludedInstants.contains(instant), seen.insert(instant).inserted else { continue }
      let part = main.moved(
        to: time, zones: &zones)
      add(part.occurrence(at: part.start, recurrenceID: part.start))
    }
  }

  private mutating func instant(of time: EventTime) -> Instant {
    zones.clock(of: time).rules.instant(of: time.wallTime)
  }

  private mutating func moment(_ time: EventTime, on clock: SeriesClock) -> RecurrenceMoment {
    Series.moment(of: time, on: clock, zones: &zones)
  }

  /// Splits a series at overrides that describe all later occurrences, too.
  private mutating func addStretches(
    of series: Series, _ main: SeriesPart, _ recurrence: RecurrenceProperties,
    _ allInstances: RecurrenceInstances
  ) {
    let instances = allInstances.excluding(series.overrides.map(\.moment))
    var periods: [Int: Extent] = [:]
    for (index, date) in recurrence.dates.enumerated() {
      if case .period(let start, let end) = date {
        periods[index] = period(from: start, to: end, of: main)
      }
    }
    // The times of an all-day series were removed from it.
    let isRecurring =
      recurrence.isRecurring || main.clock.isDate && main.component[.rDate] != nil
    let future = isRecurring ? series.overrides.filter(\.id.includesFuture) : []
    var lower = Int64.min
    for index in 0...future.count {
      let upper = index < future.count ? future[index].key : .max
      defer { lower = upper }
      var part = main
      var shift: Int64?
      if index > 0 {
        part = self.part(future[index - 1], main.extent)
        shift =
          part.wallStart.wallSeconds - wall(of: future[index - 1], on: main.clock, in: allInstances)
      }
      guard lower < upper, !part.isCancelled || options.includesCancelled else { continue }
      stretches.append(
        SeriesStream.Stretch(
          part: part, clock: main.clock, isRecurring: isRecurring, keys: lower..<upper,
          shift: shift, periods: periods, instances: instances))
    }
  }

  /// The original start of an override, in local time.
  private func wall(
    of override: Series.Override, on clock: SeriesClock, in instances: RecurrenceInstances
  ) -> Int64 {
    if clock.isDate { return override.key }
    if case .date = override.moment, let instance = Self.instance(of: override, instances) {
      return instance.local.wallSeconds
    }
    let instant = Instant(secondsSinceEpoch: override.key)
    return clock.rules.civil(at: instant)?.wallSeconds ?? override.key
  }

  private mutating func period(
    from start: EventTime, to end: EventEnd, of part: SeriesPart
  ) -> Extent {
    let clock = zones.clock(of: start)
    let endClock = end.time.map { zones.clock(of: $0) }
    return Extent(
      from: clock.time(of: start.wallTime), on: clock, to: end, endClock: endClock,
      kind: part.kind)
  }
}
