"""A language model on a loopback port: llama.cpp's HTTP server out of the `xllamacpp` wheel.

Prints one line, `listening http://127.0.0.1:PORT`, when it takes requests, and stops at SIGTERM.

An instruct model gets a penalty for repetition in prose, but not in structured answers: llama.cpp counts the prompt
too, so that with it a judge or a summarizer that should copy a sentence of the prompt rewords it. The server has one
setting for all requests; a front before it leaves the penalty out of answers with a schema.
"""

import argparse
import http.client
import http.server
import json
import signal
import sys
import threading
import urllib.parse

import xllamacpp


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="a GGUF file")
    parser.add_argument("--alias", required=True, help="the model's name in requests")
    parser.add_argument("--context", type=int, required=True, help="tokens, prompt and answer together")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--threads", type=int, default=1, help="for an answer; two collapse on a busy machine")
    parser.add_argument("--reading-threads", type=int, default=1, help="for a prompt")
    parser.add_argument("--slots", type=int, default=1, help="prompts whose beginnings are kept, of --context each")
    parser.add_argument("--base", action="store_true", help="a model without turns, which goes in circles")
    parser.add_argument("--template", help="a chat template, for a model without one")
    parser.add_argument("--grammar", help="a GBNF file for answers that are asked for without a schema")
    return parser.parse_args()


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def parameters(options):
    params = xllamacpp.CommonParams()
    params.offline = True
    params.model.path = options.model
    params.model_alias = {options.alias}
    params.hostnames = ["127.0.0.1"]
    params.port = options.port if options.base else 0
    params.n_ctx = options.context * options.slots
    params.n_parallel = options.slots
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.reading_threads
    # On a processor it takes two thirds of the time of a token behind a prompt of 6,000.
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    # No fixed seed: an answer that was of no use is not to be given again.
    if options.base:
        # Whole phrases are held back, over the length of an answer, so that lists and strings come to their end.
        params.sampling.penalty_last_n = 1024
        params.sampling.penalty_repeat = 1.1
        params.sampling.dry_multiplier = 0.8
        params.sampling.dry_penalty_last_n = 4096
    else:
        # What the makers of Qwen2.5 give for models of this size; a lower penalty lets dialogue go round.
        params.sampling.penalty_last_n = 1024
        params.sampling.penalty_repeat = 1.1
        params.sampling.top_k = 20
        params.sampling.top_p = 0.8
    if options.template:
        params.chat_template = text_of(options.template)
    if options.grammar:
        grammar = params.sampling.grammar
        grammar.type = 1
        grammar.grammar = text_of(options.grammar)
        params.sampling.grammar = grammar
    return params


class Front(http.server.BaseHTTPRequestHandler):
    """Passes requests on to the server behind it."""

    protocol_version = "HTTP/1.1"
    behind = ""

    def log_message(self, *_):
        pass

    def body(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.command == "POST" and b'"response_format"' in body:
            request = json.loads(body)
            # Lists of a schema have their lengths, and the program ends an answer that goes round.
            request["repeat_penalty"] = 1.0
            body = json.dumps(request).encode()
        return body

    def pass_on(self):
        behind = http.client.HTTPConnection(self.behind)
        kept = ("content-type", "accept", "authorization", "x-api-key", "anthropic-version")
        headers = {name: value for name, value in self.headers.items() if name.lower() in kept}
        try:
            behind.request(self.command, self.path, self.body(), headers)
            answer = behind.getresponse()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            while part := answer.read1(65536):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            # Whoever asked has gone; closing the other side ends the answer there too.
            self.close_connection = True
        finally:
            behind.close()

    do_GET = do_POST = pass_on


def front(address, port):
    """The address of a front before the server at `address`."""
    Front.behind = urllib.parse.urlsplit(address).netloc
    passing = http.server.ThreadingHTTPServer(("127.0.0.1", port), Front)
    passing.daemon_threads = True
    threading.Thread(target=passing.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{passing.server_port}"


def main():
    # Blocked before the server starts its threads, so that the signal waits for `sigwait` below.
    stop = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, stop)
    options = arguments()
    server = xllamacpp.Server(parameters(options))
    address = server.listening_address
    if not options.base:
        address = front(address, options.port)
    print("listening", address, flush=True)
    signal.sigwait(stop)
    sys.exit(0)


main()
