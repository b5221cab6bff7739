// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport

/// Makes components of all shapes, with texts that are hard on whoever writes them.
enum RandomComponent {
  private static let texts = [
    "", "Tea", "a, b; c", "back\\slash", "line\nline", "\"quoted\"", "grüße 🎂 漢字", "tab\there",
    "=1+1", "\u{2028}", "^n ^^", "\\n is no line end", "a:b", String(repeating: "long ", count: 40),
  ]
  private static let raws: [(PropertyName, String)] = [
    (.dtStart, "20260102T090000"), (.dtStart, "20260102T090000Z"), (.duration, "P1DT2H"),
    (.rRule, "FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20270101T000000Z"), (.geo, "48.85;2.35"),
    (.priority, "5"), (.freeBusy, "20260102T090000Z/PT1H,20260102T120000Z/20260102T130000Z"),
    (.tzOffsetTo, "+0530"), (.url, "https://example.org/?a=b;c=d,e"), ("X-RAW", #"a;b\,c,d\n"#),
    (.attendee, "mailto:ann@example.org"), (.trigger, "-PT15M"),
    (.exDate, "20260103T090000,20260104T090000"),
  ]
  private static let parameters: [ParameterName] = [.commonName, .language, "X-P", "X-Q", .role]
  private static let names: [ComponentName] = [.event, .reminder, .journal, "X-THING"]
  /// What may stand inside another component without ending it.
  private static let nestedNames: [ComponentName] = [.alarm, "X-THING", "X-OTHER"]

  static func calendar(using random: inout SeededGenerator) -> Component {
    component(.calendar, depth: 0, using: &random)
  }

  private static func component(
    _ name: ComponentName, depth: Int, using random: inout SeededGenerator
  ) -> Component {
    var properties: [Property] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      properties.append(property(using: &random))
    }
    var components: [Component] = []
    if depth < 3 {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let name = (depth == 0 ? names : nestedNames).randomElement(using: &random) ?? .event
        components.append(component(name, depth: depth + 1, using: &random))
      }
    }
    return Component(name, properties: properties, components: components)
  }

  private static func property(using random: inout SeededGenerator) -> Property {
    var chosen: [Parameter] = []
    for name in parameters where Int.random(in: 0..<6, using: &random) == 0 {
      let count = Int.random(in: 1...2, using: &random)
      chosen.append(
        Parameter(name, (0..<count).map { _ in texts.randomElement(using: &random) ?? "" }))
    }
    if Bool.random(using: &random), let (name, raw) = raws.randomElement(using: &random) {
      return Property(name, rawValue: raw, parameters: chosen)
    }
    let names: [PropertyName] = [.summary, .descriptionText, .location, .uid, .comment]
    let text = texts.randomElement(using: &random) ?? ""
    return Property(names.randomElement(using: &random) ?? .summary, text: text, parameters: chosen)
  }
}
