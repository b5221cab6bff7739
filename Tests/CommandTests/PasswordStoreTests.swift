// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Passwords that `epact init` keeps in a keyring, or in a file that systemd encrypts.
@Suite(.timeLimit(.minutes(60))) struct PasswordStoreTests {
  private static func command(_ server: PretendServer, _ place: String) -> String {
    """
    printf '%s' '\(PretendServer.password)' | epact init \(server.address)/ --name club --user ada \
      --password-stdin --keep-password \(place) --all --access full --no-check --path '~/cals' \
      --purpose 'Keeps what is planned here and there in step'
    """
  }

  private static let isRoot = getuid() == 0
  private static let hasCredentials =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-creds")

  private func config(_ sandbox: Sandbox) throws -> String {
    try String(
      contentsOf: sandbox.folder.appending(path: "config/epact/config.toml"), encoding: .utf8)
  }

  @Test func `A keyring keeps the password, and each sync asks it`() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let result = try sandbox.runWithKeyring(
      """
      \(Self.command(server, "keyring")) || exit 1
      secret-tool lookup service epact user ada; echo
      epact sync
      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("\n\(PretendServer.password)\n"), "\(result.output)")
    #expect(result.output.contains("club-home: "))
    let host = server.address.replacing("http://", with: "")
    #expect(
      try config(sandbox).contains(
        "password-command = [\"secret-tool\", \"lookup\", \"service\", \"epact\", \"account\", "
          + "\"\(host)\", \"user\", \"ada\"]"))
    #expect(try sandbox.run("ls config/epact").output == "config.toml\n")
    #expect(try sandbox.run("grep -rl '\(PretendServer.password)' config state cals").output == "")
    // Without the keyring there is no password.
    #expect(try sandbox.run("epact sync").status == 77)
  }

  @Test func `Only the places that work are offered`() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let result = try sandbox.run(Self.command(server, "keyring"))
    #expect(result.status == 75, "\(result.errors)")
    #expect(result.errors.contains("there is no keyring for passwords on this machine"))
    #expect(result.errors.contains("There is: file"))
    #expect(try sandbox.run("ls").output == "")
    let both = try sandbox.run(
      "epact init \(server.address)/ --keep-password file --password-command 'echo x'")
    #expect(both.status == 64)
  }

  /// Types at a terminal: each line after its question was shown.
  private func talk(_ answers: [(question: String, line: String)]) -> String {
    let lines = answers.map { "wait_for '\($0.question)'; printf '\($0.line)\\n'\n" }
    return """
      touch shown
      wait_for() { for i in $(seq 12000); do grep -q "$1" shown && return; sleep 0.05; done; }
      ( \(lines.joined()) sleep 0.2 ) |
        script -qefc "epact init --path cals --no-check --color never" shown > /dev/null
      """
  }

  @Test func `On a terminal the place is asked for after the password`() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let result = try sandbox.runWithKeyring(
      talk([
        ("Address", "\(server.address)/"), ("Which access", "full"), ("What for", ""),
        ("User name", "ada"), ("Password of ada", PretendServer.password),
        ("Where is the password kept", "drawer"), ("found \"drawer\"", "key"),
        ("Which of them", "1"),
      ]) + "\nsecret-tool lookup service epact user ada")
    let shown = try String(contentsOf: sandbox.folder.appending(path: "shown"), encoding: .utf8)
    #expect(shown.contains("keyring     the keyring of the desktop"), "\(shown)")
    #expect(!shown.contains(PretendServer.password))
    #expect(result.output.hasSuffix(PretendServer.password), "\(result.errors)")
    #expect(try config(sandbox).contains("\"secret-tool\", \"lookup\""))
  }

  @Test(.enabled(if: isRoot && hasCredentials, "systemd-creds needs root before systemd 256"))
  func `A file that systemd encrypts keeps the password`() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    // The key of the machine is one of the sandbox.
    let key = "export SYSTEMD_CREDENTIAL_SECRET=\"$DIR/host.key\"; "
    let result = try sandbox.run(key + Self.command(server, "credential"))
    #expect(result.status == 0, "\(result.errors)")
    let path = "\(sandbox.folder.path)/config/epact/club.credential"
    #expect(try sandbox.run("stat -c %a '\(path)'").output == "600\n")
    #expect(try sandbox.run("grep -c '\(PretendServer.password)' '\(path)'").output == "0\n")
    #expect(
      try config(sandbox).contains(
        "password-command = [\"systemd-creds\", \"--name=club\", \"decrypt\", \"\(path)\", \"-\"]"))
    let sync = try sandbox.run(key + "epact sync")
    #expect(sync.status == 0, "\(sync.errors)")
    #expect(try sandbox.run("rm host.key; epact sync").status == 77)
  }

  /// A stand-in for systemd 256, whose contract is that of systemd-creds(1): this system has an
  /// older one, and the real one needs a running systemd.
  private static let program = """
    #!/bin/sh
    case "$*" in
      --version) echo 'systemd 257 (257.1-1)' ;;
      '--user --name=club encrypt - -') base64 | tr a-z n-za-m ;;
      '--user --name=club decrypt - -') tr n-za-m a-z | base64 -d ;;
      '--user --name=club decrypt '*' -') tr n-za-m a-z < "$4" | base64 -d ;;
      *) exit 1 ;;
    esac
    """

  @Test(.enabled(if: isRoot, "another user is needed"))
  func `A user without privileges has it with systemd 256`() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox()
    let command = Self.command(server, "credential").replacing(
      "epact init", with: "asuser epact init")
    let result = try sandbox.run(
      """
      mkdir bin config state
      # A program that this process wrote could be open in a child of another test, and not start.
      cat > bin/systemd-creds <<'END'
      \(Self.program)
      END
      chmod 755 bin/systemd-creds .
      chown -R 65534 .
      asuser() { setpriv --reuid 65534 --regid 65534 --clear-groups env PATH="$DIR/bin:$PATH" "$@"; }
      \(command) || exit 1
      asuser epact sync
      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try config(sandbox).contains("[\"systemd-creds\", \"--user\", \"--name=club\""))
  }
}
