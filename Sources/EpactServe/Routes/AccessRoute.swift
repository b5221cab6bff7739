// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Hummingbird

/// `/access`: what remotes and programs may do.
///
/// Access is revoked here, and granted on the terminal only.
struct AccessRoute: Sendable {
  let site: Site

  private struct Model: Sendable {
    struct Remote: Sendable {
      let name: String
      let tier: String
      let purpose: String?
      let granted: String?
      let restriction: String?
    }

    struct Program: Sendable {
      let name: String
      let identifier: String
      let entity: String
      let tier: String
      let purpose: String
      let granted: String
    }

    let remotes: [Remote]
    let programs: [Program]
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let configuration = try site.library.file.load()
    var remotes: [Model.Remote] = []
    for name in configuration.grantNames {
      let access = try await RemoteAccess(
        to: name, in: configuration, machine: site.machine, isDryRun: true)
      remotes.append(
        Model.Remote(
          name: name, tier: access.grant?.tier.rawValue ?? "not decided",
          purpose: access.grant.map { ShortText($0.purpose, limit: 500).text },
          granted: access.grant.map {
            "\(site.machine.localTime($0.grantedAt)) by \(ShortText($0.grantedBy).text)"
          },
          restriction: access.restriction.map { "limited to \($0.tier.rawValue)" }))
    }
    let programs = try ProgramDecisions(machine: site.machine, isDryRun: true).list().map {
      Model.Program(
        name: ShortText($0.grant.name).text, identifier: $0.grant.program,
        entity: $0.grant.entity.rawValue, tier: $0.grant.tier.rawValue,
        purpose: ShortText($0.grant.purpose, limit: 500).text,
        granted: site.machine.localTime($0.grant.grantedAt))
    }
    return site.pages.page("Access", "access", Model(remotes: remotes, programs: programs), context)
  }

  /// Revokes a grant.
  func revoke(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    return try await site.act("/access", context) {
      if let program = form.text("program") {
        let entity = ProgramEntity(rawValue: form["entity"])
        _ = try ProgramDecisions(machine: site.machine).revoke(program, for: entity)
        return SignIn.Notice(lines: ["The access of \(ShortText(program).text) is revoked."])
      }
      let name = form["remote"]
      var access = try await RemoteAccess(
        to: name, in: try site.library.file.load(), machine: site.machine)
      try await access.revoke()
      return SignIn.Notice(lines: [
        "The access to \(ShortText(name).text) is revoked. The next sync asks again, on a terminal."
      ])
    }
  }
}
