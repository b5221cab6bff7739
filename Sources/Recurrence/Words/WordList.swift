// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Lists and times as the languages of rules write them.
enum WordList {
  /// The words, joined by commas and a conjunction.
  static func joined(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
  }

  /// The texts of numbers, with three or more consecutive numbers joined as a range.
  static func runs(
    _ numbers: [Int], joinedBy preposition: String, _ word: (Int) -> String = { String($0) }
  ) -> [String] {
    var words: [String] = []
    var rest = numbers[...]
    while let first = rest.first {
      var count = 1
      while count < rest.count, rest[rest.startIndex + count] == first + count { count += 1 }
      // Numbers from the end are in reverse order, so they are listed individually.
      if first > 0 || numbers.allSatisfy({ $0 >= 0 }), count >= 3 {
        words.append("\(word(first)) \(preposition) \(word(first + count - 1))")
        rest = rest.dropFirst(count)
      } else {
        words.append(word(first))
        rest = rest.dropFirst()
      }
    }
    return words
  }

  /// A time of 24 hours, with seconds unless they are zero.
  static func clock(_ time: TimeOfDay) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(two(time.hour)):\(two(time.minute))"
    return time.second == 0 ? text : "\(text):\(two(time.second))"
  }
}
