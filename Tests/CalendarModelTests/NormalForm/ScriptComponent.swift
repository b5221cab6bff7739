// SPDX-License-Identifier: Apache-2.0

/// A component in its parts, to be rewritten and edited by the tests of the normal form.
struct ScriptComponent {
  var name: String
  var lines: [ScriptLine]
  var nested: [ScriptComponent] = []

  /// The content lines of the component as they are.
  var text: [String] {
    ["BEGIN:\(name)"]
      + lines.map { line in
        let parameters = line.parameters.map {
          ";\($0.name)=\"\($0.values.joined(separator: "\",\""))\""
        }
        return line.name + parameters.joined() + ":" + line.value
      } + nested.flatMap(\.text) + ["END:\(name)"]
  }

  /// The content lines of the component in other words, in another order.
  func rewritten(using random: inout some RandomNumberGenerator) -> [String] {
    var all: [ScriptLine] = []
    for line in lines {
      if ["CATEGORIES", "EXDATE"].contains(line.name), Bool.random(using: &random) {
        let parts = line.value.split(separator: ",").shuffled(using: &random)
        for part in parts {
          var single = line
          single.value = String(part)
          all.append(single)
        }
      } else {
        all.append(line)
      }
    }
    if name == "VEVENT" {
      let names = Set(lines.map(\.name))
      all += [
        ScriptLine("DTSTAMP", "2026010\(Int.random(in: 1...9, using: &random))T000000Z"),
        ScriptLine("X-LIC-ERROR", "whatever"), ScriptLine("SEQUENCE", "0"),
        ScriptLine("LAST-MODIFIED", "20260101T000000Z"),
        ScriptLine("CREATED", "20250101T000000Z"), ScriptLine("CLASS", "public"),
        ScriptLine("TRANSP", "OPAQUE"), ScriptLine("PRIORITY", "0"),
      ].filter { line in Bool.random(using: &random) && !names.contains(line.name) }
      all = all.map { respelled($0, using: &random) }
    }
    let shuffled = all.shuffled(using: &random).map { $0.rewritten(using: &random) }
    let inner = nested.shuffled(using: &random).map { $0.rewritten(using: &random) }
    return ["BEGIN:\(name)"] + shuffled + inner.joined() + ["END:\(name)"]
  }

  /// The line with another name of its zone, and the end as a duration or a time.
  private func respelled(_ line: ScriptLine, using random: inout some RandomNumberGenerator)
    -> ScriptLine
  {
    guard
      let zone = ScriptZone.allCases.first(where: {
        line.parameters.map(\.values) == [[$0.rawValue]]
      }),
      Bool.random(using: &random)
    else { return line }
    if line.name == "DTEND", line.value == "20260105T103000" {
      return ScriptLine("DURATION", "PT1H30M")
    }
    if line.name == "EXDATE", line.value.hasSuffix("T090000") {
      let parts = line.value.split(separator: ",").map {
        $0.replacing("T090000", with: zone.nineInUTC)
      }
      return ScriptLine("EXDATE", parts.joined(separator: ","))
    }
    var line = line
    line.parameters[0].values = [zone.otherName]
    return line
  }
}

extension ScriptComponent {
  /// A series at random: an event with alarms and overrides.
  static func series(using random: inout some RandomNumberGenerator) -> [ScriptComponent] {
    let kind = ScriptZone.allCases.randomElement(using: &random) ?? .known
    let zone: ScriptLine.Parameter = ("TZID", [kind.rawValue])
    var lines = [
      ScriptLine("UID", "series@example.org"), ScriptLine("DTSTART", "20260105T090000", zone),
      ScriptLine("DTEND", "20260105T103000", zone), ScriptLine("SUMMARY", "Plan\\, and\\nfood"),
    ]
    let optional = [
      ScriptLine("RRULE", "FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=20"),
      ScriptLine("EXDATE", "20260107T090000,20260109T090000", zone),
      ScriptLine("DESCRIPTION", "Bring\\; what\\nis there"), ScriptLine("LOCATION", "Room 5"),
      ScriptLine("CATEGORIES", "WORK,PLAN,FOOD"), ScriptLine("GEO", "48.2;16.37"),
      ScriptLine("PRIORITY", "3"), ScriptLine("STATUS", "TENTATIVE"),
      ScriptLine("TRANSP", "TRANSPARENT"), ScriptLine("CLASS", "PRIVATE"),
      ScriptLine("ORGANIZER", "mailto:chair@example.org", ("CN", ["Chair"])),
      ScriptLine(
        "ATTENDEE", "mailto:ann@example.org", ("PARTSTAT", ["ACCEPTED"]),
        ("MEMBER", ["mailto:a@example.org", "mailto:b@example.org"])),
      ScriptLine("ATTENDEE", "mailto:bob@example.org", ("CN", ["Bob, the \u{1F98A}"])),
      ScriptLine("X-ODD", "a\\,b;c", ("X-P", ["1", "2"])),
      ScriptLine("URL", "https://example.org/A"), ScriptLine("COMMENT", "one"),
      ScriptLine("COMMENT", "two"),
    ]
    lines += optional.filter { _ in Bool.random(using: &random) }
    var main = ScriptComponent(name: "VEVENT", lines: lines)
    for minutes in 1...Int.random(in: 1...3, using: &random) {
      main.nested.append(
        ScriptComponent(
          name: "VALARM",
          lines: [
            ScriptLine("ACTION", "DISPLAY"), ScriptLine("TRIGGER", "-PT\(minutes)M"),
            ScriptLine("DESCRIPTION", "Alarm \(minutes)"),
          ]))
    }
    let overrides = (1...Int.random(in: 1...3, using: &random)).map { week in
      ScriptComponent(
        name: "VEVENT",
        lines: [
          ScriptLine("UID", "series@example.org"),
          ScriptLine("RECURRENCE-ID", "202602\(week + 10)T090000", zone),
          ScriptLine("DTSTART", "202602\(week + 10)T110000", zone),
          ScriptLine("SUMMARY", "Week \(week)"),
        ])
    }
    return [main] + overrides
  }
}
