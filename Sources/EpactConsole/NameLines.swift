// SPDX-License-Identifier: Apache-2.0

package import CalendarFiles
import Dispatch
import Epact

/// Names on lines of a stream, each of which is returned as soon as its line is complete: another program
/// may wait for the answer to a name before it writes the next one.
package final class NameLines: @unchecked Sendable {
  // All properties are used on the queue alone.
  private let queue = DispatchQueue(label: "org.epact.names")
  private var stream: InputStream
  private var bytes: [UInt8] = []
  private var place = 0
  private var isOver = false
  private let label: String

  /// The maximum length of a line, in bytes.
  private static let limit = 4096

  /// Opens a list.
  ///
  /// - Throws: `FileError` if it cannot be read.
  package init(_ source: FileSource) throws {
    label = source.label
    do {
      stream = try source.open()
    } catch {
      throw source.named(error)
    }
  }

  /// The next name, without blanks around it; nil at the end.
  ///
  /// Empty lines are skipped.
  ///
  /// - Throws: `EpactError` if the stream cannot be read, has a line that is too long, or is not UTF-8.
  package func next() async throws -> String? {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in continuation.resume(with: Result { try read() }) }
    }
  }

  private func read() throws -> String? {
    while true {
      if let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = bytes[place..<end]
        place = end + 1
        if let name = try name(line) { return name }
        continue
      }
      guard !isOver else {
        defer { place = bytes.count }
        return place < bytes.count ? try name(bytes[place...]) : nil
      }
      guard bytes.count - place <= Self.limit else {
        throw EpactError(.argument, "\(label) has a line of more than \(Self.limit) bytes")
      }
      do {
        let chunk = try stream.nextChunk()
        bytes = Array(bytes[place...]) + chunk
        place = 0
        isOver = chunk.isEmpty
      } catch let error as SystemError {
        throw EpactError(.failed, "cannot read \(label): \(error)")
      }
    }
  }

  private func name(_ line: ArraySlice<UInt8>) throws -> String? {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw EpactError(.argument, "\(label) has a line that is not UTF-8")
    }
    let words = text.split(omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
