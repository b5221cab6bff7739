// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// What must hold for any file, tried on every fixture.
@Suite("The corpus, read as a stream")
struct StreamCorpusTests {
  private func elements(_ bytes: [UInt8], chunk: Int) -> [ReaderElement] {
    var reader = ComponentReader()
    var elements: [ReaderElement] = []
    do {
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        try reader.consume(Array(bytes[start..<min(start + chunk, bytes.count)]).span)
        while let element = reader.next() { elements.append(element) }
      }
      try reader.finish()
    } catch {
      // Where a limit stops the reader must not depend on the chunks either: compared below.
    }
    while let element = reader.next() { elements.append(element) }
    return elements
  }

  @Test("Where the chunks are cut never changes what comes out", arguments: [1, 2, 3, 7, 64])
  func chunks(size: Int) throws {
    for fixture in try Fixture.allCalendars() {
      let whole = elements(fixture.bytes, chunk: max(1, fixture.bytes.count))
      let pieces = elements(fixture.bytes, chunk: size)
      #expect(pieces == whole, "\(fixture.path) in chunks of \(size)")
    }
  }

  @Test("A calendar that nobody changed is written back byte for byte")
  func untouched() throws {
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      // A last line without a line end is given one.
      let original = fixture.bytes + [0x0D, 0x0A]
      for calendar in stream.calendars where calendar.isComplete {
        #expect(original.contains(Serializer().bytes(of: calendar)), "\(fixture.path)")
      }
    }
  }

  @Test("What is written reads back as the same components, whatever was wrong with it")
  func readsBack() throws {
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      for calendar in stream.calendars {
        let bytes = Serializer(lineEnds: .normalized).bytes(of: calendar)
        let again = try CalendarStream(parsing: bytes)
        #expect(again.calendars == [calendar], "\(fixture.path)")
        let bare = again.diagnostics.filter { $0.code == .lineEnd }
        #expect(bare.isEmpty, "\(fixture.path) has line ends that are not CRLF")
      }
    }
  }

  @Test("The beginning of a file gives the beginning of its components, complete ones only")
  func prefixes() throws {
    for fixture in try Fixture.allCalendars() where fixture.bytes.count < 2_000 {
      let whole = elements(fixture.bytes, chunk: max(1, fixture.bytes.count)).completeComponents
      for length in stride(from: 0, to: fixture.bytes.count, by: 13) {
        let prefix = Array(fixture.bytes.prefix(length))
        let found = elements(prefix, chunk: max(1, length)).completeComponents
        #expect(found == Array(whole.prefix(found.count)), "\(fixture.path) cut at \(length)")
      }
    }
  }
}

extension [ReaderElement] {
  fileprivate var completeComponents: [Component] {
    compactMap {
      guard case .component(let component) = $0, component.isComplete else { return nil }
      return component
    }
  }
}
