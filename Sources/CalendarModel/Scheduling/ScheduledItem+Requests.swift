// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// PUBLISH and REQUEST (RFC 5546 §3.2.1, §3.2.2).
extension ScheduledItem {
  /// The message whose components are taken, and the series before it.
  private struct Taking {
    let method: SchedulingMethod
    /// Whether the message has a main component that is not outdated.
    var isWhole: Bool
    /// The main component before the message; nil if there was none.
    let series: Component?
    private let seriesRevision: SchedulingRevision?
    private let isSeriesCancelled: Bool

    init(_ method: SchedulingMethod, isWhole: Bool, beside series: ScheduledComponent?) {
      self.method = method
      self.isWhole = isWhole
      self.series = series?.component
      seriesRevision = series?.revision
      isSeriesCancelled = series?.isCancelled ?? false
    }

    /// The revision to compare with; a cancellation of the series applies to the occurrence, too.
    func current(of stored: SchedulingRevision) -> SchedulingRevision {
      guard !isWhole, isSeriesCancelled, let seriesRevision, stored.isEarlier(than: seriesRevision)
      else { return stored }
      return seriesRevision
    }

    /// Whether the new series supersedes an override, whatever its SEQUENCE: the revision of the override
    /// is that of an earlier message about the series as a whole, such as a withdrawal.
    ///
    /// A withdrawal may also come before the series.
    func supersedes(
      _ stored: SchedulingRevision, by incoming: SchedulingRevision, for key: OccurrenceKey
    ) -> Bool {
      guard isWhole, key != .series, stored.isStamped(before: incoming) else { return false }
      return seriesRevision.map { $0 == stored } ?? true
    }

    /// The revision of the series, if it is later than that of an individually sent occurrence.
    func obsoleting(_ incoming: SchedulingRevision) -> SchedulingRevision? {
      guard !isWhole, let main = seriesRevision else { return nil }
      return main.sequence > incoming.sequence && main.stamp > incoming.stamp ? main : nil
    }
  }

  /// Takes the components of a message, each for its occurrence.
  mutating func take(
    _ components: [Component], _ keys: [OccurrenceKey], isNew: Bool, of message: SchedulingMessage
  ) -> [SchedulingOutcome] {
    // The main component first: by it the others are overrides of occurrences that exist.
    let order = components.indices.sorted { left, right in
      (keys[left] == .series ? 0 : 1, left) < (keys[right] == .series ? 0 : 1, right)
    }
    let before = main
    var context = Taking(
      message.method, isWhole: keys.contains(.series), beside: before)
    var outcomes = components.map { _ in SchedulingOutcome.unchanged }
    var hasTakenMain = false
    for place in order {
      let key = keys[place]
      let outcome = take(components[place], key, context)
      outcomes[place] = isNew && outcome == .updated(.revised) ? .added : outcome
      if key == .series {
        hasTakenMain = !outcome.isStale
        // The occurrences of an outdated series are compared with the stored one, too.
        context.isWhole = hasTakenMain
      }
      // The times of the new version are those of its own definitions.
      if key == .series, outcome == .updated(.revised) { replaceTimeZones(by: message.item) }
    }
    if hasTakenMain {
      if message.method == .request { followSeries(since: before?.component, except: Set(keys)) }
      let isReduced = removeObsolete(except: Set(keys), since: before, message.method)
      if isReduced, let first = order.first, outcomes[first] == .unchanged {
        outcomes[first] = .updated(.revised)
      }
    }
    return outcomes
  }

  /// Gives the occurrences that the user changed the new values of the series, where they had the
  /// earlier ones.
  private mutating func followSeries(since before: Component?, except kept: Set<OccurrenceKey>) {
    guard let before, let main = main?.component, before != main else { return }
    let values = SeriesValues(from: before, to: main)
    for (key, place) in places where key != .series && !kept.contains(key) {
      guard let part = parts[place], !part.isCancelled else { continue }
      var component = part.component
      _ = values.apply(to: &component)
      if component != part.component { store(component, for: key) }
    }
  }

  /// The revision of a later series that does not have the occurrence, which was sent by itself.
  private mutating func obsoleting(
    _ incoming: SchedulingRevision, _ key: OccurrenceKey, _ context: Taking
  ) -> SchedulingRevision? {
    guard key != .series, !context.isWhole, let main = main?.revision,
      incoming.isStamped(before: main),
      withOccurrences({ source in source.hasOccurrence(key) }) == false
    else { return nil }
    return main
  }

  /// Takes a component for its occurrence.
  private mutating func take(
    _ component: Component, _ key: OccurrenceKey, _ context: Taking
  ) -> SchedulingOutcome {
    let incoming = SchedulingRevision(of: component)
    guard let stored = places[key].flatMap({ parts[$0] }) else {
      if let main = context.obsoleting(incoming) ?? obsoleting(incoming, key, context) {
        return .stale(stored: main, incoming: incoming)
      }
      let isOwn = context.method == .request && key != .series
      store(component.keepingOwn(of: isOwn ? context.series : nil), for: key)
      return .updated(.revised)
    }
    let current = context.current(of: stored.revision)
    guard
      !incoming.isEarlier(than: current)
        || context.supersedes(stored.revision, by: incoming, for: key)
    else {
      return .stale(stored: current, incoming: incoming)
    }
    let before = stored.component
    let isRequest = context.method == .request
    let isMinor = incoming.sequence == current.sequence
    var component = component.keepingOwn(of: before)
    if isRequest { component.keepPersonal(of: before, withAnswers: isMinor) }
    // A REQUEST of the stored revision was taken before; answers and edits have changed it since.
    if isRequest, incoming.isSame(as: current) { return .unchanged }
    // Feeds are published with another DTSTAMP each time.
    if isRequest ? incoming == current : incoming.sequence == current.sequence,
      isSame(component, before)
    {
      return .unchanged
    }
    guard component != before else { return .unchanged }
    store(component, for: key)
    return .updated(.revised)
  }

