// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarRemotes
import CalendarSync
import Epact
import EpactConsole

/// `epact init`: creates a configuration interactively.
struct InitCommand: Command, SetupAnswers {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a configuration, step by step.",
    discussion: """
      Asks for an address or a service, the access and its purpose, the user name and the password, and the \
      calendars; writes them to the configuration, and performs a dry run of the new syncs. Each \
      answer can be given as an option, for scripts; the address of a calendar chooses that calendar. The existing configuration is kept, and no \
      calendar is added twice. A service is google, outlook, icloud, fastmail, nextcloud, posteo, \
      mailbox.org, zoho, gmx, web.de or yahoo, also by an e-mail address there. Google and Microsoft \
      take the identifier of your client, and a sign-in afterwards. A folder of .vcf files is added as the birthdays of these contacts. \
      Nothing is looked up before access is granted. Under write-only \
      access nothing is looked up at all, and the address has to be that of the calendar itself. With \
      --from-vdirsyncer, the accounts, the folders and the status of vdirsyncer are taken over: \
      nothing is sent again that did not change since its last run.
      """)

  /// The maximum number of planned changes that are printed for a new sync.
  private static let planLimit = 10

  @Argument(
    help: ArgumentHelp(
      "Add this remote: an e-mail address, a service, a host, an https address, or a folder.",
      valueName: "address"), completion: .directory)
  var address: String?

  @Option(
    help: ArgumentHelp("Use this name for the remote in the configuration.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp("Create local calendars in this folder.", valueName: "folder"),
    completion: .directory)
  var path = "~/calendars"

  @Option(
    help: ArgumentHelp(
      "Add the calendar with this name on the server or in the folder (repeatable).",
      valueName: "name"))
  var collection: [String] = []

  @Flag(help: "Add all calendars on the server or in the folder.")
  var all = false

  @Flag(help: "Add the account: all calendars on the server, also those created later.")
  var account = false

  @Option(help: ArgumentHelp("Use this user name.", valueName: "name"))
  var user: String?

  @Option(
    name: .customLong("client-id"),
    help: ArgumentHelp(
      "Sign in with OAuth, by the client with this identifier.", valueName: "id"))
  var clientID: String?

  @Option(
    help: ArgumentHelp(
      "Run this program, with its arguments, to get the password.", valueName: "command"))
  var passwordCommand: String?

  @Option(
    help: ArgumentHelp(
      "Read the password from this file, which must be private to you.", valueName: "file"),
    completion: .file())
  var passwordFile: String?

  @Flag(
    help: "Read the password from standard input, and store it.")
  var passwordStdin = false

  @Option(
    help: ArgumentHelp(
      "Keep a typed password in: file (the default), keyring (secret-tool) or credential "
        + "(systemd-creds).", valueName: "place"),
    completion: .list(PasswordStore.Kind.allCases.map(\.rawValue)),
    transform: word("file, keyring or credential"))
  var keepPassword: PasswordStore.Kind?

  @Option(
    help: ArgumentHelp("Grant this tier: write-only or full.", valueName: "tier"),
    transform: word("write-only or full") { $0 != .none })
  var access: AccessTier?

  @Option(
    help: ArgumentHelp("State what the access is for, and why.", valueName: "text"))
  var purpose: String?

  @Flag(name: .customLong("no-check"), help: "Skip the dry run of the new syncs.")
  var isUnchecked = false

  @Flag(
    name: .customLong("from-vdirsyncer"),
    help: """
      Take over the configuration of vdirsyncer; the address is its path, unless it is the usual \
      one.
      """)
  var isFromVdirsyncer = false

  @Flag(
    name: .customLong("yes"),
    help: "With --from-vdirsyncer: grant full access, as vdirsyncer had, without asking.")
  var isAgreed = false

  @OptionGroup var connection: InitConnection

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let ways = [passwordCommand != nil, passwordFile != nil, passwordStdin].count { $0 }
    guard ways <= 1 else {
      throw ValidationError(
        "--password-command, --password-file and --password-stdin exclude each other")
    }
    guard clientID == nil || (ways == 0 && user == nil && !all && collection.isEmpty) else {
      throw ValidationError(
        "--client-id needs no password, no user and no choice of calendars before the sign-in")
    }
    guard keepPassword == nil || (passwordCommand == nil && passwordFile == nil) else {
      throw ValidationError("--keep-password is for a password that is typed, or --password-stdin")
    }
    guard isFromVdirsyncer || !isAgreed else {
      throw ValidationError("--yes goes with --from-vdirsyncer")
    }
    let isOfOneAccount =
      ways > 0 || all || account || !collection.isEmpty || user != nil || name != nil
      || keepPassword != nil || clientID != nil
    guard !isFromVdirsyncer || !isOfOneAccount else {
      throw ValidationError("--from-vdirsyncer takes names, users and passwords from vdirsyncer")
    }
    guard [all, account, !collection.isEmpty].count(where: \.self) <= 1 else {
      throw ValidationError("--all, --account and --collection exclude each other")
    }
    guard !account || access != .writeOnly else {
      throw ValidationError("--account needs full access, because it lists the calendars")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    if isFromVdirsyncer { return try await takeOver(in: context) }
    let planner = try SetupPlanner(
      asking: questions(in: context), addingTo: context.configurationFile,
      folder: context.paths.absolute(path), identity: connection.identity(context.paths),
      machine: context.machine)
    let plan = try await planner.plan()
    let console = context.console
    let added = try await context.setupWriter.carryOut(plan)
    if added.entries.isEmpty { console.say("There is nothing to add.") }
    if case .signIn = added.password, let entry = added.entries.first {
      if let vendor = entry.vendor { console.note("\(vendor.nextStep)") }
      console.note("You sign in to it with OAuth: \(SuggestedCommand.login(entry.name))")
      return .done
    }
    guard !isUnchecked, !added.entries.isEmpty else { return .done }
    return try await check(Set(added.entries.map(\.name)), in: context)
  }

  /// The questions that the options do not answer.
  func questions(in context: Context) -> SetupQuestions {
    SetupQuestions(self, context.console, context.machine, ProgramRemedies())
  }

  /// Performs a dry run of the new syncs, and suggests the next command.
  func check(_ names: Set<String>, in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    var set = try SyncSet(
      configuration, names: configuration.syncNames.filter(names.contains),
      machine: context.machine)
    set.options.isDryRun = true
    set.options.jobs = 1
    set.log = context.log
    let recorder = context.recorder(.text, isDryRun: true, planLimit: Self.planLimit)
    let result = try await set.run { recorder.record($0) }
    let status = ExitStatus.worst(of: result.syncs.map { ExitStatus($0.outcome) })
    if status == .done {
      context.console.note(
        "To do that: \(SuggestedCommand.sync); every night: \(SuggestedCommand.scheduleInstall)")
    } else {
      context.console.note(
        "The configuration is written. To find out what is wrong: \(SuggestedCommand.doctor)")
    }
    return status
  }
}

