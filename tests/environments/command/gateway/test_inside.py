"""A program without network asks a model: through the gateway, on the sandbox's own loopback, and in no other way."""

import pytest

from assay.models.testing import Say
from assay.sandbox.client import Sandbox
from assay.sandbox.grants import Grants
from assay.sandbox.job import Job
from assay.tasks.payload import encode
from assay.tasks.spec import Limits

PERFORM = "def perform(candidate, inputs): return {'y': candidate.load('program.py').main(inputs)}"
PROGRAM = """
import json, os, socket, subprocess, sys

ASK = '''
import json, os, urllib.request
body = json.dumps({"model": os.environ["OPENAI_MODEL"], "messages": [{"role": "user", "content": "hi"}]}).encode()
headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"}
request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers)
print(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
'''

def main(inputs):
    environment = {**os.environ, **inputs["variables"]}
    said = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True)
    try:
        socket.create_connection(("127.0.0.1", inputs["provider"]), 5)
        direct = "reached"
    except OSError as error:
        direct = type(error).__name__
    return [said.stdout.strip() or said.stderr, direct]
"""


def test_a_program_in_the_sandbox_asks_a_model_and_reaches_nothing_else(open_run, provider):
    upstream = provider([Say("hello inside")])
    with Sandbox(grants=Grants(programs=True, loopback=True)) as sandbox:
        if sandbox.listener is None:
            pytest.skip(f"this machine gives no network namespace: {'; '.join(sandbox.isolation.missing)}")
        run = open_run(f"openai:gpt-5@{upstream.url}", listener=sandbox.listener)
        inputs = {"variables": run.gateway.variables, "provider": int(upstream.address.rpartition(":")[2])}
        limits = Limits(seconds=60, processes=16)
        result = sandbox.run(Job(PERFORM, {"program.py": PROGRAM}, encode(inputs), limits))
    assert result.kind == "ok", result
    assert result.outputs == {"y": ["hello inside", "ConnectionRefusedError"]}
    assert [call.completion.text for call in run.calls] == ["hello inside"]
