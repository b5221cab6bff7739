// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

struct VCardDateTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    /// Year, month and day, or the reason why there is no yearly date.
    let expected: String
    var omitted: Int?
    var testDescription: String { text }

    init(_ text: String, _ expected: String, omitting omitted: Int? = nil) {
      (self.text, self.expected, self.omitted) = (text, expected, omitted)
    }
  }

  /// RFC 6350 §4.3.1 and §4.3.4, RFC 2426 §3.1.5, vCard 2.1 §2.1.3, and habits of programs.
  static let cases = [
    Case("19850412", "1985-4-12"),
    Case("1985-04-12", "1985-4-12"),
    Case("--0412", "?-4-12"),
    Case("--04-12", "?-4-12"),
    Case("19850412T120000Z", "1985-4-12"),
    Case("1985-04-12T00:00:00Z", "1985-4-12"),
    Case("1985-04-12T00:00:00.000-05:00", "1985-4-12"),
    Case("1985-04-12t10", "1985-4-12"),
    Case("1985-04-12 00:00:00", "1985-4-12"),
    Case("--0203T1022", "?-2-3"),
    Case("0000-04-12", "?-4-12"),
    Case("00000229", "?-2-29"),
    Case("1604-04-12", "?-4-12", omitting: 1604),
    Case("1604-04-12", "1604-4-12"),
    Case("1985-04-12", "1985-4-12", omitting: 1604),
    Case("0001-01-01", "1-1-1"),
    Case("14520415", "1452-4-15"),
    Case("20000229", "2000-2-29"),
    Case("--0229", "?-2-29"),
    Case("99991231", "9999-12-31"),
    Case("1985", "incomplete"),
    Case("1985-04", "incomplete"),
    Case("--04", "incomplete"),
    Case("---12", "incomplete"),
    Case("---12T10", "incomplete"),
    Case("T102200", "incomplete"),
    Case("19850230", "nonexistent"),
    Case("1900-02-29", "nonexistent"),
    Case("1985-13-01", "nonexistent"),
    Case("1985-00-10", "nonexistent"),
    Case("--0431", "nonexistent"),
    Case("--0400", "nonexistent"),
    Case("-0044-03-15", "notDate"),
    Case("circa 1800", "notDate"),
    Case("12.04.1985", "notDate"),
    Case("1985-4-12", "notDate"),
    Case("1985W151", "notDate"),
    Case("1985-102", "notDate"),
    Case("198504121", "notDate"),
    Case("１９８５-04-12", "notDate"),
    Case("", "notDate"),
    Case("--", "notDate"),
  ]

  @Test(arguments: cases)
  func `Each form of a date has a month and a day, or a reason`(row: Case) {
    var found: String
    do throws(VCardDate.Problem) {
      let date = try VCardDate(parsing: row.text, omittedYear: row.omitted)
      found = "\(date.year.map(String.init) ?? "?")-\(date.month)-\(date.day)"
    } catch {
      found = "\(error)"
    }
    #expect(found == row.expected)
  }
}