/// The options of `epact init` for custom certificates and client authentication.
struct InitConnection: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust the certificates in this PEM file, instead of the system's.", valueName: "file"),
    completion: .file())
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      "Require this public key of the server, as sha256//DIGEST (repeatable).",
      valueName: "pin"),
    transform: { text in
      guard let pin = PublicKeyPin(text) else {
        throw ValidationError(
          "expected sha256// and the 44 characters of a public key's digest in base64")
      }
      return pin
    })
  var pin: [PublicKeyPin] = []

  @Option(
    help: ArgumentHelp(
      "Present the client certificate in this PEM file.", valueName: "file"),
    completion: .file())
  var clientCertificate: String?

  @Option(
    help: ArgumentHelp(
      "Use the private key in this PEM file, if it is not beside the certificate.",
      valueName: "file"),
    completion: .file())
  var clientKey: String?

  func validate() throws {
    guard clientKey == nil || clientCertificate != nil else {
      throw ValidationError("--client-key goes with a --client-certificate")
    }
  }

  /// The trusted servers and the client certificate.
  func identity(_ paths: PathResolver) -> NetworkIdentity {
    let client = clientCertificate.map { certificate in
      NetworkIdentity.Client(
        certificateFile: paths.absolute(certificate),
        keyFile: paths.absolute(clientKey ?? certificate))
    }
    return NetworkIdentity(caFile: caFile.map(paths.absolute), pins: pin, client: client)
  }
}

extension Context {
  /// Writes setups, and shows what is written.
  var setupWriter: SetupWriter {
    SetupWriter(configurationFile, machine: machine, prompt: console) { [console] in
      console.write([$0.message])
    }
  }
}
