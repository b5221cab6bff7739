// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("SwiftCode")
struct SwiftCodeTests {
  struct Case: CustomTestStringConvertible {
    let source: String
    let code: String
    var testDescription: String { source }
  }

  @Test(
    "Comments and literals are blanked out, code and columns stay",
    arguments: [
      Case(source: "a // b", code: "a     "),
      Case(source: "a /* b /* c */ d */ e", code: "a                   e"),
      Case(source: #"f("x!")"#, code: "f(    )"),
      Case(source: #"f("x\"y!") + z"#, code: "f(       ) + z"),
      Case(source: #"f("x\(g(y)!)z!")"#, code: "f(   (g(y)!)   )"),
      Case(source: ##"f(#"x"y!\(z)"#)"##, code: "f(            )"),
      Case(source: ##"f(#"x\#(y)"#)"##, code: "f(     (y)  )"),
      Case(source: "\"\"\"\n a \" b!\n \"\"\" + c", code: "   \n       \n     + c"),
      Case(source: "\"// no comment\" + a", code: "                + a"),
    ])
  func masks(_ example: Case) {
    #expect(SwiftCode(example.source).lines.joined(separator: "\n") == example.code)
  }

  @Test("Literals stay where they are, without the code and the comments around them")
  func literals() {
    let source = #"f("a \(g("b")) c") // "d""#
    #expect(SwiftCode(source).literals == [#"  "a     "b"   c"        "#])
  }
}
