// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// All pages of the manual.
package struct Manual: Sendable {
  /// The pages, `epact(1)` first.
  package let pages: [ManualPage]

  /// Makes the pages.
  ///
  /// - Parameters:
  ///   - program: The program with its commands.
  ///   - configuration: The article about the configuration, in Markdown.
  ///   - date: The date of the pages.
  package init(of program: CommandDescription, configuration: String, date: CivilDate) {
    let date = "\(Self.months[date.month - 1]) \(date.day), \(date.year)"
    let all = program.all
    let references = (all.map { ($0.page, 1) } + [("epact.toml", 5)]).sorted { left, right in
      (left.1, left.0) < (right.1, right.0)
    }
    var pages = all.map { command in
      var page = ManualPage(command.page, section: 1, summary: command.abstract, date: date)
      page.add(command)
      page.addReferences(
        command.words.count == 1
          ? references : Self.references(of: command, among: all), except: command.page)
      return page
    }
    var article = ManualPage(
      "epact.toml", section: 5, summary: "The configuration of epact", date: date)
    article.add(markdown: configuration)
    article.addReferences([("epact", 1)], except: "epact.toml")
    pages.append(article)
    self.pages = pages
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The pages of the commands above, below and beside a command, and of the configuration.
  private static func references(
    of command: CommandDescription, among all: [CommandDescription]
  ) -> [(String, Int)] {
    let parent = Array(command.words.dropLast())
    let near = all.filter { other in
      other.words == parent || Array(other.words.dropLast()) == command.words
        || parent.count > 1 && Array(other.words.dropLast()) == parent
    }
    let names = Set(near.map(\.page) + ["epact"]).sorted()
    return names.map { ($0, 1) } + [("epact.toml", 5)]
  }
}

extension ManualPage {
  /// Adds the sections of a command.
  fileprivate mutating func add(_ command: CommandDescription) {
    add("Sh SYNOPSIS")
    add("Nm \(command.words.joined(separator: " "))")
    for argument in command.arguments { add(synopsisOf: argument) }
    if !command.subcommands.isEmpty {
      add("Ar command")
      add("Op Ar argument ...")
    }
    add("Sh DESCRIPTION")
    add(words: command.abstract)
    if !command.discussion.isEmpty {
      add("Pp")
      add(paragraphs: command.discussion)
    }
    addList(command.arguments.filter(\.names.isEmpty), "The arguments are as follows:")
    addList(command.arguments.filter { !$0.names.isEmpty }, "The options are as follows:")
    guard !command.subcommands.isEmpty else { return }
    add("Pp")
    add(words: "The commands are as follows:")
    add("Bl -tag -width Ds")
    for subcommand in command.subcommands {
      add("It Xr \(subcommand.page) 1")
      add(words: subcommand.abstract)
    }
    add("El")
  }

  private mutating func add(synopsisOf argument: CommandDescription.Argument) {
    let value = argument.value.map { " Ar \(Self.escaped($0))" } ?? ""
    let dots = argument.isRepeating ? " ..." : ""
    let name = argument.preferredName.map { "Fl \(Self.escaped(String($0.dropFirst())))" }
    let body = name.map { $0 + value } ?? String(value.dropFirst())
    add((argument.isOptional ? "Op " : "") + body + dots)
  }

  private mutating func addList(_ arguments: [CommandDescription.Argument], _ title: String) {
    guard !arguments.isEmpty else { return }
    add("Pp")
    add(words: title)
    add("Bl -tag -width Ds")
    for argument in arguments {
      let value = argument.value.map { " Ar \(Self.escaped($0))" } ?? ""
      let names = argument.names.map { "Fl \(Self.escaped(String($0.dropFirst())))\(value)" }
      add("It " + (names.isEmpty ? String(value.dropFirst()) : names.joined(separator: " , ")))
      var words = argument.abstract
      if !argument.values.isEmpty, !words.contains(argument.values.joined(separator: ", ")) {
        words += " The values are: \(argument.values.joined(separator: ", "))."
      }
      if let value = argument.defaultValue { words += " The default is \(value)." }
      add(words: words)
    }
    add("El")
  }

  /// Adds the references to other pages, in the order of sections and names.
  fileprivate mutating func addReferences(_ pages: [(String, Int)], except own: String) {
    let others = pages.filter { $0.0 != own }
    guard let last = others.last else { return }
    add("Sh SEE ALSO")
    for page in others.dropLast() { add("Xr \(page.0) \(page.1) ,") }
    add("Xr \(last.0) \(last.1)")
  }
}
