// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A sync that is killed, again and again, and then run to its end.
@Suite(.timeLimit(.minutes(5))) struct KillTests {
  /// The most runs that are killed; each goes on where the one before was cut off.
  private static let kills = 40

  @Test func `Nothing is lost and nothing doubled when a sync is killed`() throws {
    let sandbox = try Sandbox()
    let local = try folder("local", in: sandbox)
    let remote = try folder("remote", in: sandbox)
    for number in 0..<30 {
      try write("here-\(number)", "Here \(number)", to: local)
      try write("there-\(number)", "There \(number)", to: remote)
    }
    try configure(sandbox)
    #expect(try sandbox.run("epact sync").status == 0)
    var expected = try summaries(local)
    #expect(expected.count == 60)
    #expect(try summaries(remote) == expected)

    for number in 0..<10 {
      try write("here-\(number)", "Edited here \(number)", to: local)
      expected["here-\(number)"] = "Edited here \(number)"
      try write("there-\(number)", "Edited there \(number)", to: remote)
      expected["there-\(number)"] = "Edited there \(number)"
    }
    for number in 30..<70 {
      try write("here-\(number)", "Here \(number)", to: local)
      expected["here-\(number)"] = "Here \(number)"
      try write("there-\(number)", "There \(number)", to: remote)
      expected["there-\(number)"] = "There \(number)"
    }
    for number in 20..<25 {
      try FileManager.default.removeItem(at: local.appending(path: "there-\(number).ics"))
      try FileManager.default.removeItem(at: remote.appending(path: "here-\(number).ics"))
      expected["there-\(number)"] = nil
      expected["here-\(number)"] = nil
    }

    let killed = try killAgainAndAgain(sandbox)
    #expect(killed > 3, "the sync was too quick to be killed")
    #expect(try sandbox.run("epact sync").status == 0)
    #expect(try summaries(local) == expected)
    #expect(try summaries(remote) == expected)
    for side in [local, remote] {
      let names = try FileManager.default.contentsOfDirectory(atPath: side.path)
      #expect(names.count == expected.count, "left over: \(names.filter { !$0.hasSuffix(".ics") })")
    }
    let before = try times(local).merging(times(remote)) { first, _ in first }
    #expect(try sandbox.run("epact sync").status == 0)
    #expect(try times(local).merging(times(remote)) { first, _ in first } == before)
  }

  /// Runs syncs that are killed, each a little later than the one before; how many were.
  private func killAgainAndAgain(_ sandbox: Sandbox) throws -> Int {
    var killed = 0
    for number in 0..<Self.kills {
      let process = Process()
      process.executableURL = Sandbox.programs.appending(path: "epact")
      process.arguments = ["sync"]
      process.environment = sandbox.environment
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32(20_000 + number * 7_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if process.terminationReason == .exit { break }
      killed += 1
    }
    return killed
  }

  private func configure(_ sandbox: Sandbox) throws {
    let configuration = """
      [calendar.mine]
      path = "\(sandbox.folder.path)/local"
      [remote.disk]
      kind = "folder"
      path = "\(sandbox.folder.path)/remote"
      [[sync]]
      name = "nightly"
      calendar = "mine"
      remote = "disk"

      """
    let place = sandbox.folder.appending(path: "config/epact")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(configuration.utf8).write(to: place.appending(path: "config.toml"))
    let grant = "epact access disk --grant full --purpose 'Keeps a copy of my calendar on a disk'"
    #expect(try sandbox.run(grant).status == 0)
  }

  private func folder(_ name: String, in sandbox: Sandbox) throws -> URL {
    let url = sandbox.folder.appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  private func write(_ uid: String, _ summary: String, to folder: URL) throws {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20260101T000000Z", "DTSTART:20260310T090000Z", "SUMMARY:\(summary)", "END:VEVENT",
      "END:VCALENDAR", "",
    ]
    try Data(lines.joined(separator: "\r\n").utf8).write(to: folder.appending(path: "\(uid).ics"))
  }

  /// The summary of each UID in a folder; a UID that is there twice has both.
  private func summaries(_ folder: URL) throws -> [String: String] {
    var result: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".ics") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      func value(_ property: String) -> String {
        text.split(separator: "\r\n").first { $0.hasPrefix(property + ":") }
          .map { String($0.dropFirst(property.count + 1)) } ?? ""
      }
      result[value("UID"), default: ""] += value("SUMMARY")
    }
    return result
  }

  /// When each file of a folder was last changed.
  private func times(_ folder: URL) throws -> [String: Date] {
    var result: [String: Date] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.appending(path: name).path
      result[path] =
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
    return result
  }
}
