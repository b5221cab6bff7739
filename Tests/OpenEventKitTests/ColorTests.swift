// SPDX-License-Identifier: Apache-2.0

import EventKit
import Testing

@Suite("Colours")
struct ColorTests {
  @Test("A shade of gray becomes red, green and blue")
  func grayToColor() throws {
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let color = CGColor(gray: 0.5, alpha: 0.25)
    let converted = color.converted(to: space, intent: .defaultIntent, options: nil)
    #expect(converted?.components == [0.5, 0.5, 0.5, 0.25])
    #expect(converted?.colorSpace == space)
  }

  @Test("A colour becomes a shade by its luminance")
  func colorToGray() throws {
    let space = try #require(CGColorSpace(name: CGColorSpace.genericGrayGamma2_2))
    let green = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
    let converted = green.converted(to: space, intent: .defaultIntent, options: nil)
    #expect(converted?.components == [0.7152, 1])
  }

  @Test("A colour of the space stays as it is")
  func sameSpace() throws {
    let color = CGColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
    let space = try #require(color.colorSpace)
    #expect(color.converted(to: space, intent: .perceptual, options: nil) == color)
  }

  @Test("A colour is created of a space and its components")
  func componentsOfASpace() throws {
    let sRGB = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let gray = try #require(CGColorSpace(name: CGColorSpace.genericGrayGamma2_2))
    #expect(
      CGColor(colorSpace: sRGB, components: [0, 0, 1, 1])
        == CGColor(red: 0, green: 0, blue: 1, alpha: 1))
    #expect(CGColor(colorSpace: gray, components: [0.5, 1]) == CGColor(gray: 0.5, alpha: 1))
    #expect(CGColor(colorSpace: sRGB, components: [0, 0, 1]) == nil)
    #expect(CGColorSpace(name: "kCGColorSpaceGenericCMYK") == nil)
  }

  @Test("The spaces of a display are sRGB and gray")
  func displaySpaces() {
    #expect(CGColorSpaceCreateDeviceRGB().name == CGColorSpace.sRGB)
    let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
    #expect(CGColorSpaceCreateDeviceRGB() == blue.colorSpace)
    #expect(CGColorSpaceCreateDeviceGray().name == CGColorSpace.genericGrayGamma2_2)
    #expect(CGColor(colorSpace: CGColorSpaceCreateDeviceRGB(), components: [0, 0, 1, 1]) == blue)
  }

  @Test("A program distinguishes all models of Core Graphics", arguments: [true, false])
  func models(isRGB: Bool) {
    let space = isRGB ? CGColorSpaceCreateDeviceRGB() : CGColorSpaceCreateDeviceGray()
    let name =
      switch space.model {
      case .rgb: "rgb"
      case .monochrome: "monochrome"
      case .unknown, .cmyk, .lab, .deviceN, .indexed, .pattern, .XYZ: "other"
      }
    #expect(name == (isRGB ? "rgb" : "monochrome"))
  }
}
