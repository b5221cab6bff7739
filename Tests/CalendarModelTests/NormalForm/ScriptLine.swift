// SPDX-License-Identifier: Apache-2.0

/// A content line in its parts, to be rewritten and edited by the tests of the normal form.
struct ScriptLine {
  /// A parameter: its name and its values.
  typealias Parameter = (name: String, values: [String])

  var name: String
  var parameters: [Parameter] = []
  var value: String

  init(_ name: String, _ value: String, _ parameters: Parameter...) {
    self.name = name
    self.parameters = parameters
    self.value = value
  }

  /// The line in other words: cases, quotes, order, defaults and folds by chance.
  func rewritten(using random: inout some RandomNumberGenerator) -> String {
    var parameters = self.parameters
    if name == "ATTENDEE" {
      for (name, value) in [
        ("ROLE", "req-participant"), ("RSVP", "FALSE"), ("CUTYPE", "Individual"),
      ]
      where Bool.random(using: &random) && !parameters.contains(where: { $0.name == name }) {
        parameters.append((name, [value]))
      }
    }
    if ["DTSTART", "DTEND"].contains(name), parameters.allSatisfy({ $0.name != "VALUE" }),
      Bool.random(using: &random)
    {
      parameters.append(("VALUE", ["DATE-TIME"]))
    }
    parameters.shuffle(using: &random)
    var text = cased(name, using: &random)
    for parameter in parameters {
      let isSet = parameter.name == "MEMBER"
      let values = isSet ? parameter.values.shuffled(using: &random) : parameter.values
      let written = values.map { value in
        value.contains(where: { ":;,".contains($0) }) || Bool.random(using: &random)
          ? "\"\(value)\"" : value
      }
      text +=
        ";" + cased(parameter.name, using: &random) + "=" + written.joined(separator: ",")
    }
    text += ":" + rewrittenValue(using: &random)
    return folded(text, using: &random)
  }

  private func cased(_ name: String, using random: inout some RandomNumberGenerator) -> String {
    String(
      name.map { Bool.random(using: &random) ? Character($0.lowercased()) : $0 })
  }

  private func rewrittenValue(using random: inout some RandomNumberGenerator) -> String {
    switch name {
    case "RRULE":
      var parts = value.split(separator: ";").map { part in
        let sides = part.split(separator: "=")
        let values = sides[1].split(separator: ",").shuffled(using: &random)
        return "\(sides[0])=\(values.joined(separator: ","))"
      }
      if !value.contains("INTERVAL"), Bool.random(using: &random) { parts.append("INTERVAL=1") }
      return parts.shuffled(using: &random).joined(separator: ";")
    case "ATTENDEE", "ORGANIZER", "STATUS", "TRANSP", "CLASS":
      return Bool.random(using: &random) ? value.uppercased() : value
    case "SUMMARY", "DESCRIPTION", "COMMENT":
      return Bool.random(using: &random) ? value.replacing("\\n", with: "\\N") : value
    default: return value
    }
  }

  private func folded(_ text: String, using random: inout some RandomNumberGenerator) -> String {
    var result = ""
    for character in text {
      if Int.random(in: 0..<40, using: &random) == 0 {
        result += Bool.random(using: &random) ? "\r\n " : "\r\n\t"
      }
      result.append(character)
    }
    return result
  }
}
