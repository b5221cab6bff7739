// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// A calendar file or standard input, read in chunks by the parser.
struct CalendarInput: Sendable {
  /// What is read.
  let source: InputFiles.Source

  /// Reads to the end and hands out what is found, in the order of the stream.
  ///
  /// A limit of the parser ends the reading; the diagnostic that says so is handed out like the others.
  ///
  /// - Throws: `SystemError`, `CancellationError`, or what `body` throws.
  func read(_ body: (ReaderElement) throws -> Void) throws {
    var stream = try source.open()
    var reader = ComponentReader()
    var isLimitReached = false
    repeat {
      let chunk = try stream.nextChunk()
      do throws(SyntaxError) {
        if chunk.isEmpty {
          try reader.finish()
        } else {
          try reader.consume(chunk.span)
        }
      } catch {
        isLimitReached = true
      }
      while let element = reader.next() { try body(element) }
      if chunk.isEmpty { return }
    } while !isLimitReached
  }
}
