-- SPDX-License-Identifier: Apache-2.0
--
-- For wrk, which bench/serve.py starts: sends the requests of a file, one after the other and again from the first.
-- Arguments: FILE RUN. A line of FILE is method, target, Authorization, x-ms-date and body, with tabs between them. RUN
-- is eight characters; "@row@" in a body becomes these and a number, so that each insert has keys of its own.

local requests, at, count = {}, 0, 0

local function prepared(line, run)
    local method, target, authorization, date, body = line:match("^(.-)\t(.-)\t(.-)\t(.-)\t(.*)$")
    local headers = {
        ["Host"] = wrk.headers["Host"], ["Accept"] = "application/json;odata=minimalmetadata",
        ["Authorization"] = authorization, ["x-ms-date"] = date, ["x-ms-version"] = "2019-02-02",
    }
    if method == "GET" then return wrk.format(method, target, headers) end
    headers["Content-Type"] = "application/json"
    headers["Prefer"] = "return-no-content"
    return wrk.format(method, target, headers, (body:gsub("@row@", run .. "@number@")))
end

function init(arguments)
    for line in io.lines(arguments[1]) do requests[#requests + 1] = prepared(line, arguments[2]) end
end

function request()
    at, count = at % #requests + 1, count + 1
    return (requests[at]:gsub("@number@", string.format("%08d", count)))  -- which is as long
end

function done(summary)
    local e = summary.errors
    io.write(string.format('{"requests": %d, "microseconds": %d, "refused": %d, "lost": %d}\n', summary.requests,
                           summary.duration, e.status, e.connect + e.read + e.write + e.timeout))
end
