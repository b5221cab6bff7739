// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// What goes off before an event or a reminder, or at it (VALARM, RFC 5545 §3.6.6, RFC 9074).
public struct Alarm: ComponentModel {
  /// What it does; nil if nothing is said, which the RFC does not allow.
  public var action: AlarmAction?
  /// When it goes off; nil if nothing readable is said, and then it does not.
  public var trigger: AlarmTrigger?
  /// How long until it goes off again (RFC 5545 §3.8.2.5).
  public var interval: CivilDuration?
  /// How often it goes off again (RFC 5545 §3.8.6.2).
  public var repeatCount = 0
  /// The text that is shown or sent (RFC 5545 §3.8.1.5).
  public var descriptionText: String?
  /// The subject of the e-mail (RFC 5545 §3.8.1.12).
  public var summary: String?
  /// Who receives the e-mail (RFC 5545 §3.8.4.1).
  public var attendees: [Attendee] = []
  /// The sound, or what is attached to the e-mail (RFC 5545 §3.8.1.1).
  public var attachments: [Attachment] = []
  /// The UID of the alarm, which tells it from others of the item (RFC 9074 §4).
  public var uid: UID?
  /// When a person saw it last: it does not go off again for what came before (RFC 9074 §6.1).
  public var acknowledged: Instant?
  /// The alarm that this one repeats, if it was put off (RFC 9074 §5).
  public var relations: [Relation] = []
  /// What movement it goes off at, beside its trigger (RFC 9074 §8.1).
  public var proximity: AlarmProximity?
  /// The places that the movement is about (RFC 9074 §8.2).
  public var structuredLocations: [StructuredLocation] = []

  /// Creates an alarm that says nothing.
  public init() {}
}

extension Alarm {
  /// The name of the component.
  public static let componentName = ComponentName.alarm

  /// How its fields stand in the properties of the component.
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

  /// The UID of the alarm that this one repeats because somebody put that off (RFC 9074 §7).
  public var snoozedAlarm: UID? {
    relations.first { $0.type == .snooze }.map { UID($0.target) }
  }

  /// The alarm that repeats this one later, because somebody put it off (RFC 9074 §7).
  ///
  /// This one is then to be acknowledged; it needs a UID to be repeated.
  ///
  /// - Parameters:
  ///   - instant: When the new alarm goes off.
  ///   - newUID: The UID of the new alarm.
  /// - Returns: The new alarm, or nil if this one has no UID.
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
    // A snooze is put off by another one of the alarm that it repeats.
    let target = snoozedAlarm?.rawValue ?? uid.rawValue
    alarm.relations.append(Relation(to: target, type: .snooze))
    return alarm
  }
}
