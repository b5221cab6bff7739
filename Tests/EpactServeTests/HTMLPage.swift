// SPDX-License-Identifier: Apache-2.0

/// A page that is read strictly: every byte that HTML could take for more than text is a problem.
///
/// The pages have quoted attributes, and references for all other characters that HTML knows. In this
/// part of HTML all parsers agree, so that what this one finds is what a browser finds. It is not
/// lenient where browsers are.
struct HTMLPage: Sendable {
  /// An element with the index of its parent; nil for the outermost one.
  struct Element: Sendable {
    let name: String
    let attributes: [String: String]
    let parent: Int?
  }

  private static let empty: Set<String> = ["meta", "link", "input", "br", "hr", "img"]
  /// Elements that end a paragraph.
  private static let blocks: Set<String> = [
    "p", "div", "section", "aside", "ul", "ol", "li", "table", "form", "h1", "h2", "h3", "dl",
    "header", "main", "nav", "fieldset",
  ]
  private static let references: [String: String] = [
    "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "#39": "'", "#96": "`", "#61": "=",
  ]

  private(set) var elements: [Element] = []
  /// The texts with the index of their element.
  private(set) var texts: [(text: String, parent: Int?)] = []
  private(set) var problems: [String] = []
  private var open: [Int] = []

  /// Reads a page.
  init(_ bytes: [UInt8]) {
    let start = Array("<!doctype html>\n".utf8)
    if !bytes.starts(with: start) { problems.append("no document type") }
    if String(validating: bytes, as: UTF8.self) == nil { problems.append("not UTF-8") }
    var rest = bytes.dropFirst(start.count)
    while let byte = rest.first {
      if byte == UInt8(ascii: "<") {
        let end = rest.firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
        let tag = rest[rest.index(after: rest.startIndex)..<end]
        take(tag: String(decoding: tag, as: UTF8.self))
        rest = rest[min(end + 1, rest.endIndex)...]
      } else {
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
        let text = unescaped(String(decoding: rest[..<end], as: UTF8.self))
        texts.append((text, open.last))
        rest = rest[end...]
      }
    }
    if !open.isEmpty { problems.append("open at the end: \(open.map { elements[$0].name })") }
  }

  private mutating func take(tag: String) {
    if tag.hasPrefix("/") {
      let name = String(tag.dropFirst())
      if open.last.map({ elements[$0].name }) == name {
        open.removeLast()
      } else {
        problems.append("</\(name)> closes \(open.last.map { elements[$0].name } ?? "nothing")")
      }
      return
    }
    let name = String(tag.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
    if name.isEmpty { problems.append("no name: <\(tag.prefix(40))>") }
    var attributes: [String: String] = [:]
    for (key, value) in self.attributes(tag.dropFirst(name.count)) {
      if attributes.updateValue(value, forKey: key) != nil {
        problems.append("two \(key) in <\(tag.prefix(80))>")
      }
    }
    let isBlock = Self.blocks.contains(name)
    if isBlock, open.contains(where: { elements[$0].name == "p" }) {
      problems.append("\(name) in p")
    }
    elements.append(Element(name: name, attributes: attributes, parent: open.last))
    if !Self.empty.contains(name) { open.append(elements.count - 1) }
  }

  private mutating func attributes(_ text: Substring) -> [(String, String)] {
    var result: [(String, String)] = []
    // Scalars, because a quotation mark before a combining mark ends an attribute for a browser.
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      guard rest.first == " " else {
        problems.append("no space in <…\(String(text.prefix(80)))>")
        return result
      }
      rest = rest.drop { $0 == " " }
      let name = rest.prefix { ("a"..."z").contains($0) || $0 == "-" }
      rest = rest[name.endIndex...]
      guard !name.isEmpty else {
        problems.append("no attribute in <…\(String(text.prefix(80)))>")
        return result
      }
      guard rest.first == "=" else {
        result.append((String(name), ""))
        continue
      }
      guard rest.dropFirst().first == "\"",
        let end = rest.dropFirst(2).firstIndex(of: "\"")
      else {
        problems.append("no quotes in <…\(String(text.prefix(80)))>")
        return result
      }
      let value = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
      result.append((String(name), unescaped(String(value))))
      rest = rest[rest.unicodeScalarIndex(after: end)...]
    }
    return result
  }

  private mutating func unescaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      rest = rest.dropFirst()
      if scalar.value < 32, scalar != "\n", scalar != "\t" {
        problems.append("control \(scalar.value)")
      }
      guard scalar == "&" else {
        result.append(scalar)
        continue
      }
      let name = String(rest.prefix(6).prefix { $0 != ";" })
      guard let value = Self.references[name] else {
        problems.append("reference &\(name)")
        continue
      }
      result.append(contentsOf: value.unicodeScalars)
      rest = rest.dropFirst(name.unicodeScalars.count + 1)
    }
    return String(result)
  }
}

extension Substring.UnicodeScalarView {
  fileprivate func unicodeScalarIndex(after index: Index) -> Index { self.index(after: index) }
}

extension HTMLPage {
  /// The indices of an element and of those around it.
  func path(of index: Int?) -> [Int] {
    Array(
      sequence(state: index) { next in
        defer { next = next.flatMap { elements[$0].parent } }
        return next
      })
  }

  /// The indices of the elements with a name, and with a class if one is given.
  func indices(_ name: String, class style: String? = nil) -> [Int] {
    elements.indices.filter { index in
      elements[index].name == name
        && (style.map { classes(of: index).contains($0) } ?? true)
    }
  }

  /// The classes of an element.
  func classes(of index: Int) -> Set<String> {
    Set((elements[index].attributes["class"] ?? "").split(separator: " ").map(String.init))
  }

  /// The text in an element, each run of white space as one space.
  func text(in index: Int) -> String {
    texts.filter { path(of: $0.parent).contains(index) }.map(\.text).joined()
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The texts of the elements with a name, and with a class if one is given.
  func texts(_ name: String, class style: String? = nil) -> [String] {
    indices(name, class: style).map { text(in: $0) }
  }

  /// The text of the content.
  var text: String { indices("main").map { text(in: $0) }.joined() }

  /// The lines of the notice of the last form; empty without one.
  var notice: [String] {
    guard let note = indices("div").first(where: { elements[$0].attributes["role"] == "status" })
    else { return [] }
    return indices("div").filter { elements[$0].parent == note }.map { text(in: $0) }
  }

  /// The value of the first field with a name; for a text area, its text.
  func value(of name: String) -> String? {
    let index = elements.indices.first { elements[$0].attributes["name"] == name }
    return index.map { index in
      elements[index].attributes["value"]
        ?? texts.filter { $0.parent == index }.map(\.text).joined()
    }
  }

  /// The value of an attribute of all elements with a name.
  func values(_ attribute: String, of name: String) -> [String] {
    indices(name).compactMap { elements[$0].attributes[attribute] }
  }
}
