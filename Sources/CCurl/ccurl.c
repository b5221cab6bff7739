// SPDX-License-Identifier: Apache-2.0

#include "ccurl.h"

#include <curl/curl.h>

const char *ccurl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }
