// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "serve/batch_reader.hpp"
#include "serve/refused.hpp"
#include "tablemap/edm/limits.hpp"

/// Input: a Content-Type, a line break, the body of a request to `$batch`.
namespace tablemap::fuzz {

using namespace detail::serve;

TABLEMAP_FUZZ_TARGET(serve_batch) {
    auto const type = take_line(input);
    try {
        auto const batch = read_batch_request(type, input);
        require(!batch.operations.empty() && batch.operations.size() <= limits::transaction_operations,
                "a batch holds 1 to 100 operations");
        std::size_t total = 0;
        for (auto const& o : batch.operations) {
            require(!o.method.empty(), "an operation has a method");
            total += o.method.size() + o.target.size() + o.body.size();
        }
        require(total <= input.size(), "no byte belongs to two operations");
        require(!batch.is_query || batch.operations.size() == 1, "a query is alone");
    } catch (refused const& r) {
        require(r.status() == 400, "what a client sends is the client's fault");
    }
}

}  // namespace tablemap::fuzz
