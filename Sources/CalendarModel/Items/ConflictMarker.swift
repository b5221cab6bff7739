// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// A line by which a version control system marks two versions of a part of a file.
///
/// The lines between such marks are in the file twice, so that a reader would take both versions.
package enum ConflictMarker {
  private static let marks = ["<<<<<<<", ">>>>>>>"].map { Array($0.utf8) }

  /// Checks that a file has no conflict markers.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - diagnostics: The diagnostics of its content lines; a marker is not a content line.
  /// - Throws: `ItemError` with the position of the first marker.
  package static func expectNone(
    in bytes: [UInt8], _ diagnostics: [Diagnostic]
  ) throws(ItemError) {
    // Nearly all files have no such line, and are not searched.
    guard diagnostics.contains(where: { $0.code == .malformedLine }) else { return }
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    {
      guard let mark = marks.first(where: { line.starts(with: $0) }) else { continue }
      throw ItemError(
        code: .incomplete, position: SourcePosition(line: number + 1, column: 1),
        message: "expected a content line, found the conflict marker "
          + "\(String(decoding: mark, as: UTF8.self)) of a version control system; keep one version"
      )
    }
  }
}
