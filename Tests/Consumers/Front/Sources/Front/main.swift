// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Epact

/// A calendar with one event.
func calendar(_ lines: String...) -> [UInt8] {
  let event = ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z"] + lines + ["END:VEVENT"]
  let text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN"] + event
  return Array((text + ["END:VCALENDAR", ""]).joined(separator: "\r\n").utf8)
}

// Merge two edits of one event: one side moved it, the other side renamed it.
// Times are compared by the rules of this machine's time zones.
let merge = FileMerge(ThreeWayMerge(normalForm: Machine.live().normalForm))
let result = try merge.merge(
  base: calendar("DTSTART:20261130T120000Z", "SUMMARY:Lunch"),
  local: calendar("DTSTART:20261130T130000Z", "SUMMARY:Lunch"),
  remote: calendar("DTSTART:20261130T120000Z", "SUMMARY:Late lunch"))
print(result.isClean, String(decoding: result.bytes, as: UTF8.self))
