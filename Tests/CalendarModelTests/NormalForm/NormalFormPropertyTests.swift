// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import TestSupport
import Testing

/// The normal form, tried on series made at random.
@Suite struct NormalFormPropertyTests {
  /// What does not hold.
  private struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  private static func fingerprint(_ lines: [String]) throws -> Fingerprint {
    try NormalFormTests.fingerprint(calendar: ScriptZone.calendar(lines))
  }

  @Test("No rewriting in other words changes a fingerprint")
  func rewriting() {
    forAll(26) { random in
      let series = ScriptComponent.series(using: &random)
      let original = try Self.fingerprint(series.flatMap(\.text))
      for _ in 0..<3 {
        let parts = series.shuffled(using: &random).map { $0.rewritten(using: &random) }
        let lines = Array(parts.joined())
        let rewritten = try Self.fingerprint(lines)
        guard rewritten == original else {
          throw Broken(description: lines.joined(separator: "\n"))
        }
      }
    }
  }

  @Test("Every single edit changes the fingerprint, however the rest is written")
  func editing() {
    forAll(5) { random in
      let series = ScriptComponent.series(using: &random)
      let original = try Self.fingerprint(series.flatMap(\.text))
      for (what, edited) in Self.edits(of: series) + Self.moves(in: series) {
        let lines = edited.flatMap { $0.rewritten(using: &random) }
        let fingerprint = try Self.fingerprint(lines)
        guard fingerprint != original else { throw Broken(description: what) }
      }
    }
  }

  /// Every way to move a line or an alarm to another component, unless that says the same already.
  private static func moves(in series: [ScriptComponent]) -> [(String, [ScriptComponent])] {
    var moves: [(String, [ScriptComponent])] = []
    for from in series.indices {
      for to in series.indices where to != from {
        for (index, line) in series[from].lines.enumerated() where line.name != "UID" {
          var edited = series
          edited[to].lines.append(edited[from].lines.remove(at: index))
          moves.append(("\(line.name) of component \(from) in \(to)", edited))
        }
        for index in series[from].nested.indices {
          var edited = series
          edited[to].nested.append(edited[from].nested.remove(at: index))
          moves.append(("an alarm of component \(from) in \(to)", edited))
        }
      }
    }
    return moves
  }

  /// Every way to change, remove or move a line, or to remove or repeat a component.
  static func edits(of series: [ScriptComponent]) -> [(String, [ScriptComponent])] {
    var edits: [(String, [ScriptComponent])] = []
    for (place, component) in series.enumerated() {
      func add(_ what: String, _ change: (inout ScriptComponent) -> Void) {
        var edited = series
        change(&edited[place])
        edits.append(("\(what) in component \(place)", edited))
      }
      for (index, line) in component.lines.enumerated() {
        for value in changed(line) {
          add("\(line.name):\(value)") { $0.lines[index].value = value }
        }
        add("without \(line.name)") { $0.lines.remove(at: index) }
        for parameter in line.parameters.indices {
          add("parameter of \(line.name)") {
            $0.lines[index].parameters[parameter].values[0] = "Europe/Lisbon"
          }
          add("no parameter of \(line.name)") { $0.lines[index].parameters.remove(at: parameter) }
        }
      }
      for (index, alarm) in component.nested.enumerated() {
        add("without an alarm") { $0.nested.remove(at: index) }
        add("an alarm twice") { $0.nested.append(alarm) }
        for line in alarm.lines.indices {
          add("alarm") { $0.nested[index].lines[line].value += "1" }
        }
        if index > 0 {
          add("descriptions exchanged") {
            let text = $0.nested[0].lines[2]
            $0.nested[0].lines[2] = $0.nested[index].lines[2]
            $0.nested[index].lines[2] = text
          }
        }
      }
      add("another comment") { $0.lines.append(ScriptLine("COMMENT", "three")) }
      if place > 0 {
        edits.append(("without override \(place)", series.filter { $0.text != component.text }))
        var edited = series
        edited[0].nested.append(ScriptComponent(name: "VALARM", lines: component.lines))
        edits.append(("override in the main component", edited))
        edited = series
        swapTitles(&edited, 0, place)
        edits.append(("titles exchanged", edited))
      }
    }
    return edits
  }

  private static func swapTitles(_ series: inout [ScriptComponent], _ one: Int, _ other: Int) {
    guard let first = series[one].lines.firstIndex(where: { $0.name == "SUMMARY" }),
      let second = series[other].lines.firstIndex(where: { $0.name == "SUMMARY" })
    else { return }
    let title = series[one].lines[first].value
    series[one].lines[first].value = series[other].lines[second].value
    series[other].lines[second].value = title
  }

  /// Values that say something else.
  private static func changed(_ line: ScriptLine) -> [String] {
    switch line.name {
    case "DTSTART", "DTEND", "RECURRENCE-ID":
      [line.value.replacing("T", with: "T0").prefix(9) + "123456"].map { String($0) }
        + [line.value.replacing("2026", with: "2027")]
    case "EXDATE": [line.value + ",20260112T090000", String(line.value.prefix(15))]
    case "RRULE":
      [
        line.value.replacing("COUNT=20", with: "COUNT=21"), line.value + ";INTERVAL=2",
        line.value.replacing("MO,", with: ""), line.value.replacing("MO", with: "TU"),
        line.value + ";WKST=SU",
      ]
    case "CATEGORIES": [line.value + ",NEW", "WORK,PLAN", "work,PLAN,FOOD"]
    case "GEO": ["48.2;16.38", "16.37;48.2"]
    case "PRIORITY": ["4", "0"]
    case "STATUS": ["CONFIRMED"]
    case "TRANSP": ["OPAQUE"]
    case "CLASS": ["PUBLIC", "CONFIDENTIAL"]
    case "SUMMARY", "DESCRIPTION", "COMMENT", "LOCATION":
      [line.value + " ", line.value.replacing("a", with: "A") + "x", "", "x\\n" + line.value]
    default: [line.value + "1"]
    }
  }
}
