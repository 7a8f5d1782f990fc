// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/result.hpp"

namespace tablemap::inline v0_1 {

failure fail(std::error_code code, error_details details) { return failure{error{code, std::move(details)}}; }

}  // namespace tablemap
