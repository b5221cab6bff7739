// SPDX-License-Identifier: Apache-2.0

public import Foundation
import ICalSyntax

/// An alarm of an event or a reminder: at a time, or on arrival at or departure from a location.
///
/// Changes of an alarm that belongs to an item are changes of the item.
open class EKAlarm: EKObject, NSCopying, @unchecked Sendable {
  /// When an alarm fires.
  package enum Trigger: Hashable, Sendable {
    /// A number of seconds after the start, or before it if it is negative.
    case relative(TimeInterval)
    case absolute(Date)
  }

  /// The action of an alarm.
  package enum Action: Hashable, Sendable {
    case display
    case sound(String)
    case open(URL)
    case email(String)

    var type: EKAlarmType {
      switch self {
      case .display: .display
      case .sound: .audio
      case .open: .procedure
      case .email: .email
      }
    }
  }

  /// The values for comparing and writing.
  package struct Value: Hashable, Sendable {
    package var trigger: Trigger
    package var action = Action.display
    package var proximity = EKAlarmProximity.none
    package var location: EKStructuredLocation.Value?
  }

  /// The alarm of the file from which an object was created.
  struct Source: Sendable {
    let component: Component
    let value: Value
    /// The seconds from the start of the item to its end.
    let length: TimeInterval
  }

  private var fields: Value
  /// The object of the location, whose values can change.
  private var location: EKStructuredLocation?
  /// The alarm in the file; nil for an alarm that a program created.
  private(set) var source: Source?

  // The public initializers are the designated ones, so that subclasses inherit them.
  convenience init(_ value: Value, source: Source? = nil) {
    self.init(relativeOffset: 0)
    fields = value
    location = value.location.map { EKStructuredLocation($0) }
    self.source = source
  }

  /// Creates an alarm that fires at the start of the item, until it gets a time or a location.
  public convenience init() {
    self.init(relativeOffset: 0)
  }

  /// Creates an alarm that fires at a date.
  ///
  /// - Parameter date: The date.
  public init(absoluteDate date: Date) {
    fields = Value(trigger: .absolute(date))
    super.init()
  }

  /// Creates an alarm that fires at a time relative to the start of the item.
  ///
  /// - Parameter offset: The number of seconds after the start, or before it if it is negative.
  public init(relativeOffset offset: TimeInterval) {
    fields = Value(trigger: .relative(offset))
    super.init()
  }

  /// The number of seconds after the start, or before it if it is negative; 0 for a fixed date.
  ///
  /// Setting it removes the date.
  open var relativeOffset: TimeInterval {
    get {
      if case .relative(let offset) = value.trigger { offset } else { 0 }
    }
    set { lock.withLock { fields.trigger = .relative(newValue) } }
  }

  /// The date at which the alarm fires; nil if it is relative to the start.
  ///
  /// Setting it sets ``relativeOffset`` to 0.
  open var absoluteDate: Date? {
    get {
      if case .absolute(let date) = value.trigger { date } else { nil }
    }
    set {
      lock.withLock { fields.trigger = newValue.map { .absolute($0) } ?? .relative(0) }
    }
  }

  /// The location of an alarm on arrival or departure; nil for none.
  ///
  /// The alarm keeps a copy of the location that is set. Changes of the returned object are changes
  /// of the alarm.
  open var structuredLocation: EKStructuredLocation? {
    get { lock.withLock { location } }
    set {
      let copy = newValue.map { EKStructuredLocation($0) }
      lock.withLock { location = copy }
    }
  }

  /// Whether the alarm fires on arrival at or departure from its location.
  open var proximity: EKAlarmProximity {
    get { value.proximity }
    set { lock.withLock { fields.proximity = newValue } }
  }

  /// The action, which follows from ``emailAddress``, ``soundName`` and ``url``.
  open var type: EKAlarmType { value.action.type }

  /// The address to which the alarm sends an e-mail; nil for none.
  ///
  /// Setting an address removes the sound and the URL.
  open var emailAddress: String? {
    get { if case .email(let address) = value.action { address } else { nil } }
    set { setAction(newValue.map { .email($0) }, as: .email) }
  }

  /// The name of the sound that the alarm plays; nil for none.
  ///
  /// Setting a sound removes the address and the URL.
  open var soundName: String? {
    get { if case .sound(let name) = value.action { name } else { nil } }
    set { setAction(newValue.map { .sound($0) }, as: .audio) }
  }

  /// The document that the alarm opens; nil for none.
  ///
  /// An item with a changed URL cannot be saved.
  @available(*, deprecated, message: "alarms that open a document cannot be saved")
  open var url: URL? {
    get { if case .open(let url) = value.action { url } else { nil } }
    set { setAction(newValue.map { .open($0) }, as: .procedure) }
  }

  /// Sets what the alarm does, or returns to a message if it did what is removed.
  private func setAction(_ action: Action?, as type: EKAlarmType) {
    lock.withLock {
      if let action {
        fields.action = action
      } else if fields.action.type == type {
        fields.action = .display
      }
    }
  }

  /// A new alarm with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = EKAlarm(value, source: source?.anonymous)
    copy.structuredLocation = structuredLocation
    return copy
  }

  /// Whether an object is an alarm with the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? EKAlarm).map { value == $0.value } ?? false
  }

  /// A hash of the values.
  open override var hash: Int { value.hashValue }

  /// The trigger, for debugging.
  open override var description: String {
    switch value.trigger {
    case .relative(let offset): "EKAlarm \(offset) seconds from the start"
    case .absolute(let date): "EKAlarm at \(date)"
    }
  }

  /// Whether the alarm is not from a file.
  open override var isNew: Bool { source == nil }

  /// Whether the alarm differs from the one in the file.
  open override var hasChanges: Bool { value != source?.value }

  /// Returns to the values in the file; does nothing for a new alarm.
  open override func reset() {
    guard let source else { return }
    lock.withLock {
      fields = source.value
      location = source.value.location.map { EKStructuredLocation($0) }
    }
  }

  /// Returns to the values in the file; does nothing for a new alarm.
  open override func rollback() { reset() }

  /// The values for comparing and writing.
  package var value: Value {
    lock.withLock {
      var value = fields
      value.location = location?.value
      return value
    }
  }
}
