// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// A digest of what an item means: equal for two files that say the same in different words.
///
/// It is made of a canonical form of the components:
///
/// - their order, and the order of properties, of parameters and of the values in lists do not count;
/// - neither do folding, the case of names, needless quotes, and needless escapes in texts;
/// - lists (CATEGORIES, RESOURCES, EXDATE, RDATE, FREEBUSY) are the same in one property or in many;
/// - defaults that may as well be left out (CLASS:PUBLIC, TRANSP:OPAQUE, SEQUENCE:0, PRIORITY:0,
///   `ROLE=REQ-PARTICIPANT` and so on) are left out;
/// - DTSTAMP, LAST-MODIFIED and CREATED, and X-LIC-… and X-WR-CALNAME, which programs leave behind,
///   are ignored, as is everything that belongs to the calendar around the item.
///
/// Each component is digested on its own and each part is written with its length before it, so that
/// properties of different components are never confused: exchanging the summaries of a series and of
/// its override is a change.
///
/// Definitions of time zones (VTIMEZONE) are left out, because servers replace and drop them at will
/// (RFC 7809); a change of a definition alone is not noticed.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  /// The SHA-256 digest as 64 lower-case hexadecimal digits.
  public let rawValue: String

  /// Creates a fingerprint from the hexadecimal digits that `rawValue` gave.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The fingerprint of the components of an item, in whatever order.
  public init(of components: some Sequence<Component>) {
    let digests = components.map { CanonicalForm.digest(of: $0).bytes }
    var form = CanonicalForm()
    // The name of the form: fingerprints of another form than this one must not equal them.
    form.append(Array("epact item 1".utf8))
    form.append(list: digests.sorted(by: CanonicalForm.precedes))
    rawValue = SHA256.digest(of: form.bytes).description
  }

  /// The first twelve digits, for people.
  public var description: String { String(rawValue.prefix(12)) }
}
