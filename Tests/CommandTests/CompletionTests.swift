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

  /// Drives zsh on a terminal: each line is completed, and written to the file `out`.
  private static let zsh = """
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'PS1=; fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -d $PWD/dump'
    zpty -w shell 'report() { zle complete-word; print -r -- "$BUFFER" >> out; BUFFER=; }'
    zpty -w shell 'zle -N report; bindkey "^T" report; echo > ready'
    for i in {1..6000}; do [[ -e ready ]] && break; sleep 0.1; done
    number=0
    while read -r line; do
      (( number++ ))
      zpty -w -n shell "$line"$'\\x14'
      for i in {1..6000}; do [[ -e out && $(wc -l < out) -ge $number ]] && break; sleep 0.1; done
    done
    zpty -d shell
    """

  /// Drives fish in the same way.
  private static let fish = """
    ( for i in $(seq 6000); do [ -e ready ] && break; sleep 0.1; done
      number=0
      while read -r line; do
        number=$((number + 1))
        printf '%s\\t\\024' "$line"
        for i in $(seq 6000); do
          [ "$(cat out 2> /dev/null | wc -l)" -ge $number ] && break; sleep 0.1
        done
      done
      printf 'exit\\n' ) | script -qfc 'fish --private -i -C "source setup.fish"' shown > /dev/null
    """

  /// The shells other than bash, with the commands that prepare and drive them.
  static let shells = [
    (
      "zsh", zsh,
      "mkdir functions; epact completions zsh > functions/_epact; zsh -n functions/_epact"
    ),
    (
      "fish", fish,
      """
      epact completions fish > setup.fish; fish -n setup.fish
      printf '%s\\n' "function report; commandline >> out; commandline -r ''; end" \
        'bind \\ct report; touch ready' >> setup.fish
      """
    ),
  ]

  @Test(.timeLimit(.minutes(60)), arguments: shells)
  func otherShellsComplete(shell: String, driver: String, preparation: String) throws {
    let sandbox = try Sandbox()
    try #require(
      try sandbox.run("command -v \(shell)").status == 0, "\(shell) is missing: run .ci/setup")
    _ = try sandbox.run("mkdir -p config/epact cal; touch meeting.ics")
    try Self.configuration.write(
      to: sandbox.folder.appending(path: "config/epact/config.toml"), atomically: true,
      encoding: .utf8)
    try driver.write(
      to: sandbox.folder.appending(path: "driver"), atomically: true, encoding: .utf8)
    let prepared = try sandbox.run(preparation)
    #expect(prepared.status == 0 && prepared.errors == "", "\(prepared.errors)")
    let lines = [
      ("epact sync --dry", "epact sync --dry-run"), ("epact ag", "epact agenda"),
      ("epact check mee", "epact check meeting.ics"), ("epact sync ni", "epact sync nightly"),
      ("epact completions z", "epact completions zsh"),
    ]
    let input = lines.map { "\($0.0)\n" }.joined()
    let result = try sandbox.run(
      "printf '\(input)' | \(shell == "zsh" ? "zsh -f" : "sh") driver; sed 's/ *$//' out")
    #expect(
      result.output.split(separator: "\n").map(String.init) == lines.map(\.1),
      "\(result.output) \(result.errors)")
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
