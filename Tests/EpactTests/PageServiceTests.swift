// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import TestSupport
import Testing

/// The units of the page for the user's systemd.
@Suite struct PageServiceTests {
  let folder: TemporaryFolder
  let machine: Machine

  init() throws {
    folder = try TemporaryFolder()
    var machine = Machine.live()
    machine.environment = ["PATH": machine.environment["PATH"] ?? ""]
    machine.homeFolder = folder.path
    self.machine = machine
  }

  private func texts(_ words: [String] = ["/usr/bin/epact-serve"]) throws -> [String: String] {
    let files = try PageService(machine: machine).files(port: 8338, words)
    return Dictionary(
      uniqueKeysWithValues: files.map { (URL(filePath: $0.path).lastPathComponent, $0.text) })
  }

  @Test func systemdListensOnThisMachineAndThePageAtASocketOfTheUser() throws {
    let texts = try texts()
    let socket = try #require(texts["epact-page.socket"])
    #expect(socket.contains("ListenStream=127.0.0.1:8338\nService=epact-page-proxy.service\n"))
    let page = try #require(texts["epact-page.service"])
    #expect(
      page.contains(
        "ExecStart=/usr/bin/epact-serve --socket %t/epact/page.sock --no-key "
          + "--host 127.0.0.1:8338 --host localhost:8338\n"))
    #expect(page.contains("StopWhenUnneeded=yes\n") && page.contains("NoNewPrivileges=yes\n"))
  }

  @Test func wordsAreQuoted() throws {
    let page = try texts(["/usr/my programs/epact-serve", "--config", "/50%/$x"])
    #expect(
      page["epact-page.service"]?.contains(
        "ExecStart=\"/usr/my programs/epact-serve\" --config \"/50%%/$$x\" --socket") == true)
  }

  @Test func systemdTakesTheUnits() throws {
    try folder.makeFolder("units")
    for (name, text) in try texts(["/bin/true"]) {
      try folder.write(text.utf8, to: "units/\(name)")
    }
    let paths = ["socket", "service"].map { folder.path(of: "units/epact-page.\($0)") }
    let words = ["systemd-analyze", "verify", "--user", "--man=no"] + paths
    var program = TestProgram(words)
    program.environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
    #expect(try program.run() == 0)
  }

  @Test func theServicesOfASyncAreRestrictedAsThePageIs() throws {
    let page = try #require(try texts()["epact-page.service"])
    let restrictions = page.split(separator: "\n").filter { line in
      ["NoNew", "Lock", "Restrict", "SystemCall"].contains(where: line.hasPrefix)
    }
    #expect(restrictions.count == 9)
    for times in [ScheduleTimes.daily(.usual), .always] {
      let job = ScheduledJob(
        times: times, delay: 0, names: [], config: nil, executable: "/usr/bin/epact")
      let files = SystemdTimer(machine: machine).files(for: job)
      let service = try #require(files.first { $0.path.hasSuffix(".service") }?.text)
      let lines = service.split(separator: "\n")
      #expect(restrictions.allSatisfy(lines.contains))
      // A run that ends with conflicts is no failure. A watch does not end with them.
      #expect(lines.contains("SuccessExitStatus=3") == (times != .always))
    }
  }

  @Test func aServiceNeedsAPassword() throws {
    let error = #expect(throws: EpactError.self) {
      _ = try PageService(machine: machine).install(port: 8338, ["/usr/bin/epact-serve"])
    }
    #expect(error?.remedy == .setPagePassword)
    #expect(try PageService(machine: machine).installed() == nil)
  }
}
