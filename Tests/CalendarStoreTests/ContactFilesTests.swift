// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import ICalSyntax
import TestSupport
import Testing

struct ContactFilesTests {
  let folder: TemporaryFolder
  /// An hour after the files were written.
  let later = Instant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970) + 3600)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func contacts(_ name: String? = nil) throws -> ContactFiles {
    let path = name.map { folder.path(of: $0) } ?? folder.path
    return try ContactFiles(path: path) { bytes, charset in
      guard charset == "UTF-16" else { return nil }
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
  }

  private func card(_ name: String, _ lines: String...) -> [String] {
    ["BEGIN:VCARD", "VERSION:3.0", "FN:\(name)", "BDAY:1985-04-12"] + lines + ["END:VCARD"]
  }

  @Test func `The files that end in vcf are contacts, and nothing else`() throws {
    for name in ["b.vcf", "a.VCF", ".hidden.vcf", "x.vcf.tmp", "color", "vcf"] {
      try folder.write(lines: card(name), to: name)
    }
    try folder.makeFolder("folder.vcf")
    try folder.write(lines: card("inner"), to: "folder.vcf/c.vcf")
    let contacts = try contacts()
    let listing = try contacts.listing(at: later)
    #expect(listing.files.map(\.name) == ["a.VCF", "b.vcf"])
    #expect(listing.undecodable.isEmpty)
    let cards = try #require(try contacts.read("b.vcf"))
    #expect(cards.cards.map(\.name) == ["b.vcf"])
    #expect(cards.faults.isEmpty)
    #expect(try contacts.read("absent.vcf") == nil)
    #expect(contacts.location == folder.path)
    #expect(!contacts.isSingleFile)
  }

  @Test func `A version changes with the file, and is uncertain just after a change`() throws {
    try folder.write(lines: card("A"), to: "a.vcf")
    let contacts = try contacts()
    let now = Instant(secondsSinceEpoch: later.secondsSinceEpoch - 3600)
    #expect(try contacts.listing(at: now).files.map(\.version) == [nil])
    let first = try contacts.listing(at: later)
    #expect(first.files.allSatisfy { $0.version != nil })
    #expect(try contacts.listing(at: later) == first)
    try folder.write(lines: card("AB"), to: "a.vcf")
    #expect(try contacts.listing(at: later) != first)
  }

  @Test func `Links, pipes, empty files and other files are faults, and are not followed`() throws {
    let outside = try TemporaryFolder()
    try outside.write(lines: card("A"), to: "a.vcf")
    try folder.link("link.vcf", to: outside.path(of: "a.vcf"))
    let made = unsafe mkfifo(folder.path(of: "pipe.vcf"), 0o600)
    #expect(made == 0)
    try folder.write([], to: "empty.vcf")
    try folder.write(lines: ["<!DOCTYPE html>"], to: "page.vcf")
    try folder.write(lines: card("A") + ["BEGIN:VCARD", "FN:B"], to: "cut.vcf")
    let contacts = try contacts()
    func faults(_ name: String) throws -> [String]? {
      try contacts.read(name)?.faults.map { "\($0.line ?? 0): \($0.reason)" }
    }
    #expect(try contacts.listing(at: later).files.count == 5)
    #expect(try faults("link.vcf") == ["0: a symbolic link, which is not followed"])
    #expect(try faults("pipe.vcf") == ["0: not a regular file"])
    #expect(try faults("empty.vcf") == ["0: the file is empty, as after a power failure"])
    #expect(try faults("page.vcf") == ["1: expected BEGIN:VCARD, found no vCard"])
    #expect(
      try faults("cut.vcf") == [
        "7: expected END:VCARD for the card that begins in line 6, found the end of the file"
      ])
    #expect(try contacts.read("cut.vcf")?.cards.map(\.name) == ["A"])
  }

  @Test func `A file has many cards, of which those without dates are counted only`() throws {
    try folder.write(
      lines: card("A") + ["BEGIN:VCARD", "FN:B", "END:VCARD"] + card("C"), to: "all.vcf")
    let contacts = try contacts("all.vcf")
    #expect(contacts.location == folder.path(of: "all.vcf"))
    #expect(contacts.isSingleFile)
    #expect(try contacts.listing(at: later).files.map(\.name) == ["all.vcf"])
    let cards = try #require(try contacts.read("all.vcf"))
    #expect(cards.cards.map(\.name) == ["A", "C"])
    #expect(cards.count == 3)
  }

  @Test func `A single file may be a link, and stays the file to which it leads`() throws {
    try folder.write(lines: card("A"), to: "all.vcf")
    try folder.link("link.vcf", to: "all.vcf")
    #expect(try contacts("link.vcf").location == folder.path(of: "all.vcf"))
  }

  @Test func `A file that is too large is not read`() throws {
    try folder.write(lines: card("A"), to: "a.vcf")
    let size = 64 << 20
    let resized = unsafe truncate(folder.path(of: "a.vcf"), off_t(size + 1))
    #expect(resized == 0)
    let cards = try #require(try contacts().read("a.vcf"))
    #expect(cards.faults.map(\.reason) == ["larger than \(size) bytes, which is not read"])
    #expect(cards.count == 0)
  }

  @Test func `A missing folder or file is an error`() throws {
    for name in ["none", "none.vcf"] {
      let error = #expect(throws: StoreError.self) { try contacts(name) }
      #expect(error?.code == .notFound)
    }
    try folder.write(lines: card("A"), to: "all.vcf")
    try folder.makeFolder("some")
    let (single, many) = (try contacts("all.vcf"), try contacts("some"))
    try FileManager.default.removeItem(atPath: folder.path(of: "all.vcf"))
    try FileManager.default.removeItem(atPath: folder.path(of: "some"))
    #expect(throws: StoreError.self) { try single.listing(at: later) }
    #expect(throws: StoreError.self) { try single.read("all.vcf") }
    #expect(throws: StoreError.self) { try many.listing(at: later) }
  }

  @Test func `A file in UTF-16 is decoded`() throws {
    let text = card("Zoë").map { $0 + "\r\n" }.joined()
    var bytes: [UInt8] = [0xFE, 0xFF]
    for unit in text.utf16 { bytes += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    try folder.write(bytes, to: "old.vcf")
    #expect(try contacts().read("old.vcf")?.cards.map(\.name) == ["Zoë"])
  }

  @Test func `Only a few faults of a file are kept`() throws {
    try folder.write(
      lines: Array(repeating: "END:VCARD", count: 1_000) + card("A"), to: "a.vcf")
    let cards = try #require(try contacts().read("a.vcf"))
    #expect(cards.faults.count == 20)
    #expect(cards.cards.map(\.name) == ["A"])
  }

  @Test func `Dates without an event have notes with their places`() throws {
    try folder.write(
      lines: ["BEGIN:VCARD", "FN:A", "BDAY:1985", "END:VCARD"] + card("B"), to: "a.vcf")
    #expect(
      try contacts().notes(at: later) == [
        "a.vcf:3: expected a date with a month and a day, found \"1985\""
      ])
  }
}
