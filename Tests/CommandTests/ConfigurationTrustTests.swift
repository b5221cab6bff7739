// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Whoever can change the configuration can run programs as the person.
struct ConfigurationTrustTests {
  private func scene() throws -> Sandbox {
    let sandbox = try Sandbox()
    let made = try sandbox.run(
      """
      umask 022; mkdir -p config/epact cal other
      printf '[calendar.mine]\\npath = "~/cal"\\n[remote.club]\\nkind = "folder"\\npath = "~/other"\\n' \
        > config/epact/config.toml
      printf '[[sync]]\\nname = "s"\\ncalendar = "mine"\\nremote = "club"\\n' >> config/epact/config.toml
      """)
    #expect(made.status == 0)
    return sandbox
  }

  struct Case: CustomTestStringConvertible {
    let change: String
    var options = ""
    /// The part of the path that the message names; nil if nothing is wrong.
    let fault: String?
    var testDescription: String { change }
  }

  static let cases = [
    Case(change: "true", fault: nil),
    Case(change: "chmod 600 config/epact/config.toml", fault: nil),
    Case(change: "chmod 666 config/epact/config.toml", fault: "because it can be"),
    Case(change: "chmod 664 config/epact/config.toml", fault: "because it can be"),
    Case(change: "chmod 602 config/epact/config.toml", fault: "because it can be"),
    Case(change: "chmod 777 config/epact", fault: "/config/epact can be"),
    Case(change: "chmod 775 config", fault: "/config can be"),
    Case(change: "chmod 1777 config", fault: nil),
    Case(
      change: "mkdir open; mv config/epact/config.toml open/; chmod 777 open; "
        + "ln -s ../../open/config.toml config/epact/config.toml", fault: "/open can be"),
    Case(
      change: "mkdir dots; mv config/epact/config.toml dots/; "
        + "ln -s ../../dots/config.toml config/epact/config.toml", fault: nil),
    Case(
      change: "mkdir open; cp config/epact/config.toml open/c.toml; chmod 777 open",
      options: "--config open/c.toml", fault: "/open can be"),
    Case(
      change: "mkdir open; cp -r config/epact open/; chmod 777 open; ln -s open/epact way",
      options: "--config way/config.toml", fault: "/open can be"),
  ]

  @Test(arguments: cases)
  func aConfigurationThatOthersCanChangeIsRefused(test: Case) throws {
    let sandbox = try scene()
    _ = try sandbox.run(test.change)
    for command in ["status", "sync", "doctor", "access", "conflicts"] {
      let result = try sandbox.run("epact \(command) \(test.options)")
      let text = result.output + result.errors
      if let fault = test.fault {
        #expect(result.status == 78, "\(command)")
        #expect(text.contains("is not used, because"), "\(text)")
        #expect(text.contains("\(fault) changed by others"), "\(text)")
        #expect(text.contains("chmod go-w"), "\(text)")
      } else {
        #expect(!text.contains("is not used"), "\(text)")
      }
    }
  }

  @Test func aConfigurationOfAPipeIsTakenFromWhoeverStartedTheProgram() throws {
    let sandbox = try scene()
    let result = try sandbox.run("bash -c 'epact access --config <(cat config/epact/config.toml)'")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("club"))
  }

  @Test(.enabled(if: getuid() == 0, "Only root can give files away"))
  func aConfigurationOfAnotherUserIsRefused() throws {
    let sandbox = try scene()
    let result = try sandbox.run("chown 4711 config/epact/config.toml; epact status")
    #expect(result.status == 78)
    #expect(result.errors.contains("belongs to another user (uid 4711)"))
    #expect(try sandbox.run("chown 4711 config/epact; epact status").errors.contains("epact bel"))
  }

  @Test func programsAndSecretsOfTheConfigurationAreLookedAtToo() throws {
    let server = try PretendServer()
    for (key, value, change, words) in [
      ("password-command", "[\"$DIR/tell\"]", "chmod 777 tell", "it can be changed by others"),
      ("password-file", "\"$DIR/dir/secret\"", "chmod 777 dir", "dir can be changed by others"),
      ("token-command", "[\"$DIR/dir/tell\"]", "chmod 777 dir", "dir can be changed by others"),
    ] {
      let sandbox = try Sandbox(syncingWith: server)
      let made = try sandbox.run(
        """
        umask 077; mkdir dir; echo x > dir/secret
        printf '#!/bin/sh\\necho ran >> "$DIR/ran"; echo x\\n' > tell; chmod 700 tell; cp tell dir/tell
        sed -i '/^password-command/d' config/epact/config.toml
        sed -i 's|^username.*|&\\n\(key) = \(value)|' config/epact/config.toml
        sed -i "s|\\$DIR|$DIR|" config/epact/config.toml
        \(change)
        epact access club --grant full --purpose 'Keeps a copy on a server' -q
        """)
      #expect(made.status == 0, "\(made.errors)")
      let result = try sandbox.run("epact sync")
      #expect(result.status == 78, "\(key): \(result.errors)")
      #expect(result.errors.contains(words), "\(key): \(result.errors)")
      #expect(try sandbox.run("epact doctor --offline").output.contains(words), "\(key)")
      #expect(try sandbox.run("ls ran 2>/dev/null").output == "")
    }
  }

  @Test func theHookIsLookedAtToo() throws {
    let sandbox = try scene()
    _ = try sandbox.run(
      """
      printf '#!/bin/sh\\ntouch "$HOME/ran"\\n' > hook; chmod 777 hook
      printf 'on-failure = ["%s/hook"]\\n' "$DIR" | cat - config/epact/config.toml > new
      cat new > config/epact/config.toml
      """)
    let result = try sandbox.run("epact sync")
    #expect(result.status == 77)
    #expect(result.errors.contains("it can be changed by others"))
    #expect(try sandbox.run("ls ran 2>/dev/null").output == "")
  }
}
