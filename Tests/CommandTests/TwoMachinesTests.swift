// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Two machines with two calendars each, which share folders.
///
/// Each learns what the other one did to the changes that it made itself.
@Suite(.timeLimit(.minutes(60))) struct TwoMachinesTests {
  private let here: Sandbox
  private let there: Sandbox

  init() throws {
    (here, there) = (try Sandbox(), try Sandbox())
    let shared = here.folder.appending(path: "shared").path
    for machine in [here, there] {
      var lines: [String] = []
      for name in ["home", "work"] {
        let folder = machine.folder.appending(path: name)
        for path in [folder.path, "\(shared)/\(name)"] {
          try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        }
        lines += [
          "[calendar.\(name)]", "path = \"\(folder.path)\"", "[remote.\(name)]",
          "kind = \"folder\"", "path = \"\(shared)/\(name)\"", "[[sync]]", "name = \"\(name)\"",
          "calendar = \"\(name)\"", "remote = \"\(name)\"", "access = \"full\"",
        ]
      }
      let place = machine.folder.appending(path: "config/epact")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data((lines.joined(separator: "\n") + "\n").utf8)
        .write(to: place.appending(path: "config.toml"))
      for name in ["home", "work"] {
        try Self.run(
          "epact access \(name) --grant full --purpose 'Keeps the calendar of two machines'",
          on: machine)
      }
    }
  }

  @discardableResult
  private static func run(_ command: String, on machine: Sandbox) throws -> String {
    let result = try machine.run(command)
    #expect(result.status == 0, "\(command): \(result.errors)")
    return result.output + result.errors
  }

  @Test("The machine that deleted an item or an occurrence learns that it is back")
  func deletions() throws {
    try Self.run("epact new Cooking 2031-12-05 18:00 --in home", on: here)
    try Self.run("epact new Running 2031-12-05 19:00 --repeat daily --in home", on: here)
    for machine in [here, there] { try Self.run("epact sync", on: machine) }
    try Self.run("epact delete Cooking", on: here)
    try Self.run("epact delete Running --this 2031-12-06", on: here)
    try Self.run("epact edit Cooking --note Pasta", on: there)
    try Self.run("epact edit Running --this 2031-12-06 --note short", on: there)
    try Self.run("epact sync", on: here)
    try Self.run("epact sync", on: there)
    let reply = try Self.run("epact sync", on: here)
    #expect(reply.contains("\"Cooking\""), "\(reply)")
    #expect(reply.contains("deleted here, and on the remote again"), "\(reply)")
    #expect(
      reply.contains("deleted here, and there again: the occurrence of 2031-12-06 19:00"),
      "\(reply)")
    #expect(try !Self.run("epact sync", on: here).contains("deleted here"))
  }

  @Test("The machine that split a series learns of an edit of a later occurrence")
  func splits() throws {
    try Self.run("epact new Jam 2031-12-04 19:00 --repeat weekly --in home", on: here)
    for machine in [here, there] { try Self.run("epact sync", on: machine) }
    try Self.run("epact edit Jam --future 2031-12-11 --start 20:00", on: here)
    try Self.run("epact edit Jam --this 2031-12-18 --at Cave", on: there)
    for machine in [here, there] { try Self.run("epact sync", on: machine) }
    let reply = try Self.run("epact sync", on: here)
    #expect(
      reply.contains("no longer in the series, but edited: the occurrence of 2031-12-18 19:00"),
      "\(reply)")
  }

  @Test("A calendar that is renamed on one machine has its name on the other after the next sync")
  func names() throws {
    for machine in [here, there] { try Self.run("epact sync", on: machine) }
    try Self.run("epact calendars rename home House", on: here)
    for machine in [here, there] { try Self.run("epact sync", on: machine) }
    #expect(try Self.run("epact calendars list", on: there).contains("House"))
  }

  @Test("The machine that deleted an item learns that another one moved it")
  func deletionAndMove() throws {
    try Self.run("epact new Sauna 2031-12-05 18:00 --in home", on: here)
    for machine in [here, there] { try Self.run("epact sync", on: machine) }
    try Self.run("epact delete Sauna", on: here)
    try Self.run("epact move Sauna work", on: there)
    try Self.run("epact sync", on: there)
    let reply = try Self.run("epact sync", on: here)
    #expect(
      reply.contains("was deleted here from the calendar of home, and moved elsewhere"),
      "\(reply)")
    #expect(try !Self.run("epact sync", on: here).contains("moved elsewhere"))
    // A move of one's own brings nothing back.
    try Self.run("epact move Sauna home", on: here)
    #expect(try !Self.run("epact sync", on: here).contains("moved elsewhere"))
  }

  @Test("Both machines learn that an item is in two calendars after a move and an edit")
  func moves() throws {
    for isMoveFirst in [true, false] {
      let title = isMoveFirst ? "Opera" : "Massage"
      try Self.run("epact new \(title) 2031-12-05 18:00 --in home", on: here)
      for machine in [here, there] { try Self.run("epact sync", on: machine) }
      try Self.run("epact move \(title) work", on: here)
      try Self.run("epact edit \(title) 20:00", on: there)
      let order = isMoveFirst ? [here, there, here] : [there, here, there]
      let replies = try order.map { try Self.run("epact sync", on: $0) }
      for reply in replies.dropFirst() {
        #expect(reply.contains("\"\(title)\""), "\(reply)")
        #expect(reply.contains("is now in the calendars of home and work"), "\(reply)")
      }
      #expect(try !Self.run("epact sync", on: here).contains("is now in"))
    }
  }
}
