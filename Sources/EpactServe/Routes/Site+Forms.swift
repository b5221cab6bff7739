// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import Hummingbird
import NIOCore

/// The values of a form that a page of this session sent.
struct FormValues: Sendable {
  private let values: [String: String]

  fileprivate init(_ values: [String: String]) {
    self.values = values
  }

  /// The values in the body of a request.
  ///
  /// - Throws: `HTTPError` if the form is too large or cannot be read.
  init(of request: Request, limit: Int) async throws {
    do {
      let body = try await request.body.collect(upTo: limit)
      values = try URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body))
    } catch let error as CancellationError {
      throw error
    } catch is NIOTooManyBytesError {
      throw Hummingbird.HTTPError(
        .contentTooLarge, message: "The form is larger than 64 KB. Nothing was changed.")
    } catch {
      throw Hummingbird.HTTPError(
        .badRequest, message: "The form cannot be read. Nothing was changed.")
    }
  }

  /// A value without the white space around it; empty if the form has none.
  subscript(name: String) -> String {
    var text = Substring(values[name] ?? "")
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// Whether the form has a value, which may be empty.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// A value with its white space; empty if the form has none.
  func exact(_ name: String) -> String { values[name] ?? "" }

  /// A value; nil if it is empty.
  func text(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }
}

/// The calendars as a form edits them.
struct Desk {
  let editor: LibraryEditor
  let dates: DateReading

  init(_ site: Site) throws {
    let viewer = try site.machine.viewerZone()
    var editor = LibraryEditor(site.library, viewer: viewer)
    editor.addresses = try site.library.userAddresses()
    self.editor = editor
    dates = try DateReading(machine: site.machine, viewer: viewer)
  }

  /// The lines of an edit: what happens to each item, or would happen, and its new values.
  func lines(of edit: PreparedEdit, isPlanned: Bool = false) -> [String] {
    edit.changes.filter { $0.kind != .removed }.flatMap { change -> [String] in
      let when = editor.when(change)
      let verb = isPlanned ? "would be \(change.kind.rawValue)" : change.kind.rawValue
      let head = "\(verb): \(ShortText(change.title).text)"
      return [when.isEmpty ? head : "\(head), \(when)"]
        + editor.words(for: change, of: edit).lines.map { ShortText($0).text }
    }
  }
}

extension Request {
  /// The values in the address, as a form without a token sends them.
  var query: FormValues {
    let decoder = URLEncodedFormDecoder()
    return FormValues((try? decoder.decode([String: String].self, from: uri.query ?? "")) ?? [:])
  }
}

extension Site {
  /// The values of a form, after its token is checked.
  ///
  /// - Throws: `HTTPError` if the form is too large, or was not made for this session.
  func form(_ request: Request, _ context: PageContext) async throws -> FormValues {
    let values = try await FormValues(of: request, limit: context.maxUploadSize)
    guard let session = context.session, session.csrf.matches(values.exact("csrf")) else {
      throw Hummingbird.HTTPError(
        .forbidden,
        message: "The form is too old, or was not sent by this page. Nothing was changed.")
    }
    return values
  }

  /// Makes an edit, and goes to a page that shows what was done and offers to undo it.
  ///
  /// - Parameters:
  ///   - path: The page.
  ///   - context: The session.
  ///   - edit: Prepares the edit. The page shows its error.
  /// - Returns: The response.
  /// - Throws: `HTTPError` if the item does not exist; `CancellationError`.
  func perform(
    _ path: String, _ context: PageContext,
    _ edit: @escaping @Sendable (Desk) throws -> PreparedEdit
  ) async throws -> Response {
    try await act(path, context) {
      try await Background.run {
        let desk = try Desk(self)
        let edit = try edit(desk)
        guard let run = try edit.commit() else {
          return SignIn.Notice(lines: ["Nothing changes."], isFailure: true)
        }
        return SignIn.Notice(lines: desk.lines(of: edit), run: run)
      }
    }
  }

  /// Performs the action of a form, and redirects to a page with its result.
  ///
  /// - Parameters:
  ///   - path: The page.
  ///   - context: The session.
  ///   - body: The action. The page shows its error.
  /// - Returns: The response.
  /// - Throws: `CancellationError`.
  func act(
    _ path: String, _ context: PageContext, _ body: () async throws -> SignIn.Notice
  ) async throws -> Response {
    guard let session = context.session else { return .redirect(to: path) }
    let notice: SignIn.Notice
    do {
      notice = try await body()
    } catch let error as CancellationError {
      throw error
    } catch let error as Hummingbird.HTTPError {
      throw error
    } catch {
      notice = Self.notice(of: error)
    }
    signIn.leave(notice, for: session)
    return .redirect(to: path)
  }

  /// The notice of an error.
  static func notice(of error: any Error) -> SignIn.Notice {
    let error = EpactError(describing: error)
    return SignIn.Notice(
      lines: ([error.message] + error.details).map { ShortText($0, limit: 500).text },
      isFailure: true)
  }
}
