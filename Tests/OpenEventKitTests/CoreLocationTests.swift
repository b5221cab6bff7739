// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Testing

@Suite("Locations")
struct CoreLocationTests {
  @Test("A location keeps its position")
  func position() {
    let location = CLLocation(latitude: 52.52, longitude: 13.405)
    #expect(location.coordinate.latitude == 52.52)
    #expect(location.coordinate.longitude == 13.405)
  }
}
