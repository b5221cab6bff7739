// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole
import Logging

/// `epact watch`: runs syncs when something changes.
struct WatchCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Synchronize whenever local files change.",
    discussion: """
      Runs the syncs of the configuration at the start, when files of their local calendars \
      change, at an interval, after the machine resumes from suspend, and when the network has a \
      new address. Changes within a few seconds are one run. Files that a sync wrote start no \
      other sync. A run that fails is tried again after a pause from 30 seconds to an hour. \
      Between runs no processor time is used.

      SIGINT and SIGTERM end the watch after the step that is in progress; a step that takes longer \
      than 1.5 seconds is cut off, with status 130. Only one watch of a configuration runs at a \
      time. `epact schedule install --watch` starts the watch as a \
      service of the user.
      """)

  @Argument(
    help: ArgumentHelp("Run only these syncs.", valueName: "name"),
    completion: .syncNames)
  var names: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run the syncs at this interval, such as 30s, 15m or 2h, varied by up to a tenth.",
      valueName: "span"))
  var every = TimeSpan(minutes: 15)

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try context.expectNoAccount()
    let set = try context.syncs(names)
    var timing = WatchPlan.Timing()
    timing.interval = Double(every.seconds)
    let watch = SyncWatch(
      context.configurationFile, names: names, timing: timing, machine: context.machine)
    do {
      try await watch.run(
        started: {
          context.console.note(
            "Watching \(Count(Set(set.syncs.map(\.calendar)).count, "calendar")); the syncs also "
              + "run every \(every).")
        },
        pausing: { seconds in
          context.console.note("The next attempt is in \(Self.rounded(seconds)).")
        }, { causes in try await run(for: causes, in: context) })
    } catch  where Task.isCancelled {
      context.console.note("The watch has ended.")
    }
    return .done
  }

  /// Runs the syncs; an error is shown, and is a failed run.
  private func run(
    for causes: Set<WatchCause>, in context: Context
  ) async throws -> SyncWatch.RunEnd {
    // A reader of the output, such as a journal, sees the result of each run.
    defer { _ = context.console.finish() }
    context.log.info("the syncs run", metadata: ["causes": "\(causes.map(\.rawValue).sorted())"])
    do {
      let status = try await context.run(try context.syncs(names), .changes)
      return Self.ends(with: status) ? .done : .failed
    } catch {
      // What a cancelled run did stays, and the next sync continues.
      try Task.checkCancellation()
      context.console.complain(Failure(describing: error))
      return .failed
    }
  }

  /// Whether a run with a status reached both sides, whatever single items did.
  private static func ends(with status: ExitStatus) -> Bool {
    [.done, .someFailed, .conflicts].contains(status)
  }

  private static func rounded(_ seconds: Double) -> String {
    seconds < 100 ? "\(Int(seconds.rounded(.up))) s" : "\(Int((seconds / 60).rounded())) min"
  }
}

extension TimeSpan: ExpressibleByArgument {
  /// Parses the argument; nil if it is no span.
  init?(argument: String) {
    self.init(parsing: argument)
  }
}
