#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A proxy for tests, whose every way leads to one server of this machine, whatever host it is asked for.

usage: http_proxy.py PORT [USER:PASSWORD]

Prints "listening on N", and passes on to PORT what comes to port N as a proxy's request: CONNECT, or a method with a whole
URL. Says "asked METHOD TARGET" of each. With credentials it answers 407 to whoever does not give them.
"""
import base64
import http.client
import http.server
import socket
import sys
import threading


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    port = 0
    credentials = None

    def is_refused(self):
        print("asked", self.command, self.path, flush=True)
        if self.credentials is None or self.headers.get("Proxy-Authorization") == self.credentials:
            return False
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(407)
        self.send_header("Proxy-Authenticate", "Basic")
        self.send_header("Content-Length", "0")
        self.end_headers()
        return True

    def do_CONNECT(self):
        if self.is_refused():
            return
        with socket.create_connection(("127.0.0.1", self.port)) as back:
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            threading.Thread(target=pump, args=(self.connection, back), daemon=True).start()
            pump(back, self.connection)

    def forward(self):
        if self.is_refused():
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        back = http.client.HTTPConnection("127.0.0.1", self.port)
        back.putrequest(self.command, "/" + self.path.split("/", 3)[3], skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name != "Proxy-Authorization":
                back.putheader(name, value)
        back.endheaders(body)
        answer = back.getresponse()
        content = answer.read()
        back.close()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_PUT = forward

    def log_message(self, *_):
        pass


def main(port, credentials=None):
    Proxy.port = int(port)
    if credentials:
        Proxy.credentials = "Basic " + base64.b64encode(credentials.encode()).decode()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        server.daemon_threads = True
        print(f"listening on {server.server_address[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
