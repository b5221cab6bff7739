// SPDX-License-Identifier: Apache-2.0

// Rules and instances consist of dates and times, so that one import is enough for a program.
@_exported public import CivilTime
