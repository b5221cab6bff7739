// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A feed without the components that are beyond what is read, so that one does not spoil the others.
struct FeedExcision {
  /// A component that was cut out.
  struct Gap {
    let uid: UID
    /// Why, and in which line of the feed.
    let fault: Diagnostic
  }

  /// The most components that are cut out of one feed.
  private static let gapLimit = 16
  /// The longest line in which the UID of a component is looked for, in bytes.
  private static let lineLimit = 4096

  let stream: CalendarStream
  /// What was cut out, in the order of the feed.
  private(set) var gaps: [Gap] = []

  /// Reads a feed, again and again without a component at which a limit was reached.
  ///
  /// - Throws: `SyntaxError` if a limit is reached elsewhere, or in something whose UID cannot be told: what
  ///   is left of the feed would then say of some item that it has changed.
  init(parsing bytes: [UInt8]) throws(SyntaxError) {
    var bytes = bytes
    while true {
      do throws(SyntaxError) {
        stream = try CalendarStream(parsing: bytes)
        return
      } catch {
        guard gaps.count < Self.gapLimit,
          let found = Self.component(at: error.diagnostic.position.line, in: bytes)
        else { throw error }
        gaps.append(Gap(uid: found.uid, fault: error.diagnostic))
        bytes.removeSubrange(found.range)
      }
    }
  }

  /// The component inside of a calendar that a line belongs to, with its UID.
  private static func component(
    at number: Int, in bytes: [UInt8]
  ) -> (range: Range<Int>, uid: UID)? {
    var (line, start, depth) = (0, 0, 0)
    var begin: Int?
    var uid: UID?
    var isFound = false
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      line += 1
      if line == number { isFound = true }
      let text = end - start <= lineLimit ? text(bytes[start..<end]) : ""
      let upper = text.prefix(6).uppercased()
      if upper == "BEGIN:" {
        depth += 1
        if depth == 2 { (begin, uid, isFound) = (start, nil, line == number) }
      } else if upper.hasPrefix("END:") {
        depth -= 1
        if depth == 1, isFound, let begin { return uid.map { (begin..<end, $0) } }
        if depth <= 1 { (begin, isFound) = (nil, false) }
      } else if depth == 2, upper.hasPrefix("UID:"), uid == nil {
        uid = UID(String(text.dropFirst(4)))
      }
      start = end
    }
    return nil
  }

  private static func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
  }
}
