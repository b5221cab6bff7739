// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A feed without the components that exceed a limit, so that the others can be read.
struct FeedExcision {
  /// An excluded component.
  struct Gap {
    let uid: UID
    /// The reason, with the line in the feed.
    let fault: Diagnostic
  }

  /// The maximum number of excluded components of a feed.
  private static let gapLimit = 16
  /// The maximum length of a line that is searched for the UID, in bytes.
  private static let lineLimit = 4096

  let stream: CalendarStream
  /// The excluded components, in the order of the feed.
  private(set) var gaps: [Gap] = []

  /// Parses a feed, repeatedly excluding the component that exceeds a limit.
  ///
  /// - Throws: `SyntaxError` if a limit is exceeded elsewhere, or in a component whose UID is
  ///   unknown. Without the UID, the item would appear to be changed.
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

  /// The component of a calendar that contains a line, with its UID.
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
