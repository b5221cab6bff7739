// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A geocoder, which finds the positions of addresses.
///
/// There is no geocoding service on this system, so no request finds a place. Programs that fall
/// back on an address without a position work.
open class CLGeocoder: NSObject, @unchecked Sendable {
  /// Whether a request is being answered.
  open var isGeocoding: Bool { false }

  /// Finds the places of an address.
  ///
  /// - Parameter addressString: The address.
  /// - Returns: The places.
  /// - Throws: `CLError.geocodeFoundNoResult`.
  open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
    throw CLError(.geocodeFoundNoResult)
  }

  /// Finds the places of an address.
  ///
  /// - Parameters:
  ///   - addressString: The address.
  ///   - completionHandler: The handler of the places or of the error.
  open func geocodeAddressString(
    _ addressString: String,
    completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
  ) {
    Task { completionHandler(nil, CLError(.geocodeFoundNoResult)) }
  }

  /// Ends the request that is being answered.
  open func cancelGeocode() {}
}

/// A place that a geocoder found.
open class CLPlacemark: NSObject, @unchecked Sendable {
  /// The position.
  public let location: CLLocation?
  /// The name.
  public let name: String?

  /// Creates a place like another one.
  ///
  /// - Parameter placemark: The other place.
  public init(placemark: CLPlacemark) {
    location = placemark.location
    name = placemark.name
  }
}

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
