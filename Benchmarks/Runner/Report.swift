// SPDX-License-Identifier: Apache-2.0

/// A run as JSON, with all that is needed to compare it to another one.
struct Report {
  /// The digest of what the generator writes.
  let digest: String
  let results: [RowResult]

  var json: String {
    let version = try? System.run(["swift", "--version"]).output.split(separator: "\n").first
    return JSON.object([
      ("date", .text(System.date())), ("processor", .text(System.processor())),
      ("compiler", .text(version.map(String.init) ?? "unknown")), ("build", .text(Self.build)),
      ("inputs", .text(digest)), ("rows", .array(results.map(\.json))),
    ]).text + "\n"
  }

  /// How the program was built, because a debug build says nothing about speed.
  static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}

/// A value of JSON (RFC 8259).
indirect enum JSON {
  case text(String)
  case number(Double)
  case array([JSON])
  case object([(String, JSON)])

  var text: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .number(let number):
      if let whole = Int(exactly: number) {
        "\(whole)"
      } else {
        number.isFinite ? "\(number)" : "null"
      }
    case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0)): \($1.text)" }.joined(separator: ", "))}"
    }
  }

  /// A string; what is written here holds no control characters.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result + "\""
  }
}

/// Numbers and columns for people.
enum Text {
  /// A number with three significant digits or more.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
    let scale = [1.0, 10, 100][digits]
    let whole = Int((value * scale).rounded())
    guard digits > 0 else { return "\(whole)" }
    let fraction = "\(whole % Int(scale))"
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(whole / Int(scale)).\(zeros)\(fraction)"
  }
}

extension String {
  /// The text with spaces behind it up to a width, or in front of it.
  func padded(to width: Int, left: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return left ? spaces + self : self + spaces
  }
}
