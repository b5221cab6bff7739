// SPDX-License-Identifier: Apache-2.0

#pragma once

/// The version of libcurl, as "7.88.1".
const char *ccurl_version(void);
