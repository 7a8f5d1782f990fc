#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts TLS before a local server.

usage: tls_front.py CERTIFICATE KEY PORT [NEWEST]

Prints "listening on N", and passes on what comes to port N, decrypted, to PORT; a connection ends when either side ends
it. NEWEST is the newest version of TLS that it speaks, such as TLSv1_2.
"""
import socket
import ssl
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


def serve(context, client, port):
    try:
        with (
            context.wrap_socket(client, server_side=True) as front,
            socket.create_connection(("127.0.0.1", port)) as back,
        ):
            front.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            upward = threading.Thread(target=pump, args=(front, back), daemon=True)
            upward.start()
            pump(back, front)
            upward.join()
    except OSError:
        pass


def main(certificate, key, port, newest="TLSv1_3"):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion[newest]
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        print(f"listening on {listener.getsockname()[1]}", flush=True)
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(context, client, int(port)), daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
