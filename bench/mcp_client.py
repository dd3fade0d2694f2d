"""One `codexmem serve` over its standard streams, with a store and, unless a root is given, a folder of its own."""
import json, os, subprocess, tempfile


class Server:
    def __init__(self, codexmem, data_directory, environment=(), root=None):
        self.folder = tempfile.TemporaryDirectory()
        env = dict(os.environ, CODEXMEM_DATA_DIR=str(data_directory), **dict(environment))
        self.process = subprocess.Popen([os.path.abspath(codexmem), "serve"], cwd=root or self.folder.name, env=env,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("the server has ended")
            answer = json.loads(line)
            if answer.get("id") == self.last:
                return answer.get("result") or answer["error"]

    def call(self, tool, arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def memory_mb(self, name="VmRSS"):
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith(name):
                    return int(line.split()[1]) / 1024
        return 0

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.folder.cleanup()
