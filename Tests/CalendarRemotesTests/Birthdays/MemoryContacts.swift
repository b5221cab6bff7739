// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import ICalSyntax
import Synchronization

/// Contacts in memory: the text of a file by its name.
final class MemoryContacts: ContactSource {
  private struct State {
    var files: [String: (text: String, version: Int)] = [:]
    var isMissing = false
    var reads = 0
    var place = "disk"
  }

  private let state = Mutex(State())
  let isSingleFile: Bool
  let location = "/home/ada/contacts"

  init(isSingleFile: Bool = false) {
    self.isSingleFile = isSingleFile
  }

  var place: String { state.withLock { $0.place } }

  /// The number of files that were read since the last call.
  func takeReads() -> Int {
    state.withLock { state in
      defer { state.reads = 0 }
      return state.reads
    }
  }

  /// Writes a file with cards of these lines.
  func write(_ cards: [String]..., to name: String) {
    let lines = cards.flatMap { ["BEGIN:VCARD", "VERSION:3.0"] + $0 + ["END:VCARD"] }
    write(text: lines.map { $0 + "\r\n" }.joined(), to: name)
  }

  func write(text: String, to name: String) {
    state.withLock { state in
      state.files[name] = (text, (state.files[name]?.version ?? 0) + 1)
    }
  }

  func remove(_ name: String) { _ = state.withLock { $0.files.removeValue(forKey: name) } }

  func rename(_ name: String, to other: String) {
    state.withLock { $0.files[other] = $0.files.removeValue(forKey: name) }
  }

  /// Makes the folder missing, or another disk appear at its path.
  func set(isMissing: Bool = false, place: String = "disk") {
    state.withLock { ($0.isMissing, $0.place) = (isMissing, place) }
  }

  func listing(at now: Instant) throws -> ContactListing {
    try state.withLock { state in
      guard !state.isMissing else { throw Missing() }
      return ContactListing(
        files: state.files.sorted { $0.key < $1.key }.map { name, file in
          ContactListing.File(name: name, version: "\(file.version)")
        })
    }
  }

  struct Missing: Error {}

  func read(_ name: String) throws -> ContactCards? {
    guard let text = state.withLock({ $0.files[name]?.text }) else { return nil }
    state.withLock { $0.reads += 1 }
    var reader = VCardReader()
    try reader.consume(Array(text.utf8).span)
    try reader.finish()
    var cards = ContactCards()
    while let element = reader.next() {
      switch element {
      case .card(let card):
        cards.cards.append(card)
        cards.count += 1
      case .rejected(let fault):
        cards.faults.append(.init(line: fault.position.line, reason: fault.message))
      }
    }
    return cards
  }
}
