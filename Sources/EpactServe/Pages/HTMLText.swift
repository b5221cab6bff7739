// SPDX-License-Identifier: Apache-2.0

import Mustache

/// A text that is safe in an HTML page, between tags and in quoted attributes.
///
/// Titles, places and descriptions were written by others. `SafeText` and `ConsoleText` protect a terminal
/// and not a page.
package struct HTMLText: Hashable, Sendable, CustomStringConvertible {
  /// The text with references for the characters that HTML and scripts give a meaning.
  ///
  /// Scalars are replaced, and not characters: a quotation mark before a combining mark is one character
  /// with it, and ends an attribute nevertheless.
  package let escaped: String

  /// Escapes a text.
  package init(_ text: String) {
    var result = String.UnicodeScalarView()
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let reference = Self.reference(for: scalar) {
        result.append(contentsOf: reference.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    escaped = String(result)
  }

  /// A text as a form sends it back: with a replacement for each scalar that a page cannot have.
  static func shown(_ text: String) -> String {
    let scalars = text.replacing("\r\n", with: "\n").unicodeScalars
    return String(
      String.UnicodeScalarView(
        scalars.map { reference(for: $0) == replacement ? "\u{FFFD}" : $0 }))
  }

  private static let replacement = "\u{FFFD}"

  /// The escaped text.
  package var description: String { escaped }

  private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
    0xFDD0...0xFDEF ~= scalar.value || scalar.value & 0xFFFE == 0xFFFE
  }

  private static func reference(for scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "<": "&lt;"
    case ">": "&gt;"
    case "&": "&amp;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case "`": "&#96;"
    case "=": "&#61;"
    case "\n", "\t": nil
    // Controls are errors in HTML, and so are noncharacters.
    case "\0"..<" ", "\u{7F}"..."\u{9F}": replacement
    default: isNoncharacter(scalar) ? replacement : nil
    }
  }
}

/// A text that others wrote, shortened to what a page has room for.
package struct ShortText: Hashable, Sendable {
  /// The maximum length in characters of a title.
  package static let titleLimit = 200
  /// The maximum length in characters of a description.
  static let bodyLimit = 20_000

  /// The text, with an ellipsis if it was longer.
  package let text: String

  /// Shortens a text; the work is bounded by the limit.
  package init(_ text: String, limit: Int = titleLimit) {
    // A character of a hostile text may have thousands of combining marks.
    let start = text.unicodeScalars.prefix(4 * limit)
    let short = String(String.UnicodeScalarView(start.prefix(4 * limit)))
    let isCut = start.endIndex < text.unicodeScalars.endIndex || short.count > limit
    self.text = isCut ? String(short.prefix(limit)) + "…" : text
  }
}

/// The escaping of templates, which is stricter than that of Mustache.
struct PageContentType: MustacheContentType {
  func escapeText(_ text: String) -> String { HTMLText(text).escaped }
}
