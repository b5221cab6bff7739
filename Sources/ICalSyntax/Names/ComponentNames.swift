// SPDX-License-Identifier: Apache-2.0

extension Name where Vocabulary == ComponentVocabulary {
  /// The VCALENDAR component (RFC 5545 §3.4).
  public static var calendar: Self { "VCALENDAR" }
  /// The VEVENT component (RFC 5545 §3.6.1).
  public static var event: Self { "VEVENT" }
  /// The VTODO component (RFC 5545 §3.6.2).
  public static var reminder: Self { "VTODO" }
  /// The VJOURNAL component (RFC 5545 §3.6.3).
  public static var journal: Self { "VJOURNAL" }
  /// The VFREEBUSY component (RFC 5545 §3.6.4).
  public static var freeBusy: Self { "VFREEBUSY" }
  /// The VTIMEZONE component (RFC 5545 §3.6.5).
  public static var timeZone: Self { "VTIMEZONE" }
  /// The STANDARD component (RFC 5545 §3.6.5).
  public static var standard: Self { "STANDARD" }
  /// The DAYLIGHT component (RFC 5545 §3.6.5).
  public static var daylight: Self { "DAYLIGHT" }
  /// The VALARM component (RFC 5545 §3.6.6).
  public static var alarm: Self { "VALARM" }
  /// The VAVAILABILITY component (RFC 7953 §3.1).
  public static var availability: Self { "VAVAILABILITY" }
  /// The AVAILABLE component (RFC 7953 §3.1).
  public static var available: Self { "AVAILABLE" }
  /// The PARTICIPANT component (RFC 9073 §7.1).
  public static var participant: Self { "PARTICIPANT" }
  /// The VLOCATION component (RFC 9073 §7.2).
  public static var location: Self { "VLOCATION" }
  /// The VRESOURCE component (RFC 9073 §7.3).
  public static var resource: Self { "VRESOURCE" }
}

/// The component names that the RFCs define.
public enum ComponentVocabulary: NameVocabulary {
  /// The lookup table of the names.
  public static let table = NameTable([
    "VCALENDAR",
    "VEVENT",
    "VTODO",
    "VJOURNAL",
    "VFREEBUSY",
    "VTIMEZONE",
    "STANDARD",
    "DAYLIGHT",
    "VALARM",
    "VAVAILABILITY",
    "AVAILABLE",
    "PARTICIPANT",
    "VLOCATION",
    "VRESOURCE",
  ])
}
