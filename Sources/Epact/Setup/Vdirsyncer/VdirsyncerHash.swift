// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Glibc

/// The hash by which vdirsyncer detects changes of an item.
///
/// It is the SHA-256 digest of the sorted lines, without time zones and without the properties that
/// servers alter. A difference to vdirsyncer's own result in rare spellings only means that an
/// unchanged item counts as edited.
package enum VdirsyncerHash {
  /// The ignored properties.
  private static let ignored = [
    "PRODID", "METHOD", "X-RADICALE-NAME", "X-WR-CALNAME", "REV", "LAST-MODIFIED", "CREATED",
    "DTSTAMP", "UID",
  ]

  /// The tag of a file: its time in nanoseconds, as a floating-point number, and its inode number; nil if
  /// there is no file.
  package static func tag(ofFile path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let time = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    return "\(Int64(Double(time))).000000000;\(status.st_ino)"
  }

  /// The hash of a file.
  package static func hash(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = lines(of: text)
    lines = withoutTimeZones(lines) ?? lines
    for name in ignored { remove(name, from: &lines) }
    // Python compares code points, which have the order of their bytes in UTF-8.
    lines.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let joined = lines.map(trimmed).filter { !$0.isEmpty }.joined(separator: "\r\n")
    return SHA256.digest(of: Array(joined.utf8)).description
  }

  /// The lines as Python splits them.
  private static func lines(of text: String) -> [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      if isAfterReturn, scalar == "\n" {
        isAfterReturn = false
        continue
      }
      isAfterReturn = scalar == "\r"
      switch scalar.value {
      case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029:
        lines.append(String(line))
        line = String.UnicodeScalarView()
      default: line.append(scalar)
      }
    }
    if !line.isEmpty { lines.append(String(line)) }
    return lines
  }

  /// The lines without the time zones of the calendar; nil if this is no well-formed calendar.
  private static func withoutTimeZones(_ lines: [String]) -> [String]? {
    var open: [String] = []
    var kept: [String] = []
    var isClosed = false
    for line in lines {
      let isZone = open.count > 1 && open[1] == "VTIMEZONE"
      if line.utf8.starts(with: "BEGIN:".utf8) {
        let name = trimmed(String(line.dropFirst(6))).uppercased()
        guard !isClosed, !open.isEmpty || name == "VCALENDAR" else { return nil }
        open.append(name)
        if !isZone, open.count != 2 || name != "VTIMEZONE" { kept.append("BEGIN:\(name)") }
      } else if line.utf8.starts(with: "END:".utf8) {
        let name = trimmed(String(line.dropFirst(4))).uppercased()
        guard open.popLast() == name else { return nil }
        if !isZone { kept.append("END:\(name)") }
        isClosed = open.isEmpty
      } else if !trimmed(line).isEmpty {
        guard !open.isEmpty else { return nil }
        if !isZone { kept.append(line) }
      }
    }
    return isClosed ? kept : nil
  }

  /// Removes the lines of a property with their continuation lines.
  private static func remove(_ name: String, from lines: inout [String]) {
    var isRemoved = false
    lines.removeAll { line in
      let isContinued = isRemoved && (line.utf8.first == 0x20 || line.utf8.first == 0x09)
      isRemoved =
        isContinued || line.utf8.starts(with: "\(name):".utf8)
        || line.utf8.starts(with: "\(name);".utf8)
      return isRemoved
    }
  }

  /// The text without white space at both ends.
  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let start = scalars.drop { $0.properties.isWhitespace }
    return String(
      String.UnicodeScalarView(start.reversed().drop { $0.properties.isWhitespace }.reversed()))
  }
}
