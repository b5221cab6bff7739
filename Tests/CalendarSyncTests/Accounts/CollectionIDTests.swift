// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import TestSupport
import Testing

@Suite("Names of calendars in an account")
struct CollectionIDTests {
  @Test(
    "A segment of an address and the folder of its calendar",
    arguments: [
      ("work", "work"), ("Zw%C3%B6lf%20Uhr", "Zwölf Uhr"), ("a%2Fb", "a%2Fb"),
      (".hidden", "%2Ehidden"),
      ("%2E%2E", "%2E."), ("feed.ics", "feed%2Eics"), ("50%25", "50%25"), ("a%00b", "a%00b"),
      ("%FF", "%25FF"), ("a%252Fb", "a%252Fb"), (".ics", "%2Eics"), ("UPPER.ICS", "UPPER%2EICS"),
    ])
  func segment(_ segment: String, _ folder: String) throws {
    let id = try #require(CollectionID(segment: segment))
    #expect(id.folder == folder)
    #expect(CollectionID(folder: folder) == id)
    #expect(CollectionID(segment: id.segment) == id)
  }

  @Test(
    "A folder that is named by hand keeps its name", arguments: ["50% off", "a+b", "100%", "%zz"])
  func folder(_ folder: String) throws {
    let id = try #require(CollectionID(folder: folder))
    #expect(id.rawValue == folder)
    #expect(CollectionID(segment: id.segment) == id)
  }

  @Test("No calendar is hidden, or an .ics file", arguments: ["", ".git", "a.ics", "A.ICS"])
  func none(_ folder: String) {
    #expect(CollectionID(folder: folder) == nil)
  }

  @Test("Names that no folder can have are rejected")
  func long() {
    #expect(CollectionID(segment: String(repeating: "a", count: 256)) == nil)
    #expect(CollectionID(segment: String(repeating: "a", count: 255)) != nil)
  }

  @Test("Different names have different folders, and each folder leads back")
  func random() {
    let pieces = ["a", "%", "%25", "2F", "/", ".", "..", ".ics", "é", " ", "\u{1}", "%2E", "~"]
    forAll(300) { random in
      func text() -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined()
      }
      let bytes: (String) -> String = { text in
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
      let (one, two) = (text(), text())
      let left = try #require(CollectionID(segment: bytes(one)))
      let right = try #require(CollectionID(segment: bytes(two)))
      #expect(left.rawValue == one)
      #expect((left.folder == right.folder) == (one == two))
      #expect(!left.folder.contains("/") && !left.folder.hasPrefix("."))
      #expect(CollectionID(folder: left.folder) == left)
      #expect(CollectionID(segment: left.segment) == left)
    }
  }
}
