// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("JSON")
struct JSONScannerTests {
  /// The text that a value is written as.
  private func written(_ node: JSONNode) -> String {
    var json = JSONBuilder()
    Self.write(node, to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func write(_ node: JSONNode, to json: inout JSONBuilder) {
    switch node.content {
    case .null: json.literal("null")
    case .bool(let value): json.boolean(value)
    case .number(let text): json.literal(text)
    case .string(let text): json.string(text)
    case .array(let elements):
      json.beginArray()
      for element in elements { write(element, to: &json) }
      json.endArray()
    case .object(let members):
      json.beginObject()
      for member in members {
        json.name(member.name)
        write(member.value, to: &json)
      }
      json.endObject()
    }
  }

  static let valid: [(text: String, canonical: String)] = [
    ("null", "null"), (" true ", "true"), ("false", "false"), ("0", "0"),
    ("-0.50e+10", "-0.50e+10"),
    ("12345678901234567890123", "12345678901234567890123"), ("\"\"", "\"\""),
    (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\u0008\u000C\n\r\t""#), (#""\u00e9\u20AC""#, "\"é€\""),
    (#""\uD83C\uDF82""#, "\"🎂\""), ("\"grüß\"", "\"grüß\""), ("[]", "[]"),
    ("[1 , [ 2]\n]", "[1,[2]]"),
    ("{}", "{}"), (#"{ "b" : 1 , "a" : {"b":[]} }"#, #"{"b":1,"a":{"b":[]}}"#),
    ("\"\u{7F}\"", #""\u007F""#),
  ]

  @Test("What the grammar has is read, and numbers keep their digits")
  func readsValid() throws {
    for (text, canonical) in Self.valid {
      let node = try JSONScanner.parse(Array(text.utf8))
      #expect(written(node) == canonical, "\(text)")
    }
  }

  private func written(_ text: String) -> String {
    var json = JSONBuilder()
    json.string(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func read(_ json: String) throws -> String? {
    guard case .string(let text) = try JSONScanner.parse(Array(json.utf8)).content else {
      return nil
    }
    return text
  }

  /// Raw, they would reach the terminal of a person who looks at the output.
  @Test("No character that controls a terminal, or hides or reorders text, is written as it is")
  func writesHiddenCharactersAsEscapes() throws {
    let hidden: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x200B...0x200B, 0x200E...0x200F,
      0x2028...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF...0xFEFF,
    ]
    for scalar in hidden.joined().compactMap(Unicode.Scalar.init) {
      let text = "a\(scalar)é"
      let json = written(text)
      #expect(!json.unicodeScalars.contains(scalar), "U+\(String(scalar.value, radix: 16))")
      #expect(try read(json) == text)
    }
  }

  @Test("Every character survives being written, and what needs no escape is written as it is")
  func writesEveryCharacter() throws {
    for number in UInt32(0)...0x1FFFF {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let text = String(scalar)
      let json = written(text)
      let isHidden = UInt16(exactly: number).map(HiddenCharacters.contains) ?? false
      // The equality of strings takes no account of characters that mean the same.
      guard try read(json)?.unicodeScalars.elementsEqual([scalar]) == true,
        number <= 0x7F || isHidden || json.utf8.elementsEqual("\"\(text)\"".utf8)
      else {
        Issue.record("U+\(String(number, radix: 16)) is written as \(json)")
        continue
      }
    }
  }

  static let invalid: [(text: String, place: String, message: String)] = [
    ("", "1:1", "expected a value, found the end of the text"),
    ("nul", "1:4", "expected null, found the end of the text"),
    ("[1,]", "1:4", "expected a value after the comma, found \"]\""),
    ("[1 2]", "1:4", "expected \",\" or \"]\", found \"2\""),
    ("[1\n,\r\n  x]", "3:3", "expected a value, found \"x\""),
    ("01", "1:1", "expected a number without zeros in front, found \"0\""),
    ("-", "1:2", "expected a digit, found the end of the text"),
    ("1.", "1:3", "expected a digit, found the end of the text"),
    ("1e", "1:3", "expected a digit, found the end of the text"),
    ("+1", "1:1", "expected a value, found \"+\""),
    ("'a'", "1:1", "expected a value, found \"'\""),
    ("\"a", "1:3", "expected the quote that ends the string, found the end of the text"),
    ("\"a\nb\"", "1:3", "expected a control character as \\uXXXX, found the byte A"),
    (#""\x""#, "1:3", "expected one of the letters \"\\/bfnrtu after a backslash, found \"x\""),
    (#""\u12G4""#, "1:6", "expected four hexadecimal digits, found \"G\""),
    (#""\uD83C!""#, "1:4", "expected both halves of a surrogate pair, found one"),
    (#""\uDF82\uD83C""#, "1:4", "expected both halves of a surrogate pair, found one"),
    ("{a:1}", "1:2", "expected the name of a member, found \"a\""),
    (#"{"a" 1}"#, "1:6", "expected \":\", found \"1\""),
    (#"{"a":1,}"#, "1:8", "expected a value after the comma, found \"}\""),
    ("[] []", "1:4", "expected the end of the text, found \"[\""),
    ("[/* */]", "1:2", "expected a value, found \"/\""),
    ("\u{FEFF}[]", "1:1", "expected a value, found \"\u{FEFF}\""),
  ]

  @Test("What the grammar does not have is refused where it stands")
  func refusesInvalid() {
    for (text, place, message) in Self.invalid {
      let error = #expect(throws: JSONError.self, "\(text)") {
        try JSONScanner.parse(Array(text.utf8))
      }
      #expect(error?.position.description == place, "\(text)")
      #expect(error?.message == message, "\(text)")
    }
  }

  @Test("Bytes that are not UTF-8 are refused")
  func refusesOtherBytes() {
    let error = #expect(throws: JSONError.self) { try JSONScanner.parse([0x22, 0xE9, 0x22]) }
    #expect(error?.message == "expected UTF-8, found the byte E9")
  }

  @Test("Nesting has a limit, and is not recursion without bound")
  func depth() throws {
    let deepest = JSONScanner.depthLimit
    let fits = String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
    _ = try JSONScanner.parse(Array(fits.utf8))
    let error = #expect(throws: JSONError.self) {
      try JSONScanner.parse([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
    }
    #expect(error?.position.column == deepest + 1)
    #expect(error?.reference == nil)
  }

  @Test("Random bytes are read as a value that is written alike, or refused at a place in the text")
  func hostile() throws {
    var random = SeededGenerator(seed: 7159)
    let alphabet = Array("[]{},:\"\\u0123456789aDfeEtrnl+-. \n\u{E9}".utf8) + [0xFF, 0]
    var valueCount = 0
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<24, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      do throws(JSONError) {
        let text = written(try JSONScanner.parse(bytes))
        #expect(written(try JSONScanner.parse(Array(text.utf8))) == text, "\(bytes)")
        valueCount += 1
      } catch {
        let lineCount = bytes.count { $0 == 0x0A } + 1
        #expect(1...lineCount ~= error.position.line, "\(bytes): \(error.position)")
        #expect(1...bytes.count + 1 ~= error.position.column, "\(bytes): \(error.position)")
        #expect(error.message.hasPrefix("expected "), "\(bytes): \(error.message)")
      }
    }
    #expect(valueCount > 200)
  }
}
