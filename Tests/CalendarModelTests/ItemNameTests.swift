// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Testing

@Suite struct ItemNameTests {
  struct Case: CustomTestStringConvertible {
    let uid: String
    let name: String
    var testDescription: String { String(uid.debugDescription.prefix(60)) }
  }

  static let cases = [
    Case(uid: "standup", name: "standup.ics"),
    Case(
      uid: "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
      name: "3F2504E0-4F89-11D3-9A0C-0305E82C3301.ics"),
    Case(uid: "meeting@example.org", name: "meeting_40example.org.ics"),
    Case(uid: "a_b", name: "a_5Fb.ics"),
    Case(uid: "a_5Fb", name: "a_5F5Fb.ics"),
    Case(uid: "../../etc/passwd", name: "_2E._2F.._2Fetc_2Fpasswd.ics"),
    Case(uid: ".", name: "_2E.ics"),
    Case(uid: "..", name: "_2E..ics"),
    Case(uid: "-rf", name: "_2Drf.ics"),
    Case(uid: "50% off", name: "50_25_20off.ics"),
    Case(uid: "été", name: "_C3_A9t_C3_A9.ics"),
    Case(uid: "_sha256-0", name: "_5Fsha256-0.ics"),
    Case(
      uid: "", name: "_sha256-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.ics"),
    Case(
      uid: "abc\u{0}",
      name: "_sha256-dc1114cd074914bd872cc1f9a23ec910ea2203bc79779ab2e17da25782a624fc.ics"),
    Case(
      uid: String(repeating: "x", count: 120), name: String(repeating: "x", count: 120) + ".ics"),
  ]

  @Test(arguments: cases) func `A UID gives this name`(_ row: Case) {
    #expect(ItemName(of: UID(row.uid)).rawValue == row.name)
  }

  @Test func `A long UID is named by its digest`() {
    let names = [121, 122, 10_000].map {
      ItemName(of: UID(String(repeating: "x", count: $0))).rawValue
    }
    for name in names {
      #expect(name.hasPrefix("_sha256-"))
      #expect(name.utf8.count == 76)
    }
    #expect(Set(names).count == names.count)
  }

  @Test func `Two UIDs never share a name, nor does a name need escaping`() {
    var uidOfName: [String: String] = [:]
    for uid in shortTexts(over: "aB9_-./%@é~\u{1}\u{7F} 5F", upTo: 3) {
      let name = ItemName(of: UID(uid)).rawValue
      #expect(uidOfName.updateValue(uid, forKey: name).map { $0 == uid } ?? true, "\(name)")
      let isSafe = name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == 0x2D || byte == 0x2E || byte == 0x5F
      }
      #expect(isSafe && !name.hasPrefix(".") && !name.hasPrefix("-"), "\(uid.debugDescription)")
    }
  }

  /// Every text of at most this many characters of the alphabet.
  private func shortTexts(over alphabet: String, upTo length: Int) -> [String] {
    var texts = [""]
    var longest = texts
    for _ in 0..<length {
      longest = longest.flatMap { text in alphabet.map { text + String($0) } }
      texts += longest
    }
    return texts
  }
}
