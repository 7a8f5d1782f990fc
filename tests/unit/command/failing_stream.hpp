// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ios>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>

namespace tablemap::test {

/// A file of which the beginning alone can be read, as from a disk that fails.
class failing_stream : std::streambuf, public std::istream {
public:
    explicit failing_stream(std::string beginning) : std::istream(this), beginning_(std::move(beginning)) {
        setg(beginning_.data(), beginning_.data(), beginning_.data() + beginning_.size());
    }

private:
    std::streambuf::int_type underflow() override { throw std::ios_base::failure{"the disk fails"}; }

    std::string beginning_;
};

}  // namespace tablemap::test
