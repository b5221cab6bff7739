// SPDX-License-Identifier: Apache-2.0

// The values of the model are those of the layers below, so that one import is enough for a program.
@_exported public import ICalSyntax
