// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// A stored component while scheduling messages are applied to it.
///
/// Attendees are found by an index, and removed properties are only marked, so that many messages
/// about one component take time in proportion to their number.
struct ScheduledComponent: Sendable {
  /// The places of the properties that messages change.
  private struct Index: Sendable {
    var attendees: [CalendarAddress: [Int]] = [:]
    /// The addresses to which attendees delegated.
    var delegates: Set<CalendarAddress> = []
    /// The first property of each name that a component has once.
    var firsts: [PropertyName: Int] = [:]
    /// The properties that are added at most once with one value.
    var remarks: Set<Property> = []
    var removed: Set<Int> = []

    mutating func note(_ property: Property, at place: Int) {
      let name = property.name
      switch name {
      case .attendee:
        attendees[property.address, default: []].append(place)
        delegates.formUnion(property.addresses(of: .delegatedTo))
      case .comment, .requestStatus: remarks.insert(property)
      case .sequence, .dtStamp, .status, .organizer, ScheduledComponent.answeredSequence:
        if firsts[name] == nil { firsts[name] = place }
      default: break
      }
    }
  }

  /// The parameter of ATTENDEE with the revision of the last answer.
  ///
  /// Its value is the SEQUENCE and the DTSTAMP of the REPLY, which the organizer's program has to
  /// store for each attendee (RFC 5546 §2.1.5).
  static let replyParameter: ParameterName = "X-EPACT-REPLY"

  /// The property with the lowest SEQUENCE whose answers count, if it is not that of the component.
  ///
  /// An exclusion increments the SEQUENCE of the series, of which the attendees get only a CANCEL for
  /// the occurrence. They answer the revision that they have.
  static let answeredSequence: PropertyName = "X-EPACT-ANSWERS"

  private let original: Component
  private var properties: [Property] = []
  private var index = Index()
  private var isLoaded = false
  /// Whether the component differs from the one that was stored.
  private(set) var isChanged: Bool

  init(_ component: Component, isChanged: Bool = false) {
    original = component
    self.isChanged = isChanged
  }

  /// The component with all changes.
  var component: Component {
    guard isChanged, isLoaded else { return original }
    var component = original
    component.properties = PropertyList(
      properties.indices.filter { !index.removed.contains($0) }.map { properties[$0] })
    return component
  }

  /// Whether the component describes one occurrence.
  var isOverride: Bool { original.isOverride }

  /// The revision of the component.
  var revision: SchedulingRevision {
    SchedulingRevision(sequence: first(.sequence), stamp: first(.dtStamp))
  }

  /// The first ORGANIZER.
  var organizer: Property? {
    mutating get {
      load()
      return first(.organizer)
    }
  }

  /// Whether the component is cancelled.
  var isCancelled: Bool {
    first(.status)?.text.isEqualIgnoringASCIICase(to: "CANCELLED") ?? false
  }

  /// Whether all attendees are among some addresses, but for the organizer.
  mutating func isEveryGuest(among addresses: Set<CalendarAddress>) -> Bool {
    load()
    let organizer = original[.organizer]?.address
    let isOrganizerInvited = organizer.map { index.attendees[$0] != nil } ?? false
    let named = addresses.filter { $0 != organizer && index.attendees[$0] != nil }
    return named.count == index.attendees.count - (isOrganizerInvited ? 1 : 0)
  }

  private func first(_ name: PropertyName) -> Property? {
    guard isLoaded else { return original[name] }
    return index.firsts[name].map { properties[$0] }
  }

  private mutating func load() {
    guard !isLoaded else { return }
    isLoaded = true
    properties = Array(original.properties)
    for (place, property) in properties.enumerated() { index.note(property, at: place) }
  }

  /// Adds a property at the end.
  mutating func append(_ property: Property) {
    load()
    index.note(property, at: properties.count)
    properties.append(property)
    isChanged = true
  }

  private mutating func replace(_ place: Int, by property: Property) {
    guard properties[place] != property else { return }
    properties[place] = property
    isChanged = true
  }

  private mutating func set(_ name: PropertyName, to rawValue: String) {
    load()
    guard let place = index.firsts[name] else {
      append(Property(name, rawValue: rawValue))
      return
    }
    var property = properties[place]
    guard property.rawValue != rawValue else { return }
    property.rawValue = rawValue
    replace(place, by: property)
  }
}

extension ScheduledComponent {
  /// Adds the remarks of a message that the component does not have yet.
  mutating func addRemarks(of message: Component, named names: [PropertyName]) {
    load()
    for property in message.properties where names.contains(where: property.isNamed) {
      if !index.remarks.contains(property) { append(property) }
    }
  }

  /// Takes the revision of a message over, if it is later.
  mutating func raise(to revision: SchedulingRevision) {
    guard self.revision.isEarlier(than: revision) || self.revision.stamp.isEmpty else { return }
    if revision.sequence > self.revision.sequence {
      set(.sequence, to: String(revision.sequence))
    }
    if !revision.stamp.isEmpty { set(.dtStamp, to: revision.stamp) }
  }

  /// Cancels the component, with the revision and the remarks of the cancellation.
  mutating func cancel(by message: Component) {
    set(.status, to: "CANCELLED")
    raise(to: SchedulingRevision(of: message))
    addRemarks(of: message, named: [.comment])
  }

  /// Removes attendees.
  ///
  /// - Returns: The addresses of those that were attendees.
  mutating func remove(_ addresses: [CalendarAddress]) -> [CalendarAddress] {
    load()
    var removed: [CalendarAddress] = []
    for address in addresses {
      guard let places = index.attendees.removeValue(forKey: address) else { continue }
      index.removed.formUnion(places)
      removed.append(address)
      isChanged = true
    }
    return removed
  }
}

