// SPDX-License-Identifier: Apache-2.0

// Values of properties are those of the layers below, so that one import is enough for a program.
@_exported public import CivilTime
@_exported public import Recurrence
