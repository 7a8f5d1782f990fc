// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/service_call.hpp"
#include "tablemap/patterns/hot_partitions.hpp"

#include <string>

namespace tablemap::inline v0_1::detail {

/// The call of `sample_partitions`, for both of its forms. Errors: as there.
service_call<partition_sample> sampling_call(store_ptr const& s, std::string table, sample_options const& how);

}  // namespace tablemap::detail
