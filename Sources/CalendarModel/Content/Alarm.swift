// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// An alarm of an event or reminder (VALARM, RFC 5545 §3.6.6, RFC 9074).
public struct Alarm: ComponentModel {
  /// The action; nil if it is missing, which the RFC does not allow.
  public var action: AlarmAction?
  /// The trigger; nil if it is missing or invalid, and then the alarm never fires.
  public var trigger: AlarmTrigger?
  /// The time between repetitions (RFC 5545 §3.8.2.5).
  public var interval: CivilDuration?
  /// The number of repetitions (RFC 5545 §3.8.6.2).
  public var repeatCount = 0
  /// The text to display or send (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// The subject of the e-mail (RFC 5545 §3.8.1.12).
  public var summary: String?
  /// The recipients of the e-mail (RFC 5545 §3.8.4.1).
  public var attendees: [Attendee] = []
  /// The sound, or the attachments of the e-mail (RFC 5545 §3.8.1.1).
  public var attachments: [Attachment] = []
  /// The UID, which identifies the alarm within the item (RFC 9074 §4).
  public var uid: UID?
  /// The time of the last acknowledgement; earlier triggers do not fire again (RFC 9074 §6.1).
  public var acknowledged: Instant?
  /// The relations; a snooze alarm refers to the original alarm (RFC 9074 §5).
  public var relations: [Relation] = []
  /// The movement that fires the alarm, in addition to its trigger (RFC 9074 §8.1).
  public var proximity: AlarmProximity?
  /// The locations for the proximity trigger (RFC 9074 §8.2).
  public var structuredLocations: [StructuredLocation] = []

  /// Creates an empty alarm.
  public init() {}
}

extension Alarm {
  /// The name of the component.
  public static let componentName = ComponentName.alarm

  /// The mapping of the fields to the component's properties.
  public static let mapping = ComponentMapping<Alarm>([
    .one(.action, .word) { swap(&$0.action, &$1) },
    .one(.trigger, .trigger) { swap(&$0.trigger, &$1) },
    .one(.duration, .duration) { swap(&$0.interval, &$1) },
    .one(.repeatCount, .integer(0...Int(Int32.max)), otherwise: 0) { swap(&$0.repeatCount, &$1) },
    .one(.descriptionText, .text) { swap(&$0.descriptionText, &$1) },
    .one(.summary, .text) { swap(&$0.summary, &$1) },
    .many(.attendee, .attendee, by: { $0.address }) { swap(&$0.attendees, &$1) },
    .many(.attach, .attachment, by: { $0.content }) { swap(&$0.attachments, &$1) },
    .one(.uid, .uid) { swap(&$0.uid, &$1) },
    .one(.acknowledged, .instant) { swap(&$0.acknowledged, &$1) },
    .many(.relatedTo, .relation, by: { $0.target }) { swap(&$0.relations, &$1) },
    .one(.proximity, .word) { swap(&$0.proximity, &$1) },
    .nested(.location, by: \.uid) { swap(&$0.structuredLocations, &$1) },
  ])

  /// The UID of the original alarm if this is a snooze alarm (RFC 9074 §7).
  public var snoozedAlarm: UID? {
    relations.first { $0.type == .snooze }.map { UID($0.target) }
  }

  /// Returns a snooze alarm for this alarm (RFC 9074 §7).
  ///
  /// The caller must then acknowledge this alarm. It needs a UID, to which the snooze alarm refers.
  ///
  /// - Parameters:
  ///   - instant: The time at which the new alarm fires.
  ///   - newUID: The UID of the new alarm.
  /// - Returns: The new alarm, or nil if this alarm has no UID.
  public func snoozed(until instant: Instant, as newUID: UID) -> Alarm? {
    guard let uid else { return nil }
    var alarm = self
    alarm.uid = newUID
    alarm.trigger = .absolute(instant)
    alarm.interval = nil
    alarm.repeatCount = 0
    alarm.acknowledged = nil
    alarm.proximity = nil
    alarm.structuredLocations = []
    alarm.relations.removeAll { $0.type == .snooze }
    // If this alarm is a snooze alarm itself, the new one refers to the original alarm.
    let target = snoozedAlarm?.rawValue ?? uid.rawValue
    alarm.relations.append(Relation(to: target, type: .snooze))
    return alarm
  }
}

/// The trigger of an alarm (RFC 5545 §3.8.6.3).
public enum AlarmTrigger: Hashable, Sendable {
  /// The time from which a duration is counted (RFC 5545 §3.2.14).
  public enum Anchor: String, Hashable, Sendable, CaseIterable {
    /// The start; the default.
    case start = "START"
    /// The end of an event, or the due time of a reminder.
    case end = "END"
  }

  /// A duration after the anchor, or before it if the duration is negative.
  case relative(CivilDuration, to: Anchor)
  /// A fixed instant.
  case absolute(Instant)
}

/// The action of an alarm (RFC 5545 §3.8.6.1).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct AlarmAction: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Plays a sound.
  public static let audio = AlarmAction(rawValue: "AUDIO")
  /// Displays a text.
  public static let display = AlarmAction(rawValue: "DISPLAY")
  /// Sends an e-mail.
  public static let email = AlarmAction(rawValue: "EMAIL")
  /// Does nothing; Apple's programs write it for an item whose default alarm the user removed.
  public static let none = AlarmAction(rawValue: "NONE")
}

extension Component {
  /// Whether the component has an alarm, apart from those whose action is ``AlarmAction/none``.
  package var hasAlarm: Bool {
    components.contains { $0.name == .alarm && Alarm($0).action != AlarmAction.none }
  }
}

/// The movement that fires an alarm, in addition to its trigger (RFC 9074 §8.1).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct AlarmProximity: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Arrival at the location.
  public static let arrive = AlarmProximity(rawValue: "ARRIVE")
  /// Departure from the location.
  public static let depart = AlarmProximity(rawValue: "DEPART")
  /// Connection to a car's Bluetooth.
  public static let connect = AlarmProximity(rawValue: "CONNECT")
  /// Disconnection from a car's Bluetooth.
  public static let disconnect = AlarmProximity(rawValue: "DISCONNECT")
}
