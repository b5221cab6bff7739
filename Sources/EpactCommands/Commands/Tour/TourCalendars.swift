// SPDX-License-Identifier: Apache-2.0

import Epact

/// The example calendars of the tour, embedded so that no installed files are needed.
///
/// They equal the files in `Fixtures/tour`; a test compares them.
package enum TourCalendars {
  /// The names and contents of the files.
  package static var files: [(name: String, bytes: [UInt8])] {
    [
      ("damaged.ics", damaged), ("family.ics", family), ("reminders.ics", reminders),
      ("work.ics", work),
    ].map { name, text in (name, Array(text.replacing("\n", with: "\r\n").utf8)) }
  }

  private static let damaged = #"""
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//epact//Tour//EN
    X-WR-CALNAME:Damaged
    BEGIN:VEVENT
    UID:picnic@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART;VALUE=DATE:20260230
    SUMMARY:Picnic on a day that does not exist
    END:VEVENT
    BEGIN:VEVENT
    UID:concert@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART:20260313T190000Z
    DTEND:20260313T210000Z
    SUMMARY:Concert
    END:VEVENT
    BEGIN:VEVENT
    UID:walk@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART:20260314T100000Z
    LOCATION the old mill
    SUMMARY:Walk
    END:VEVENT
    END:VCALENDAR

    """#

  private static let family = #"""
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//epact//Tour//EN
    X-WR-CALNAME:Family
    BEGIN:VTIMEZONE
    TZID:Europe/Berlin
    BEGIN:DAYLIGHT
    DTSTART:19810329T020000
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    TZNAME:CEST
    END:DAYLIGHT
    BEGIN:STANDARD
    DTSTART:19961027T030000
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    TZNAME:CET
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    UID:birthday-oma@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART;VALUE=DATE:20260322
    RRULE:FREQ=YEARLY
    SUMMARY:Oma Käthe’s birthday 🎂
    TRANSP:TRANSPARENT
    END:VEVENT
    BEGIN:VEVENT
    UID:dentist@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART;TZID=Europe/Berlin:20260312T101500
    DURATION:PT45M
    SUMMARY:Dentist
    LOCATION:Dr. Šimek\, Lindenallee 7
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-P1D
    DESCRIPTION:Dentist tomorrow
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:market@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART:20260307T090000
    DURATION:PT2H
    RRULE:FREQ=WEEKLY;BYDAY=SA
    SUMMARY:Farmers’ market
    END:VEVENT
    BEGIN:VEVENT
    UID:swimming@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART;TZID=Europe/Berlin:20260304T163000
    DTEND;TZID=Europe/Berlin:20260304T173000
    RRULE:FREQ=WEEKLY;UNTIL=20260701T153000Z;BYDAY=WE
    EXDATE;TZID=Europe/Berlin:20260408T163000
    SUMMARY:Swimming lesson
    END:VEVENT
    END:VCALENDAR

    """#

  private static let reminders = #"""
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//epact//Tour//EN
    X-WR-CALNAME:Reminders
    BEGIN:VTODO
    UID:passport@tour.example
    DTSTAMP:20260301T080000Z
    DUE;VALUE=DATE:20260401
    SUMMARY:Renew the passport
    PRIORITY:1
    STATUS:NEEDS-ACTION
    END:VTODO
    BEGIN:VTODO
    UID:rent@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART;VALUE=DATE:20260301
    DUE;VALUE=DATE:20260302
    RRULE:FREQ=MONTHLY;BYMONTHDAY=1
    SUMMARY:Pay the rent
    END:VTODO
    BEGIN:VTODO
    UID:books@tour.example
    DTSTAMP:20260301T080000Z
    DUE:20260310T170000
    SUMMARY:Return the library books
    STATUS:COMPLETED
    PERCENT-COMPLETE:100
    COMPLETED:20260309T181500Z
    END:VTODO
    BEGIN:VTODO
    UID:whistle@tour.example
    DTSTAMP:20260301T080000Z
    SUMMARY:Learn to whistle
    END:VTODO
    END:VCALENDAR

    """#

  private static let work = #"""
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//epact//Tour//EN
    X-WR-CALNAME:Work
    BEGIN:VTIMEZONE
    TZID:Europe/Berlin
    BEGIN:DAYLIGHT
    DTSTART:19810329T020000
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    TZNAME:CEST
    END:DAYLIGHT
    BEGIN:STANDARD
    DTSTART:19961027T030000
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    TZNAME:CET
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    UID:standup@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART;TZID=Europe/Berlin:20260302T093000
    DTEND;TZID=Europe/Berlin:20260302T094500
    RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR
    SUMMARY:Stand-up
    LOCATION:The blue room
    END:VEVENT
    BEGIN:VEVENT
    UID:standup@tour.example
    DTSTAMP:20260301T080000Z
    RECURRENCE-ID;TZID=Europe/Berlin:20260306T093000
    DTSTART;TZID=Europe/Berlin:20260306T110000
    DTEND;TZID=Europe/Berlin:20260306T111500
    SUMMARY:Stand-up\, after the fire drill
    LOCATION:The blue room
    END:VEVENT
    BEGIN:VEVENT
    UID:budget@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART;TZID=Europe/Berlin:20260311T140000
    DTEND;TZID=Europe/Berlin:20260311T153000
    SUMMARY:Budget review
    DESCRIPTION:Bring the numbers of last year.\nCake is provided.
    ORGANIZER;CN=Ada Morgenstern:mailto:ada@tour.example
    ATTENDEE;CN="Winter, Bela";PARTSTAT=ACCEPTED:mailto:bela@tour.example
    ATTENDEE;CN=Cleo Abendroth;PARTSTAT=TENTATIVE:mailto:cleo@tour.example
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    DESCRIPTION:Budget review
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:flight@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART:20260317T061500Z
    DTEND:20260317T081000Z
    SUMMARY:Flight to Lisbon
    LOCATION:Gate 12
    STATUS:CONFIRMED
    END:VEVENT
    BEGIN:VEVENT
    UID:offsite@tour.example
    DTSTAMP:20260301T080000Z
    DTSTART;VALUE=DATE:20260317
    DTEND;VALUE=DATE:20260320
    SUMMARY:Team days by the sea
    TRANSP:TRANSPARENT
    CATEGORIES:TRAVEL,TEAM
    END:VEVENT
    END:VCALENDAR

    """#
}
