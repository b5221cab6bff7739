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