extension ScheduledComponent {
  /// Applies an attendee's answer: only PARTSTAT, the delegation, REQUEST-STATUS and COMMENT.
  ///
  /// - Parameters:
  ///   - attendee: The ATTENDEE of the REPLY.
  ///   - reply: The component of the REPLY.
  /// - Returns: The effect.
  mutating func answer(_ attendee: Property, of reply: Component) -> SchedulingOutcome {
    load()
    let address = attendee.address
    let revision = SchedulingRevision(of: reply)
    let current = self.revision
    let lowest = first(Self.answeredSequence).flatMap { Int($0.rawValue) } ?? current.sequence
    guard revision.sequence >= min(lowest, current.sequence) else {
      return .stale(stored: current, incoming: revision)
    }
    let wasChanged = isChanged
    isChanged = false
    defer { isChanged = isChanged || wasChanged }
    if let places = index.attendees[address] {
      for place in places {
        let last = properties[place][Self.replyParameter].flatMap(SchedulingRevision.init(parsing:))
        if let last, revision.isEarlier(than: last) {
          return .stale(stored: last, incoming: revision)
        }
      }
      for place in places { replace(place, by: answered(properties[place], attendee, revision)) }
      index.delegates.formUnion(attendee.addresses(of: .delegatedTo))
    } else {
      guard isDelegate(attendee) else { return .refused(.unknownAttendee(address)) }
      var added = attendee
      added[Self.replyParameter] = revision.description
      append(added)
    }
    addRemarks(of: reply, named: [.requestStatus, .comment])
    let status = ParticipationStatus(
      rawValue: attendee[.participationStatus] ?? ParticipationStatus.needsAction.rawValue)
    return isChanged ? .updated(.answered(address, status)) : .unchanged
  }

  /// Whether an attendee invited so far delegated to this one, by the word of either.
  private func isDelegate(_ attendee: Property) -> Bool {
    index.delegates.contains(attendee.address)
      || attendee.addresses(of: .delegatedFrom).contains { index.attendees[$0] != nil }
  }

  /// Whether an attendee invited so far names an address as a delegate.
  mutating func hasDelegated(to address: CalendarAddress) -> Bool {
    load()
    return index.delegates.contains(address)
  }

  /// The first ATTENDEE with an address.
  mutating func attendee(_ address: CalendarAddress) -> Property? {
    load()
    return index.attendees[address]?.first.map { properties[$0] }
  }

  /// The addresses of all attendees.
  var addresses: [CalendarAddress] {
    isLoaded
      ? Array(index.attendees.keys) : original.properties(named: .attendee).map(\.address)
  }

  /// Applies an answer to the series to this component.
  ///
  /// The answer applies if the attendee's property equals that of the series and the attendee did
  /// not answer for this occurrence.
  ///
  /// - Parameters:
  ///   - answered: The ATTENDEE of the series with the answer.
  ///   - before: The ATTENDEE of the series before the answer.
  ///   - reply: The component of the REPLY.
  mutating func inherit(_ answered: Property, since before: Property, of reply: Component) {
    load()
    for place in index.attendees[answered.address] ?? [] {
      guard properties[place] == before.setting(Self.replyParameter, to: nil) else { continue }
      replace(place, by: answered.setting(Self.replyParameter, to: nil))
      addRemarks(of: reply, named: [.requestStatus, .comment])
    }
  }

  private func answered(
    _ stored: Property, _ attendee: Property, _ revision: SchedulingRevision
  ) -> Property {
    var property = stored
    let status = attendee[.participationStatus]
    property[.participationStatus] = status
    let isDelegated = status?.isEqualIgnoringASCIICase(to: "DELEGATED") ?? false
    property.take(.delegatedTo, from: attendee, isRemoved: !isDelegated)
    property.take(.delegatedFrom, from: attendee, isRemoved: false)
    property[Self.replyParameter] = revision.description
    return property
  }

  /// Discards the last answers of all attendees.
  ///
  /// Answers to a series do not apply to one occurrence.
  mutating func forgetAnswers() {
    load()
    for place in index.attendees.values.joined() {
      properties[place] = properties[place].setting(Self.replyParameter, to: nil)
    }
    isChanged = true
  }
}

extension Property {
  /// The calendar address that the value is.
  var address: CalendarAddress {
    let text = rawValue
    guard let first = text.first, let last = text.last, first.isWhitespace || last.isWhitespace
    else {
      return CalendarAddress(text)
    }
    let trimmed = text.drop(while: \.isWhitespace)
    return CalendarAddress(
      String(trimmed.reversed().drop(while: \.isWhitespace).reversed()))
  }

  /// Whether an ATTENDEE has an answer: a PARTSTAT other than NEEDS-ACTION (RFC 5545 §3.2.12).
  var isAnswer: Bool {
    self[.participationStatus].map { !$0.isEqualIgnoringASCIICase(to: "NEEDS-ACTION") } ?? false
  }

  /// The calendar addresses in a parameter.
  func addresses(of name: ParameterName) -> [CalendarAddress] {
    guard hasParameters else { return [] }
    return parameters.filter { $0.name == name }.flatMap(\.values).map { CalendarAddress($0) }
  }

  /// The property with another value of a parameter.
  func setting(_ name: ParameterName, to value: String?) -> Property {
    guard self[name] != value else { return self }
    var property = self
    property[name] = value
    return property
  }

  /// Takes a parameter over from another property.
  fileprivate mutating func take(
    _ name: ParameterName, from other: Property, isRemoved: Bool
  ) {
    let values = other.parameters.filter { $0.name == name }
    guard !values.isEmpty || isRemoved else { return }
    var all = parameters
    if all.filter({ $0.name == name }) == values { return }
    all.removeAll { $0.name == name }
    parameters = all + values
  }
}