  /// Removes overrides that the organizer's new version of the whole series leaves out.
  ///
  /// - A published series is complete: every override that it leaves out goes, unless its revision
  ///   is later than that of the series.
  /// - A REQUEST may leave out overrides that were sent by themselves. One goes only if it is
  ///   earlier, and the series no longer has its occurrence or was cancelled together with it.
  ///
  /// - Parameters:
  ///   - kept: The occurrences of the new version.
  ///   - before: The series before it; nil if there was none.
  ///   - method: The method of the message.
  /// - Returns: Whether any was removed.
  private mutating func removeObsolete(
    except kept: Set<OccurrenceKey>, since before: ScheduledComponent?, _ method: SchedulingMethod
  ) -> Bool {
    guard let series = self.main else { return false }
    let (main, earlier) = (series.revision, before?.revision)
    // A withdrawal may have raised the SEQUENCE since new times that did not come.
    guard
      method == .publish || main.sequence > earlier?.sequence ?? -1
        || series.component[.dtStart] != before?.component[.dtStart]
    else { return false }
    var obsolete: [OccurrenceKey] = []
    for (key, place) in places where !kept.contains(key) {
      guard let part = parts[place] else { continue }
      let revision = part.revision
      if method == .publish {
        if !main.isEarlier(than: revision) { obsolete.append(key) }
      } else if revision.sequence < main.sequence || revision.isStamped(before: main),
        part.isCancelled && revision == earlier
          || withOccurrences({ source in source.hasOccurrence(key) }) == false
      {
        obsolete.append(key)
      }
    }
    for key in obsolete { remove(key) }
    return !obsolete.isEmpty
  }
}

extension SchedulingRevision {
  /// Whether both revisions have a DTSTAMP, and this one is earlier.
  fileprivate func isStamped(before other: SchedulingRevision) -> Bool {
    !stamp.isEmpty && !other.stamp.isEmpty && stamp < other.stamp
  }
}

extension Component {
  /// The component with the properties of the calendar's owner (RFC 6638 §3.2.2.1).
  ///
  /// These are alarms, TRANSP and private properties, each if the organizer's version has none, and
  /// SCHEDULE-AGENT of the organizer.
  fileprivate func keepingOwn(of stored: Component?) -> Component {
    guard let stored else { return self }
    var component = self
    // The decision who sends the answers is that of the attendee (RFC 6638 §7.1).
    if let organizer = component[.organizer], organizer[.scheduleAgent] == nil,
      let own = stored[.organizer], own.address == organizer.address,
      let agent = own[.scheduleAgent]
    {
      component[.organizer] = organizer.setting(.scheduleAgent, to: agent)
    }
    if component.components(named: .alarm).isEmpty {
      for alarm in stored.components(named: .alarm) { component.components.append(alarm) }
    }
    let names = Set(properties.map(\.name))
    let own = stored.properties.filter { property in
      guard !names.contains(property.name) else { return false }
      return property.isNamed(.transparency) || property.name.canonicalName.hasPrefix("X-")
    }
    if !own.isEmpty { component.properties.append(contentsOf: own) }
    return component
  }

  /// Takes over what an attendee added to a meeting: the alarms, which replace those of the
  /// organizer, and categories, which are added to them.
  ///
  /// - Parameters:
  ///   - stored: The stored component.
  ///   - isMinor: Whether the answers stay, because the revision asks for no other (RFC 5546
  ///     §2.1.4).
  fileprivate mutating func keepPersonal(of stored: Component, withAnswers isMinor: Bool) {
    let alarms = stored.components(named: .alarm)
    if !alarms.isEmpty {
      components.removeAll { $0.name == .alarm }
      for alarm in alarms { components.append(alarm) }
    }
    keepCategories(of: stored)
    if isMinor { keepAnswers(of: stored) }
  }

  /// Adds the categories of another component that this one lacks.
  private mutating func keepCategories(of stored: Component) {
    func categories(_ component: Component) -> [String] {
      var ignored: [Diagnostic] = []
      var found: [String] = []
      for property in component.properties(named: .categories) {
        ListCodec.texts.read(property, &ignored) { text in text.map { found.append($0) } }
      }
      return found
    }
    let known = Set(categories(self))
    let own = categories(stored).filter { !known.contains($0) }
    guard !own.isEmpty else { return }
    properties.append(contentsOf: ListCodec.texts.properties(.categories, own))
  }

  /// Takes over the answers of attendees who have none here, and those that were given here.
  ///
  /// An attendee's calendar has the replies of that attendee, of which the organizer may not have
  /// received the last one. Who delegated is asked again if the delegate declined (RFC 5546 §4.2.7).
  private mutating func keepAnswers(of stored: Component) {
    var answers: [CalendarAddress: Property] = [:]
    for attendee in stored.properties(named: .attendee) where attendee.isAnswer {
      let status = attendee[.participationStatus] ?? ""
      if status.isEqualIgnoringASCIICase(to: "DELEGATED") { continue }
      answers[attendee.address] = attendee
    }
    guard !answers.isEmpty else { return }
    properties = PropertyList(
      properties.map { property in
        guard property.isNamed(.attendee), let answer = answers[property.address],
          !property.isAnswer || answer[ScheduledComponent.replyParameter] != nil
        else { return property }
        var property = property
        property[.participationStatus] = answer[.participationStatus]
        if let reply = answer[ScheduledComponent.replyParameter] {
          property[ScheduledComponent.replyParameter] = reply
        }
        return property
      })
  }
}
