// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import EpactCommands

/// What the script for bash completes, tried in bash.
struct CompletionTests {
  private static let configuration = """
    [calendar.home]
    path = "~/cal"
    [remote.club]
    kind = "folder"
    path = "~/club"
    [[sync]]
    name = "nightly"
    calendar = "home"
    remote = "club"
    """

  /// What bash offers for the last word of a command line.
  private func offers(_ line: String, _ sandbox: Sandbox) throws -> [String] {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let script = """
      source <(epact --generate-completion-script bash)
      COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(\(words.joined(separator: " ")))
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
      function=$(complete -p epact | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      "$function" epact "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try script.write(
      to: sandbox.folder.appending(path: "complete.bash"), atomically: true, encoding: .utf8)
    let result = try sandbox.run("bash complete.bash")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func filesAndNamesAreCompleted() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("mkdir -p config/epact cal; touch meeting.ics; mkdir meetings")
    try Self.configuration.write(
      to: sandbox.folder.appending(path: "config/epact/config.toml"), atomically: true,
      encoding: .utf8)
    for line in [
      "epact check mee", "epact import mee", "epact convert mee", "epact occurrences mee",
      "epact diff mee", "epact diff meeting.ics mee", "epact merge a b mee", "epact bench mee",
      "epact handoff mee", "epact check meeting.ics mee", "epact sync --config mee",
      "epact export home -o mee", "epact zones --file mee", "epact agenda mee",
      "epact init --ca-file mee",
    ] {
      #expect(try offers(line, sandbox).contains("meeting.ics"), "\(line)")
    }
    for (line, name) in [
      ("epact sync ", "nightly"), ("epact sync ni", "nightly"), ("epact status ni", "nightly"),
      ("epact conflicts --sync ni", "nightly"), ("epact history ni", "nightly"),
      ("epact schedule install ni", "nightly"), ("epact access cl", "club"),
      ("epact agenda ho", "home"), ("epact export ho", "home"), ("epact freebusy ho", "home"),
      ("epact import meeting.ics --into ho", "home"), ("epact month ho", "home"),
      ("epact agenda --zone Europe/Ber", "Europe/Berlin"), ("epact ag", "agenda"),
      ("epact sync --dry", "--dry-run"), ("epact watch ni", "nightly"),
      ("epact completions z", "zsh"), ("epact sync --color ne", "never"),
      ("epact man epact-sy", "epact-sync"), ("epact alarms list ho", "home"),
      ("epact schedule in", "install"), ("epact convert meeting.ics --to jc", "jcal"),
    ] {
      #expect(try offers(line, sandbox).contains(name), "\(line)")
    }
    #expect(try offers("epact access ni", sandbox).isEmpty)
    // A configuration that cannot be read completes nothing, and says nothing.
    _ = try sandbox.run("echo '[' >> config/epact/config.toml")
    #expect(try offers("epact sync ni", sandbox).isEmpty)
  }

  @Test func runsAreCompleted() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("mkdir -p config/epact cal club")
    try Self.configuration.write(
      to: sandbox.folder.appending(path: "config/epact/config.toml"), atomically: true,
      encoding: .utf8)
    try KillScene.text("a", "Planned").write(
      to: sandbox.folder.appending(path: "cal/a.ics"), atomically: true, encoding: .utf8)
    _ = try sandbox.run(
      "epact access club --grant full --purpose 'Keeps a copy on a disk'; epact sync")
    #expect(try offers("epact history ", sandbox) == ["nightly", "import", "1"])
    #expect(try offers("epact undo ", sandbox).contains("1"))
  }

  /// The completions of a shell other than bash are tried where it is installed.
  @Test(arguments: ["zsh", "fish"])
  func otherShellsComplete(shell: String) throws {
    let sandbox = try Sandbox()
    guard try sandbox.run("command -v \(shell)").status == 0 else { return }
    _ = try sandbox.run("mkdir -p config/epact cal; touch meeting.ics")
    try Self.configuration.write(
      to: sandbox.folder.appending(path: "config/epact/config.toml"), atomically: true,
      encoding: .utf8)
    let script = try sandbox.run("epact completions \(shell) > script")
    #expect(script.status == 0)
    #expect(try sandbox.run("\(shell) -n script").errors == "")
    guard shell == "fish" else { return }
    // Names are asked for with the command line of an interactive shell.
    for (line, name) in [
      ("epact sync --dry", "--dry-run"), ("epact ag", "agenda"), ("epact check mee", "meeting.ics"),
    ] {
      let result = try sandbox.run("fish -c 'source script; complete -C \"\(line)\"'")
      #expect(result.output.contains(name), "\(line): \(result.output)\(result.errors)")
    }
  }

  @Test func theScriptIsThatOfTheParser() throws {
    let sandbox = try Sandbox()
    for shell in ["bash", "zsh", "fish"] {
      let command = "epact completions \(shell)"
      #expect(
        try sandbox.run(command).output
          == sandbox.run("epact --generate-completion-script \(shell)").output)
    }
  }

  @Test func theCalendarsOfTheTourAreThoseOfTheFixtures() throws {
    let folder = Sandbox.fixtures.appending(path: "tour")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".ics") }.sorted()
    #expect(TourCalendars.files.map(\.name) == names)
    for file in TourCalendars.files {
      let bytes = try Data(contentsOf: folder.appending(path: file.name))
      #expect(Data(file.bytes) == bytes, "\(file.name)")
    }
  }
}
