// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of the errors of locations.
public let kCLErrorDomain = "kCLErrorDomain"

/// An error of a request for a location or for the place of an address.
public struct CLError: Error, Hashable, Sendable {
  /// The code.
  public let code: Code

  /// Creates the error of a code.
  ///
  /// - Parameter code: The code.
  public init(_ code: Code) {
    self.code = code
  }

  /// The kind of an error of locations.
  public enum Code: Int, Sendable {
    /// The location is not known yet.
    case locationUnknown = 0
    /// The person denied the use of locations.
    case denied = 1
    /// The network could not be reached.
    case network = 2
    /// No place belongs to the address.
    case geocodeFoundNoResult = 8
    /// A part of the address was understood.
    case geocodeFoundPartialResult = 9
    /// The request was ended.
    case geocodeCanceled = 10
  }

  /// The location is not known yet.
  public static var locationUnknown: Code { .locationUnknown }
  /// The person denied the use of locations.
  public static var denied: Code { .denied }
  /// The network could not be reached.
  public static var network: Code { .network }
  /// No place belongs to the address.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// A part of the address was understood.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The request was ended.
  public static var geocodeCanceled: Code { .geocodeCanceled }
}

extension CLError.Code {
  /// Matches an error of the code, in `catch CLError.network`.
  public static func ~= (code: CLError.Code, error: any Error) -> Bool {
    (error as? CLError)?.code == code
  }
}

extension CLError: CustomNSError, LocalizedError {
  /// The domain of the errors of locations.
  public static var errorDomain: String { kCLErrorDomain }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }

  /// The sentence for people, where Foundation looks for it.
  public var errorUserInfo: [String: Any] {
    [NSLocalizedDescriptionKey: errorDescription ?? ""]
  }

  /// A sentence for people.
  public var errorDescription: String? {
    switch code {
    case .locationUnknown: "The location is not known."
    case .denied: "Access to locations is denied."
    case .network: "The network can't be reached."
    case .geocodeFoundNoResult: "No place belongs to the address."
    case .geocodeFoundPartialResult: "Only a part of the address is known."
    case .geocodeCanceled: "The request was canceled."
    }
  }
}
