// SPDX-License-Identifier: Apache-2.0
// Loaded into the storage emulator before its own program (NODE_OPTIONS): appends the secrets of each request that comes in
// to a file of this process. What was really sent is known here whatever transport and credential sent it.
'use strict';

const fs = require('fs');

const folder = process.env.TABLEMAP_RECORD_FOLDER;
const file = `${folder}/sent-${process.pid}.txt`;
const known = new Set();

function keep(secret) {
  if (!secret || known.has(secret)) return;
  known.add(secret);
  fs.appendFileSync(file, secret + '\n');
}

function record(request) {
  const authorization = request.headers.authorization;
  if (authorization) keep(authorization.replace(/^.*[ :]/, ''));
  const signature = /[?&]sig=([^&]*)/.exec(request.url);
  if (!signature) return;
  try {
    keep(decodeURIComponent(signature[1]));
  } catch {
    keep(signature[1]);
  }
}

function watch(server) {
  const emit = server.prototype.emit;
  server.prototype.emit = function (event, ...rest) {
    if (event === 'request') record(rest[0]);
    return emit.call(this, event, ...rest);
  };
}

if (folder) {
  watch(require('http').Server);
  watch(require('https').Server);
}
