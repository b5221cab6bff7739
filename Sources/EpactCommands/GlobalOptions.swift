// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact

/// The options of all commands.
struct GlobalOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The configuration file, instead of epact/config.toml under $XDG_CONFIG_HOME.",
      valueName: "file"), completion: .file())
  var config: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder of the time zones, instead of $TZDIR or the system's.", valueName: "folder",
      visibility: .hidden), completion: .directory)
  var zoneinfo: String?

  @Option(name: .long, help: "When to use colour: auto, always or never.")
  var color: Console.ColorChoice = .auto

  @Flag(name: .shortAndLong, help: "Print no results, only errors and warnings.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Tell more about what happens; repeat it for still more.")
  var verbose: Int
}

extension Console.ColorChoice: ExpressibleByArgument {}
