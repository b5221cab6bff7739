// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// The canonical form of components as `Serializer.Form.canonical` describes it, made in the plainest
/// way: every line is taken apart and put together again, byte by byte, and nothing is quick.
///
/// It shares no code with `CanonicalWriter`, and so says whether that one is right.
public enum CanonicalOracle {
  /// A component that was written, and what it is sorted by.
  private struct Piece {
    let name: [UInt8]
    /// From the UID on to the end.
    let uid: [UInt8]
    let bytes: [UInt8]

    func precedes(_ other: Piece) -> Bool {
      for (left, right) in [(name, other.name), (uid, other.uid), (bytes, other.bytes)]
      where left != right {
        return left.lexicographicallyPrecedes(right)
      }
      return false
    }
  }

  /// Tries a component: what the serializer writes must be the canonical form.
  ///
  /// - Throws: `OracleFailure` if it is not.
  public static func check(_ component: Component) throws(OracleFailure) {
    let expected = bytes(of: component)
    let found = Serializer(form: .canonical).bytes(of: component)
    guard found != expected else { return }
    let line = zip(lines(found), lines(expected)).first { $0 != $1 }
    try promise(false, "the canonical form is \(line?.0 ?? "too long"), not \(line?.1 ?? "that")")
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self).debugDescription }
  }

  /// The canonical form of a component.
  public static func bytes(of component: Component) -> [UInt8] { piece(component).bytes }

  private static func piece(_ component: Component) -> Piece {
    let name = uppercased(Array(component.name.rawName.utf8))
    let uidLine = Array("UID".utf8)
    var lines: [(name: [UInt8], bytes: [UInt8])] = []
    var others: [UInt8] = []
    for property in component.properties {
      if property.isWellFormed {
        lines.append(CanonicalLine.line(property))
      } else {
        others += CanonicalLine.folded(Array(property.valueBytes.drop { $0 == 0x20 || $0 == 0x09 }))
      }
    }
    lines.sort {
      $0.name == $1.name
        ? $0.bytes.lexicographicallyPrecedes($1.bytes) : $0.name.lexicographicallyPrecedes($1.name)
    }
    var bytes = CanonicalLine.folded(Array("BEGIN:".utf8) + name)
    var uid: Int?
    for line in lines {
      if uid == nil, line.name == uidLine { uid = bytes.count }
      bytes += line.bytes
    }
    bytes += others
    let pieces = component.components.map(piece).sorted { $0.precedes($1) }
    bytes += pieces.flatMap(\.bytes)
    bytes += CanonicalLine.folded(Array("END:".utf8) + name)
    let isTimeZone = name == Array("VTIMEZONE".utf8)
    return Piece(
      name: isTimeZone ? [] : Array("BEGIN:".utf8) + name,
      uid: uid.map { Array(bytes[$0...]) } ?? [], bytes: bytes)
  }

  static func uppercased(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }
  }
}
