// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import TestSupport
import Testing

@Suite struct PagePasswordTests {
  let folder: TemporaryFolder
  let password: PagePassword

  init() throws {
    folder = try TemporaryFolder()
    var machine = Machine.live()
    machine.environment = [:]
    machine.homeFolder = folder.path
    password = PagePassword(machine: machine)
  }

  private var file: String { folder.path(of: ".local/state/epact/page-password") }

  @Test func noPasswordIsThereAtFirst() throws {
    #expect(try !password.isSet())
    #expect(try !password.matches(""))
    #expect(try !password.remove())
  }

  @Test(arguments: ["12345678", "Grüße, Welt", String(repeating: "x", count: 1024), "with\0a NUL"])
  func thePasswordAloneMatches(text: String) throws {
    try password.set(Secret(text))
    #expect(try password.isSet() && password.matches(text))
    for other in ["", text + " ", String(text.dropLast()), text.uppercased() + "x"] {
      #expect(try !password.matches(other), "\(other)")
    }
    #expect(try password.remove())
    #expect(try !password.isSet() && !password.matches(text))
  }

  @Test func aDigestByArgon2idIsStoredForTheUserOnly() throws {
    try password.set(Secret("correct horse"))
    let first = try String(contentsOfFile: file, encoding: .utf8)
    // RFC 9106 §3.1: version 0x13; OWASP asks for 19 MB and two passes at least.
    #expect(first.hasPrefix("$argon2id$v=19$m=32768,t=3,p=1$") && !first.contains("correct"))
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try password.set(Secret("correct horse"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) != first)
  }

  @Test(arguments: ["", "1234567", String(repeating: "x", count: 1025)])
  func aPasswordOfAnotherLengthIsRefused(text: String) throws {
    let error = #expect(throws: EpactError.self) { try password.set(Secret(text)) }
    #expect(error?.code == .argument)
    #expect(try !password.isSet())
  }

  @Test(arguments: ["", "\n", "x", "$argon2id$", String(repeating: "$", count: 100_000)])
  func aDamagedDigestMatchesNothing(text: String) throws {
    try password.set(Secret("correct horse"))
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    #expect(((try? password.matches("correct horse")) ?? false) == false)
  }
}
