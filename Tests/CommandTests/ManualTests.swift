// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The pages of the manual.
struct ManualTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    _ = try sandbox.run("SOURCE_DATE_EPOCH=1700000000 epact man --output man")
  }

  private func page(_ name: String) throws -> String {
    let section = name.suffix(1)
    return try String(
      contentsOf: sandbox.folder.appending(path: "man/man\(section)/\(name)"), encoding: .utf8)
  }

  @Test func everyCommandHasAPageWithItsOptions() throws {
    let reference = try CommandReference(sandbox)
    let commands = reference.commands
    #expect(commands.count > 25)
    for command in commands {
      let name = "epact-" + command.name.replacing(" ", with: "-")
      let page = try page(name + ".1")
      for option in command.options {
        #expect(page.contains("Fl \\-" + option.replacing("-", with: "\\-")), "\(name) --\(option)")
      }
    }
    let first = try page("epact.1")
    for command in commands where !command.name.contains(" ") {
      #expect(first.contains(".It Xr epact-\(command.name) 1\n"))
    }
  }

  @Test func theDateCanBeFixed() throws {
    #expect(try page("epact.1").hasPrefix(".Dd November 14, 2023\n.Dt EPACT 1\n"))
  }

  @Test func thePageOfTheConfigurationIsTheArticle() throws {
    let page = try page("epact.toml.5")
    for key in [
      "history\\-days", "on\\-failure", "on\\-change", "password\\-command", "max\\-delete",
      "default\\-calendar",
    ] {
      #expect(page.contains(".It \"\(key)"), "\(key)")
    }
    #expect(!page.contains("`"))
  }

  @Test func onePageIsPrinted() throws {
    #expect(try sandbox.run("epact man").output.contains(".Nm epact\n"))
    let page = try sandbox.run("SOURCE_DATE_EPOCH=1700000000 epact man epact-sync").output
    #expect(try page == self.page("epact-sync.1"))
    let unknown = try sandbox.run("epact man epact-snyc")
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("did you mean \"epact-sync\"?"))
  }

  @Test func mandocFindsThePagesValid() throws {
    // Matters of style include references to pages that are not installed here.
    let result = try sandbox.run("mandoc -T lint -W warning man/man*/*")
    #expect(result.status == 0)
    #expect(result.output == "")
    let text = try sandbox.run("mandoc -T html man/man1/epact-sync.1").output
    #expect(text.contains("--allow-delete"))
  }
}
