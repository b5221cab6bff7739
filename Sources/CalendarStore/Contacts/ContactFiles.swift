// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
package import CivilTime
package import ICalSyntax

/// A folder of `.vcf` files, as khard and vdirsyncer keep them (vdir), or one file with many cards.
///
/// - In a folder, the files whose name ends in `.vcf` are read. Hidden files and folders are ignored.
///   Symbolic links and pipes are not followed.
/// - The path itself may be a symbolic link, which is the user's choice.
/// - A missing folder or file is an error, because the contacts in it were not deleted.
package struct ContactFiles: ContactSource {
  /// The maximum size of a file in a folder, and of a single file, in bytes.
  private static let sizeLimits = (inFolder: 64 << 20, single: 512 << 20)
  /// The number of bytes that are read at once.
  private static let blockSize = 1 << 16

  private let anchor: FolderAnchor
  /// The name of the single file; nil for a folder.
  private let fileName: String?
  private let charsets: VCalendarReader.CharsetDecoder

  /// Opens a folder or, if the path ends in `.vcf`, a file.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - charsets: The decoder of character sets other than UTF-8.
  /// - Throws: `StoreError`; with the code `.notFound` if there is nothing at the path.
  package init(
    path: String, charsets: @escaping VCalendarReader.CharsetDecoder
  ) throws(StoreError) {
    self.charsets = charsets
    guard Self.hasEnding(path.utf8) else {
      (anchor, fileName) = (try FolderAnchor(try FolderPath.canonical(path)), nil)
      return
    }
    do throws(StoreError) {
      let place = FilePlace(try FolderPath.canonical(path))
      (anchor, fileName) = (try FolderAnchor(place.folder), place.name)
    } catch {
      throw error.code == .notFound ? Self.missing(path) : error
    }
  }

  package var location: String {
    guard let fileName else { return anchor.path }
    return anchor.path == "/" ? "/" + fileName : "\(anchor.path)/\(fileName)"
  }

  package var place: String { anchor.identity.text }

  package var isSingleFile: Bool { fileName != nil }

  /// Whether a name ends in `.vcf`, in any case, because an overlooked file would look deleted.
  package static func hasEnding(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    let ending = name.suffix(4)
    // This sets the bit of lowercase letters, which a full stop already has.
    return ending.count == 4 && zip(ending, ".vcf".utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  // MARK: Files

  /// Lists the files with the status from which changes are detected.
  ///
  /// - Throws: `StoreError`; with the code `.notFound` if the single file does not exist.
  package func listing(at now: Instant) throws -> ContactListing {
    let folder = try anchor.open()
    if let fileName {
      guard let status = try folder.status(of: fileName) else {
        throw Self.missing(location)
      }
      return ContactListing(files: [Self.file(fileName, status, now)])
    }
    let names = try folder.listing()
    var files: [ContactListing.File] = []
    var undecodable: [String] = []
    for index in names.indices where names[index].first != 0x2E && Self.hasEnding(names[index]) {
      let status = folder.status(of: names, at: index)
      guard status?.kind != .folder else { continue }
      if let name = String(validating: names[index].span) {
        files.append(Self.file(name, status, now))
      } else {
        undecodable.append(String(decoding: names[index], as: UTF8.self))
      }
    }
    try anchor.check()
    return ContactListing(files: files, undecodable: undecodable)
  }

  /// The file with its version, which is uncertain if it was changed less than two seconds ago.
  private static func file(
    _ name: String, _ status: FileStatus?, _ now: Instant
  ) -> ContactListing.File {
    guard let status, status.kind == .file, !status.isDoubtful(at: now) else {
      return ContactListing.File(name: name, version: nil)
    }
    let stamp = FileStamp(status)
    let numbers = [stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.number]
    return ContactListing.File(
      name: name, version: numbers.map { String($0, radix: 16) }.joined(separator: "-"))
  }

  private static func missing(_ path: String) -> StoreError {
    StoreError(code: .notFound, path: path, message: "the file does not exist")
  }

  // MARK: Cards

  /// Reads a file in blocks.
  ///
  /// - Throws: `CancellationError` in a cancelled task; `StoreError` if the folder was replaced, or
  ///   the single file cannot be read.
  package func read(_ name: String) throws -> ContactCards? {
    try Task.checkCancellation()
    let folder = try anchor.open()
    do throws(StoreError) {
      return try cards(of: try folder.openFile(name))
    } catch {
      if isSingleFile { throw error.code == .notFound ? Self.missing(location) : error }
      guard try folder.status(of: name) != nil else { return nil }
      var cards = ContactCards()
      cards.faults = [ContactCards.Fault(line: nil, reason: error.message)]
      return cards
    }
  }

  private func cards(of file: consuming OpenFile) throws(StoreError) -> ContactCards {
    let limit = isSingleFile ? Self.sizeLimits.single : Self.sizeLimits.inFolder
    try Self.expect(try file.status().size, atMost: limit, at: file.path)
    var block = try file.read(atMost: Self.blockSize)
    guard !block.isEmpty else {
      var cards = ContactCards()
      cards.faults = [
        ContactCards.Fault(line: nil, reason: "the file is empty, as after a power failure")
      ]
      return cards
    }
    var reading = CardReading(charsets)
    if block.starts(with: [0xFE, 0xFF]) || block.starts(with: [0xFF, 0xFE]) {
      // Old versions of Apple's Contacts export UTF-16.
      let rest = try file.readAll(limit: Self.sizeLimits.inFolder)
      if let text = charsets(block + rest, "UTF-16") {
        reading.take(text)
      } else {
        reading.cards.faults.append(
          ContactCards.Fault(line: 1, reason: "expected UTF-8, found invalid UTF-16"))
      }
      return reading.finish()
    }
    var size = 0
    while !block.isEmpty {
      // The file may grow while it is read.
      size += block.count
      try Self.expect(size, atMost: limit, at: file.path)
      reading.take(block)
      block = try file.read(atMost: Self.blockSize)
    }
    return reading.finish()
  }

  private static func expect(
    _ size: Int, atMost limit: Int, at path: String
  ) throws(StoreError) {
    guard size > limit else { return }
    throw StoreError(
      code: .tooLarge, path: path, message: "larger than \(limit) bytes, which is not read")
  }

  // MARK: Notes

  /// The dates without an event, as `FILE:LINE: REASON`.
  ///
  /// - Throws: `StoreError` if the files cannot be listed.
  package func notes(at now: Instant) throws -> [String] {
    try listing(at: now).files.flatMap { file in
      let cards = try read(file.name)?.cards ?? []
      return cards.flatMap(\.notes).map { "\(file.name):\($0.position.line): \($0.message)" }
    }
  }
}

/// The cards of a file that is read in blocks.
private struct CardReading: ~Copyable {
  /// The maximum number of reported parts of a file; after more, it is probably something else.
  private static let faultLimit = 20

  private var reader: VCardReader
  var cards = ContactCards()

  init(_ charsets: @escaping VCalendarReader.CharsetDecoder) {
    reader = VCardReader(decoder: charsets)
  }

  mutating func take(_ block: [UInt8]) {
    do throws(SyntaxError) { try reader.consume(block.span) } catch { note(error) }
    collect()
  }

  consuming func finish() -> ContactCards {
    do throws(SyntaxError) { try reader.finish() } catch { note(error) }
    collect()
    return cards
  }

  private mutating func collect() {
    while let element = reader.next() {
      switch element {
      case .card(let card):
        cards.count += 1
        // Most cards have no date, and nothing of them is kept.
        if card.birthday != nil || card.anniversary != nil || !card.notes.isEmpty {
          cards.cards.append(card)
        }
      case .rejected(let fault): note(SyntaxError(fault))
      }
    }
  }

  private mutating func note(_ error: SyntaxError) {
    guard cards.faults.count < Self.faultLimit else { return }
    cards.faults.append(
      ContactCards.Fault(
        line: error.diagnostic.position.line, reason: error.diagnostic.message))
  }
}
