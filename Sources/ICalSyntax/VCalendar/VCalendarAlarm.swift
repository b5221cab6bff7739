// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// An alarm of vCalendar 1.0: a time, a snooze interval, a repeat count, and an action.
///
/// ```text
/// AALARM;TYPE=WAVE:19960415T235959;PT5M;2;file:///media/taps.wav
/// DALARM:19960415T235000;PT5M;2;Your Taxes Are Due !!!
/// MALARM:19960416T000000;PT1H;3;IRS@example.gov;The draft is in the mail
/// PALARM:19960415T235000;PT5M;2;file:///bin/alarm
/// ```
enum VCalendarAlarm {
  /// The action of an alarm.
  enum Action: String {
    case audio = "AALARM"
    case display = "DALARM"
    case email = "MALARM"
    case procedure = "PALARM"

    init?(_ name: PropertyName) {
      self.init(rawValue: name.canonicalName)
    }

    /// The iCalendar ACTION (RFC 5545 §3.8.6.1), which deliberately has none to start a program.
    var name: String {
      switch self {
      case .audio: "AUDIO"
      case .display: "DISPLAY"
      case .email: "EMAIL"
      case .procedure: "X-VCAL-PROCEDURE"
      }
    }
  }
}

extension VCalendarTranslator {
  /// Converts an alarm property to a VALARM (RFC 5545 §3.6.6), or nil if its time is unusable.
  mutating func alarm(
    _ action: VCalendarAlarm.Action, _ property: Property, _ value: VCalendarValue,
    in context: VCalendarContext
  ) -> Component? {
    let parts = value.parts
    guard let first = parts.first, let time = VCalendarTime(first.text),
      let trigger = trigger(at: time, property, in: context)
    else { return nil }
    var properties = [make(.action, action.name, from: property), trigger]
    if parts.count > 2, let count = Int(parts[2].text), count > 0,
      Self.isDuration(parts[1].bytes)
    {
      properties.append(make(.repeatCount, String(count), from: property))
      properties.append(make(.duration, parts[1].bytes, from: property))
    }
    let rest = Array(parts.dropFirst(3))
    switch action {
    case .display:
      // DISPLAY requires a DESCRIPTION (RFC 5545 §3.6.6).
      let words = rest.first.map(\.escapedText) ?? []
      let title = words.isEmpty ? context.summary.map(quietValue)?.escapedText : nil
      properties.append(
        make(.descriptionText, title ?? words, from: property))
    case .email:
      let address = rest.first?.text ?? ""
      let note = rest.count > 1 ? rest[1].escapedText : []
      properties += [
        make(.attendee, address.contains(":") ? address : "mailto:\(address)", from: property),
        make(.summary, note, from: property), make(.descriptionText, note, from: property),
      ]
    case .audio, .procedure:
      if let content = rest.first, !content.bytes.isEmpty {
        let format = property["TYPE"].flatMap { Self.audioFormats[$0.asciiUppercased] }
        properties.append(
          make(
            .attach, content.rawBytes, format.map { [Parameter(.formatType, $0)] } ?? [],
            from: property))
      }
    }
    return Component(
      .alarm, properties: properties, components: [], position: property.position)
  }

  private static func isDuration(_ bytes: [UInt8]) -> Bool {
    (try? BasicFormat.duration(bytes.span)) != nil
  }

  private static let audioFormats = [
    "WAVE": "audio/x-wav", "PCM": "audio/basic", "AIFF": "audio/x-aiff",
  ]

  /// Creates the TRIGGER, relative to the start if possible, so that it fits every occurrence.
  private func trigger(
    at time: VCalendarTime, _ property: Property, in context: VCalendarContext
  ) -> Property? {
    if let anchor = context.start ?? context.due,
      let seconds = seconds(from: anchor, to: time)
    {
      let related = context.start == nil ? [Parameter(.related, "END")] : []
      return make(.trigger, Self.duration(seconds), related, from: property)
    }
    guard let utc = time.isUTC ? time.value : zone.utc(time.value) else { return nil }
    return make(.trigger, "\(utc)Z", [Parameter(.value, "DATE-TIME")], from: property)
  }

  /// The seconds between two times, or nil if only one of them has a known UTC time.
  private func seconds(from anchor: VCalendarTime, to time: VCalendarTime) -> Int64? {
    if anchor.isUTC == time.isUTC { return time.value.wallSeconds - anchor.value.wallSeconds }
    guard let from = anchor.isUTC ? anchor.value : zone.utc(anchor.value),
      let to = time.isUTC ? time.value : zone.utc(time.value)
    else { return nil }
    return to.wallSeconds - from.wallSeconds
  }

  private static func duration(_ seconds: Int64) -> String {
    guard seconds != 0 else { return "PT0S" }
    let amount = seconds.magnitude
    let fields = [(amount / 3600, "H"), (amount / 60 % 60, "M"), (amount % 60, "S")]
    // Minutes are required between hours and seconds, even if they are zero (RFC 5545 §3.3.6).
    let isGap = fields[0].0 > 0 && fields[1].0 == 0 && fields[2].0 > 0
    let text = fields.enumerated().filter { $1.0 > 0 || (isGap && $0 == 1) }
      .map { "\($1.0)\($1.1)" }.joined()
    return "\(seconds < 0 ? "-" : "")PT\(text)"
  }
}
