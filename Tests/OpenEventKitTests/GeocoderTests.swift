// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import Testing

@Suite("Geocoder")
struct GeocoderTests {
  @Test("No place belongs to an address")
  func noPlace() async {
    await #expect(throws: CLError(.geocodeFoundNoResult)) {
      try await CLGeocoder().geocodeAddressString("Example Street 1")
    }
  }

  @Test("An error matches its code")
  func errorsMatchTheirCodes() {
    do {
      throw CLError(.network)
    } catch CLError.denied {
      Issue.record("an error of the network matches another code")
    } catch CLError.network {
    } catch {
      Issue.record("an error of the network does not match its code")
    }
  }

  @Test("An error becomes one of Foundation")
  func errorsBridgeToFoundation() {
    let error = CLError(.geocodeFoundNoResult) as any Error as NSError
    #expect(error.domain == kCLErrorDomain)
    #expect(error.code == 8)
    #expect(error.localizedDescription == "No place belongs to the address.")
  }
}
