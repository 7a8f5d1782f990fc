-- SPDX-License-Identifier: Apache-2.0
--
-- For wrk, which bench/serve.py starts: sends the requests of a file, one after the other and again from the first.
-- Arguments: FILE RUN. A line of FILE is method, target, Authorization, x-ms-date and body, with tabs between them. RUN
-- is eight characters; "@row@" in a body becomes these and a number, so that each insert has a row key of its own.

local requests, at, count = {}, 0, 0

local function prepared(line, run)
    local method, target, authorization, date, body = line:match("^(.-)\t(.-)\t(.-)\t(.-)\t(.*)$")
    local headers = {
        ["Host"] = wrk.headers["Host"], ["Accept"] = "application/json;odata=minimalmetadata",
        ["Authorization"] = authorization, ["x-ms-date"] = date, ["x-ms-version"] = "2019-02-02",
    }
    if method == "GET" then return {wrk.format(method, target, headers)} end
    headers["Content-Type"] = "application/json"
    headers["Prefer"] = "return-no-content"
    local text = wrk.format(method, target, headers, (body:gsub("@row@", run .. "@number@")))
    local head, tail = text:match("^(.*)@number@(.*)$")
    return {head, tail}
end

function init(arguments)
    for line in io.lines(arguments[1]) do requests[#requests + 1] = prepared(line, arguments[2]) end
end

function request()
    at = at % #requests + 1
    local r = requests[at]
    if not r[2] then return r[1] end
    count = count + 1
    return r[1] .. string.format("%08d", count) .. r[2]  -- as long as "@number@"
end

function done(summary)
    local e = summary.errors
    io.write(string.format('{"requests": %d, "microseconds": %d, "refused": %d, "lost": %d}\n', summary.requests,
                           summary.duration, e.status, e.connect + e.read + e.write + e.timeout))
end
