// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// The identity of the program of a process, from its property list.
@Suite struct ProgramTests {
  let scene: ProgramScene

  init() throws {
    scene = try ProgramScene()
    for name in ["bin", "Contents/MacOS"] {
      try FileManager.default.createDirectory(
        atPath: scene.folder.path(of: name), withIntermediateDirectories: true)
    }
  }

  private func list(_ entries: [String]) -> [String] {
    [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
        + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
      "<plist version=\"1.0\"><dict>",
    ] + entries + ["</dict></plist>"]
  }

  private static let entries = [
    "<key>CFBundleIdentifier</key><string>org.example.booker</string>",
    "<key>CFBundleName</key><string>Booker &amp; Co</string>",
    "<key>LSMinimumSystemVersion</key><real>14.0</real>",
    "<key>UIDeviceFamily</key><array><integer>1</integer></array>",
    "<key>NSCalendarsFullAccessUsageDescription</key><string>Finds “free”\nevenings</string>",
    "<key>NSRemindersFullAccessUsageDescription</key><true/>",
  ]

  private var current: Program { .current(machine: scene.machine) }

  @Test("Without a property list, the path of the executable is the identifier")
  func bare() {
    #expect(current.identifier == scene.folder.path(of: "bin/booker"))
    #expect((current.name, current.purposes) == ("booker", [:]))
    #expect(scene.notes.isEmpty)
  }

  @Test(
    "The property list is beside the executable, or in the folder above",
    arguments: [
      "bin/Info.plist", "Info.plist",
    ])
  func xml(path: String) throws {
    try scene.folder.write(lines: list(Self.entries), to: path)
    #expect((current.identifier, current.name) == ("org.example.booker", "Booker & Co"))
    let purpose = try #require(current.purpose(of: .full, for: .events))
    #expect(purpose.split(whereSeparator: \.isNewline) == ["Finds “free”", "evenings"])
    #expect(current.purpose(of: .writeOnly, for: .events) == nil)
    #expect(current.purpose(of: .full, for: .reminders) == nil)
    #expect(scene.notes.isEmpty)
  }

  @Test func theBinaryFormIsRead() throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: [
        "CFBundleIdentifier": "org.example.booker", "CFBundleDisplayName": "Bücher",
        "NSRemindersFullAccessUsageDescription": "Reminds you", "LSRequiresIPhoneOS": true,
      ] as [String: Any], format: .binary, options: 0)
    try scene.folder.write(data, to: "bin/Info.plist")
    #expect((current.identifier, current.name) == ("org.example.booker", "Bücher"))
    #expect(current.purpose(of: .full, for: .reminders) == "Reminds you")
  }

  @Test(
    "A malformed list is reported and ignored",
    arguments: [
      "", "nonsense", "<plist><dict><key>a</key>", "<plist><array/></plist>", "bplist00\u{1}",
    ])
  func malformed(text: String) throws {
    try scene.folder.write(text.utf8, to: "bin/Info.plist")
    #expect(current.identifier == scene.folder.path(of: "bin/booker"))
    let path = scene.folder.path(of: "bin/Info.plist")
    #expect(scene.notes.first == "\(path) is not a property list, and is ignored")
  }

  @Test func theListOfAnotherExecutableIsIgnored() throws {
    let other = Self.entries + ["<key>CFBundleExecutable</key><string>other</string>"]
    try scene.folder.write(lines: list(other), to: "bin/Info.plist")
    #expect(current.identifier == scene.folder.path(of: "bin/booker"))
    let own = Self.entries + ["<key>CFBundleExecutable</key><string>booker</string>"]
    try scene.folder.write(lines: list(own), to: "bin/Info.plist")
    #expect(current.identifier == "org.example.booker")
  }

  @Test("An identifier with invisible characters is none")
  func invisible() throws {
    let entries = ["<key>CFBundleIdentifier</key><string>org.example.boo\u{202E}ker</string>"]
    try scene.folder.write(lines: list(entries), to: "bin/Info.plist")
    #expect(current.identifier == scene.folder.path(of: "bin/booker"))
  }
}
