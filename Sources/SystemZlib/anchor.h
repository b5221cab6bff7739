// SPDX-License-Identifier: Apache-2.0

/* Empty on purpose: the headers of the library are included by the C sources of the shim only. */
