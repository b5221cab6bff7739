// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Puts the components of a stream together into items: all that share a UID, with the time zones
/// that they use.
///
/// ```
/// ReaderElement ──► ItemGrouping ──► items, what was rejected, and diagnostics
/// ```
///
/// Components may stand in any order, as the RFC allows; their order never changes what comes out, as
/// long as the components of an item lie within `window` bytes. Memory is bounded by the window and
/// not by the stream: what lies further apart comes out in parts, which `ItemUpdate` puts together.
///
/// Nothing that is readable is lost: a component without a UID gets one that is made of its content,
/// the same one each time; of components that share a UID and are not one item, all but one get
/// another UID. Only what says the same twice, and what a higher SEQUENCE supersedes (RFC 5546
/// §2.1.5), is left out. All of it is reported.
///
/// A calendar with a METHOD is a scheduling message. With `keepsMessages` its components are never put
/// together with those of other calendars, and its items keep the METHOD; see `SchedulingMessage`.
///
/// ```swift
/// var grouping = ItemGrouping()
/// while let element = reader.next() { grouping.take(element) }
/// grouping.finish()
/// while let element = grouping.next() { … }
/// ```
public struct ItemGrouping: Sendable {
  /// What comes out of a grouping.
  public enum Element: Hashable, Sendable {
    /// An item, or a part of one that is scattered over a long stream.
    case item(CalendarItem)
    /// A component that cannot be a part of any item, and why.
    case rejected(Diagnostic)
    /// What was made of something that is not as it should be.
    case diagnostic(Diagnostic)
  }

  /// How many bytes of components are held back, to find the other components of their items.
  private let window: Int
  private let keepsMessages: Bool
  /// The number of the calendar that is being read.
  private var calendarNumber = 0
  private var groups: [UID: ItemGroup] = [:]
  /// The UIDs of groups that have a main component, in the order in which it came.
  private var complete = UIDQueue()
  /// The UIDs of groups whose first component was an override, in the order in which it came.
  private var waiting = UIDQueue()
  /// The bytes in all groups.
  private var size = 0
  /// What was defined in the calendar that is being read.
  private var definitions = CalendarDefinitions()
  /// The UIDs of groups with components of the calendar that is being read.
  private var openGroups: Set<UID> = []
  private var elements: [Element] = []
  private var nextElement = 0

  /// Creates a grouping.
  ///
  /// - Parameters:
  ///   - window: How many bytes of components may lie between those of one item.
  ///   - keepsMessages: Whether items of calendars with a METHOD are kept apart, with the METHOD.
  public init(window: Int = 4 << 20, keepsMessages: Bool = false) {
    self.window = window
    self.keepsMessages = keepsMessages
  }

  /// Takes what a reader found; its diagnostics are left to whoever reads.
  public mutating func take(_ element: ReaderElement) {
    switch element {
    case .calendarBegan:
      endCalendar()
    case .property(let property):
      definitions.add(property)
    case .component(let component):
      take(component)
      while size > window, emitNext(isFinished: false) {}
    case .calendarEnded:
      endCalendar()
    case .diagnostic: break
    }
  }

  /// Tells that the stream is over, so that what was held back comes out.
  public mutating func finish() {
    endCalendar()
    while emitNext(isFinished: true) {}
  }

  /// The next thing that is ready, or nil until more is taken.
  public mutating func next() -> Element? {
    guard nextElement < elements.count else {
      elements.removeAll(keepingCapacity: true)
      nextElement = 0
      return nil
    }
    nextElement += 1
    return elements[nextElement - 1]
  }

  private mutating func take(_ component: Component) {
    let kind = ItemKind(component.name)
    guard kind != nil || component.name == .timeZone else {
      return reject(
        component.diagnostic(
          .warning, .unknownItem,
          "expected an event, a reminder or a journal entry, found \(component.name.rawName), "
            + "which is left out", reference: "RFC 5545 §3.6"))
    }
    guard component.isWhole else {
      return reject(
        component.diagnostic(
          .error, .incompleteItem,
          "expected a \(component.name.rawName) that is whole, found one that is cut off or "
            + "mis-nested, which is left out", reference: "RFC 5545 §3.6"))
    }
    if let kind {
      take(component, kind)
    } else if let conflict = definitions.add(timeZone: component) {
      elements.append(.diagnostic(conflict))
    }
  }

  private mutating func take(_ component: Component, _ kind: ItemKind) {
    let component = withUID(component)
    guard let uid = component.uid else { return }
    let part = ItemGroup.Part(component: component, kind: kind, calendar: calendarNumber)
    size += part.size
    if component.isOverride, groups[uid] == nil {
      if waiting.count > groups.count * 2 + 64 {
        waiting.removeAll { groups[$0]?.hasMain ?? true }
      }
      waiting.append(uid)
    }
    if groups[uid]?.hasMain != true, !component.isOverride { complete.append(uid) }
    groups[uid, default: ItemGroup(uid: uid)].add(part)
    openGroups.insert(uid)
  }

  /// The component, with a UID made of its content if it has none.
  private mutating func withUID(_ component: Component) -> Component {
    guard component.uid == nil else { return component }
    var named = component
    let uid = UID.derived(from: CanonicalForm.digest(of: component))
    named[.uid] = Property(.uid, text: uid.rawValue)
    elements.append(
      .diagnostic(
        component.diagnostic(
          .warning, .derivedUID,
          "expected a UID in the \(component.name.rawName), found none; it becomes '\(uid)'",
          reference: "RFC 5545 §3.8.4.7")))
    return named
  }

  private mutating func reject(_ diagnostic: Diagnostic) {
    elements.append(.rejected(diagnostic))
  }

  /// Gives the components of the calendar that ends what it defines, and forgets the definitions.
  private mutating func endCalendar() {
    for uid in openGroups { groups[uid]?.resolve(definitions, keepingMethod: keepsMessages) }
    openGroups = []
    calendarNumber += 1
    definitions = CalendarDefinitions()
  }

  /// Makes the items of the group that waits longest; false if there is none.
  private mutating func emitNext(isFinished: Bool) -> Bool {
    guard
      let uid = complete.popFirst(where: { groups[$0]?.hasMain == true })
        ?? waiting.popFirst(where: { groups[$0] != nil }),
      var group = groups.removeValue(forKey: uid)
    else { return false }
    if openGroups.remove(uid) != nil {
      group.resolve(definitions, keepingMethod: keepsMessages)
    }
    size -= group.size
    if !isFinished, !group.hasMain, let first = group.parts.first {
      elements.append(
        .diagnostic(
          first.component.diagnostic(
            .warning, .scatteredItem,
            "expected the main component of '\(uid)' within \(window) bytes, found only overrides",
            reference: "RFC 5545 §3.8.4.4")))
    }
    elements += group.items()
    return true
  }
}

/// UIDs in the order in which they came, some of them no longer wanted.
private struct UIDQueue: Sendable {
  private var uids: [UID] = []
  private var first = 0

  var count: Int { uids.count - first }

  mutating func append(_ uid: UID) {
    uids.append(uid)
  }

  mutating func removeAll(where isUnwanted: (UID) -> Bool) {
    uids = uids[first...].filter { !isUnwanted($0) }
    first = 0
  }

  /// Takes out the first UID that is wanted, and forgets those before it.
  mutating func popFirst(where isWanted: (UID) -> Bool) -> UID? {
    defer {
      if first > uids.count / 2 {
        uids.removeFirst(first)
        first = 0
      }
    }
    while first < uids.count {
      first += 1
      if isWanted(uids[first - 1]) { return uids[first - 1] }
    }
    return nil
  }
}
