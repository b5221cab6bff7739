// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
package import Foundation
package import ICalSyntax

extension EKAlarm {
  /// Creates the object for a VALARM of a file.
  ///
  /// It is nil for the action `NONE`, with which Apple's programs mark an item without alarms.
  ///
  /// - Parameters:
  ///   - component: The VALARM.
  ///   - length: The seconds from the start of the item to its end, for alarms that are relative to
  ///     the end.
  package convenience init?(_ component: Component, length: TimeInterval) {
    let alarm = Alarm(component)
    guard alarm.action?.rawValue != "NONE" else { return nil }
    let value = Value(alarm, of: component, length: length)
    self.init(value, source: Source(component: component, value: value, length: length))
  }

  /// The VALARM for a file.
  ///
  /// An alarm of a file without changes is returned as it was. A changed alarm keeps all properties
  /// that the object does not show.
  package var component: Component {
    let value = value
    guard let source else {
      var component = Component(.alarm)
      value.write(to: &component, instead: nil)
      return component
    }
    guard source.value != value else { return source.component }
    var component = source.component
    value.write(to: &component, instead: source.value)
    return component
  }

  /// The reason why an item with the alarm cannot be saved; nil if it can.
  ///
  /// - Parameter type: The kind of the item.
  /// - Returns: The kind of the error.
  package func problem(in type: EKEntityType) -> EKError.Code? {
    let action = value.action
    if case .open = action, action != source?.value.action { return .procedureAlarmsNotMutable }
    guard type == .reminder, action != source?.value.action else { return nil }
    switch action {
    case .email, .open: return .reminderAlarmContainsEmailOrUrl
    case .display, .sound: return nil
    }
  }
}

extension EKAlarm.Source {
  /// The alarm without its identity, for a copy.
  var anonymous: EKAlarm.Source {
    var component = component
    for name in [PropertyName.uid, "X-WR-ALARMUID", .acknowledged, .relatedTo]
    where component[name] != nil {
      component[name] = nil
    }
    return EKAlarm.Source(component: component, value: value, length: length)
  }
}

// MARK: - Reading

extension EKAlarm.Value {
  fileprivate init(_ alarm: Alarm, of component: Component, length: TimeInterval) {
    switch alarm.trigger {
    case .absolute(let instant): trigger = .absolute(Date(instant))
    case .relative(let duration, let anchor):
      trigger = .relative(duration.interval + (anchor == .end ? length : 0))
    case nil: trigger = .relative(0)
    }
    action = EKAlarm.Action(alarm)
    let word =
      alarm.proximity
      ?? component[.appleProximity].map {
        AlarmProximity(rawValue: $0.text)
      }
    switch word {
    case .arrive?: proximity = .enter
    case .depart?: proximity = .leave
    default: proximity = .none
    }
    location =
      component[.appleLocation].map { EKStructuredLocation.Value(apple: $0) }
      ?? alarm.structuredLocations.first.map { EKStructuredLocation.Value($0) }
  }
}

extension EKAlarm.Action {
  fileprivate init(_ alarm: Alarm) {
    let reference = alarm.attachments.lazy.compactMap { attachment in
      if case .uri(let uri) = attachment.content { uri } else { nil }
    }.first
    switch alarm.action?.rawValue {
    case "AUDIO": self = .sound(reference ?? Self.defaultSound)
    case "EMAIL": self = .email(alarm.attendees.first?.address.email ?? "")
    case "PROCEDURE": self = reference.flatMap { URL(uri: $0) }.map { .open($0) } ?? .display
    default: self = .display
    }
  }

  /// The name of the sound of an alarm that names none.
  private static let defaultSound = "Default"
}

extension CivilDuration {
  /// The seconds; a day counts as 24 hours.
  fileprivate var interval: TimeInterval {
    TimeInterval(nominalDays) * 86_400 + TimeInterval(exactSeconds)
  }

