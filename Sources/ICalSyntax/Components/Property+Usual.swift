// SPDX-License-Identifier: Apache-2.0

package import CivilTime

// Fast accessors for the common form of a value, for callers that know its type. Each returns nil
// if `typedValues` could return another value or a problem.
extension Property {
  private static let tzIDIndex = ParameterName.tzID.index

  /// The value as a date-time (RFC 5545 §3.3.5).
  package var usualDateTime: (value: CivilDateTime, isUTC: Bool)? {
    guard !mayDeclareType else { return nil }
    return withValue { (bytes) -> (value: CivilDateTime, isUTC: Bool)? in
      guard bytes.count == 15 || bytes.count == 16 else { return nil }
      do throws(BasicFormatError) { return try BasicFormat.dateTime(bytes) } catch { return nil }
    }
  }

  /// The TZID, or nil if there is none (RFC 5545 §3.2.19).
  package var tzID: String? {
    var tzID: String?
    forEachParameter { name, values in
      if tzID == nil, name == Self.tzIDIndex { tzID = ParameterParser.firstValue(in: values) }
    }
    return tzID
  }

  /// The value as a duration (RFC 5545 §3.3.6).
  package var usualDuration: CivilDuration? {
    guard !mayDeclareType else { return nil }
    return withValue { (bytes) -> CivilDuration? in
      do throws(BasicFormatError) { return try BasicFormat.duration(bytes) } catch { return nil }
    }
  }

  /// The value as an integer (RFC 5545 §3.3.8).
  package var usualInteger: Int? {
    guard !mayDeclareType else { return nil }
    return withValue { (bytes) -> Int? in
      do throws(BasicFormatError) { return try BasicFormat.integer(bytes) } catch { return nil }
    }
  }

  /// The value as a URI (RFC 5545 §3.3.13).
  package var usualURI: String? {
    guard !mayDeclareType else { return nil }
    return withValue { UsualValue.hasScheme($0) ? String(copying: $0) : nil }
  }

  /// The index of the value in a table of names, in any case, or nil if the table lacks it.
  package func valueIndex(in names: NameTable) -> Int? {
    withValue { names.index(of: $0) }
  }
}
