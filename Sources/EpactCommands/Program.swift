// SPDX-License-Identifier: Apache-2.0

import Epact
import ArgumentParser
import Glibc
import Logging

/// The life cycle of the program: runs a command, and ends the process.
package enum Program {
  /// Runs the command given by the arguments, and ends the process with its exit status.
  ///
  /// The calling thread only waits. An asynchronous main function would end it instead, for which
  /// the C library loads and reads stack unwinding code.
  package static func main() -> Never {
    LiveDependencies.shareHeap()
    LiveDependencies.ignoreBrokenPipes()
    LiveDependencies.allowManyFiles()
    let (machine, process) = (Machine.live(), LiveDependencies.process())
    let work = Task { await run(on: machine, process) }
    let signals = LiveDependencies.onInterrupt { work.cancel() }
    Task {
      let ending = await work.value
      if ending.isPipeBroken { LiveDependencies.dieOfBrokenPipe() }
      Glibc.exit(ending.status.rawValue)
    }
    LiveDependencies.waitForTheEnd(keeping: signals)
  }

  /// The end of the program.
  private struct Ending {
    var status: ExitStatus
    var isPipeBroken = false
  }

  /// Parses the arguments and runs the command; all errors become an exit status.
  private static func run(on machine: Machine, _ process: HostProcess) async -> Ending {
    let console: Console
    let status: ExitStatus
    do {
      let command = try Usage.parse(process.arguments)
      let context = Context(
        options: try (command as? any Command)?.global ?? GlobalOptions.parse([]),
        machine: machine, process: process)
      console = context.console
      status = await run(command, in: context)
      context.log.debug(
        "the run is over",
        metadata: [
          "status": "\(status.rawValue)", "peakMemory": "\(process.peakMemory() ?? 0)",
        ])
    } catch {
      console = Console(environment: machine.environment)
      status = Usage.explain(error, on: console)
    }
    switch console.finish() {
    case nil: return Ending(status: status)
    // A command that only prints ends with SIGPIPE; other commands complete their work.
    case EPIPE:
      return Ending(status: status, isPipeBroken: [.done, .interrupted].contains(status))
    case .some(let code):
      console.complain(Failure(.nothingDone, "cannot write standard output: \(SystemError(code))"))
      return Ending(status: .nothingDone)
    }
  }

  /// Prints the help of a command, which the parser's help command throws as an error.
  private static func help(_ command: any ParsableCommand, on console: Console) -> ExitStatus {
    var command = command
    do {
      try command.run()
      return .done
    } catch {
      return Usage.explain(error, on: console)
    }
  }

  private static func run(_ command: any ParsableCommand, in context: Context) async -> ExitStatus {
    do {
      switch command {
      case let command as any Command: return try await command.run(in: context)
      case let root as EpactCommand where root.version:
        Version.print(on: context.console, machine: context.machine)
      case is EpactCommand: context.console.show(ConsoleText(lines: EpactCommand.helpMessage()))
      default: return help(command, on: context.console)
      }
      return .done
    } catch {
      let failure = Task.isCancelled ? Failure.interrupted(error) : Failure(describing: error)
      // Without a signal, the reader of the output is gone, and no message is needed.
      if failure.status != .interrupted || Task.isCancelled { context.console.complain(failure) }
      return failure.status
    }
  }
}