  /// Creates a duration from seconds; whole days are days, which end at the same time of the day.
  ///
  /// A fraction of a second is rounded, and a duration that is too long is cut.
  fileprivate init(interval: TimeInterval) {
    let seconds = interval.isFinite ? interval.rounded() : 0
    let greatest = TimeInterval(CivilDuration.greatestPart) * 86_400
    let magnitude = Int(min(abs(seconds), greatest))
    let rest = magnitude % 86_400
    self =
      CivilDuration(
        isNegative: seconds < 0, days: magnitude / 86_400, hours: rest / 3_600,
        minutes: rest % 3_600 / 60, seconds: rest % 60) ?? .zero
  }
}

// MARK: - Writing

extension EKAlarm.Value {
  /// Writes the values that differ from the old ones.
  fileprivate func write(to component: inout Component, instead old: Self?) {
    var alarm = Alarm(component)
    if trigger != old?.trigger { alarm.trigger = modelTrigger }
    if action != old?.action { action.write(to: &alarm) }
    if proximity != old?.proximity || location != old?.location {
      writeLocation(to: &alarm, instead: old)
    }
    alarm.write(to: &component)
    if proximity != old?.proximity || location != old?.location {
      writeAppleLocation(to: &component, instead: old)
    }
    // The alarm is the user's now, and no default that a program may replace.
    for name: PropertyName in ["X-APPLE-DEFAULT-ALARM", "X-APPLE-LOCAL-DEFAULT-ALARM"]
    where component[name] != nil {
      component[name] = nil
    }
  }

  private var modelTrigger: AlarmTrigger {
    switch trigger {
    case .relative(let offset): .relative(CivilDuration(interval: offset), to: .start)
    case .absolute(let date): .absolute(Self.instant(nearest: date))
    }
  }

  /// The instant of a date; for a date that files cannot express, the nearest of the years 1 to 9999.
  ///
  /// `Date.distantPast` is two days before the first day of the proleptic Gregorian calendar.
  private static func instant(nearest date: Date) -> Instant {
    let bounds = [CivilDate.first, .last].map { Instant(utc: CivilDateTime($0, .midnight)) }
    guard let instant = Instant(date) else {
      return date.timeIntervalSinceReferenceDate > 0 ? bounds[1] : bounds[0]
    }
    return min(max(instant, bounds[0]), bounds[1])
  }

  private var modelProximity: AlarmProximity? {
    switch proximity {
    case .none: nil
    case .enter: .arrive
    case .leave: .depart
    }
  }

  /// Writes the form of RFC 9074 §8; an alarm with a location and no proximity has none.
  private func writeLocation(to alarm: inout Alarm, instead old: Self?) {
    let isOther = alarm.proximity.map { $0 != .arrive && $0 != .depart } ?? false
    if proximity != old?.proximity || !isOther { alarm.proximity = modelProximity }
    guard let location, alarm.proximity != nil else {
      alarm.structuredLocations = []
      return
    }
    alarm.structuredLocations = [location.model(instead: alarm.structuredLocations.first)]
  }

  /// Writes the form that Apple's programs read.
  private func writeAppleLocation(to component: inout Component, instead old: Self?) {
    component[.appleProximity] = modelProximity.map {
      Property(.appleProximity, rawValue: $0.rawValue)
    }
    component[.appleLocation] = location?.apple(
      instead: component[.appleLocation], of: old?.location)
  }
}

extension EKAlarm.Action {
  /// Writes the action and what the RFC requires with it.
  fileprivate func write(to alarm: inout Alarm) {
    alarm.attachments = []
    alarm.attendees = []
    switch self {
    case .display:
      alarm.action = .display
    case .sound(let name):
      alarm.action = .audio
      alarm.attachments = [Attachment(.uri(name))]
    case .open(let url):
      alarm.action = AlarmAction(rawValue: "PROCEDURE")
      alarm.attachments = [Attachment(.uri(url.absoluteString))]
    case .email(let address):
      alarm.action = .email
      alarm.attendees = [Attendee(CalendarAddress("mailto:\(address)"))]
      alarm.summary = alarm.summary ?? Self.text
    }
    if type == .display || type == .email {
      alarm.descriptionText = alarm.descriptionText ?? Self.text
    }
  }

  /// The text of an alarm without its own, which the RFC requires.
  private static let text = "Reminder"
}
