"""A model's name, and what must be in place before any work starts."""

import subprocess
import sys

import pytest

from assay.errors import UsageError
from assay.models.names import ADDRESS_VARIABLE, KEY_VARIABLES, ModelName, address_of, check_model, parse_name, redact


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (*(v for names in KEY_VARIABLES.values() for v in names), ADDRESS_VARIABLE):
        monkeypatch.delenv(variable, raising=False)


def test_names_are_provider_and_model_with_an_address_where_one_is_given() -> None:
    assert parse_name("openai:gpt-5.4") == ModelName("openai", "gpt-5.4")
    assert parse_name("openrouter:a/b:free") == ModelName("openrouter", "a/b:free")
    assert parse_name("anthropic:claude@20250101") == ModelName("anthropic", "claude@20250101")
    served = parse_name("openai-compatible:qwen@http://127.0.0.1:8080/v1/")
    assert served == ModelName("openai-compatible", "qwen", "http://127.0.0.1:8080/v1")
    assert served.recorded == "openai-compatible:qwen"


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("gpt-5", "not the name of a model", "provider:model"),
        ("openai:", "not the name of a model", "provider:model"),
        ("opnai:gpt-5", "no model provider 'opnai'", "nearest: openai"),
        ("openai-compatible:m@https://user:pass@host/v1", "not the address of a server", "environment"),
        ("openai-compatible:m@http://", "not the address of a server", "http://HOST:PORT/v1"),
    ],
)
def test_a_wrong_name_says_what_a_right_one_looks_like(name: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        check_model(name)
    assert hint in caught.value.hint


@pytest.mark.parametrize("provider", [p for p in KEY_VARIABLES if p != "openai-compatible"])
def test_a_missing_key_names_its_variable(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in KEY_VARIABLES[provider]:  # type: ignore[index]
        with pytest.raises(UsageError, match=f"{provider} needs a key") as caught:
            check_model(f"{provider}:m")
        assert variable in caught.value.hint
    for variable in KEY_VARIABLES[provider]:  # type: ignore[index]
        with monkeypatch.context() as patch:
            patch.setenv(variable, "k")
            check_model(f"{provider}:m")


def test_a_server_of_ones_own_needs_an_address_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    check_model("openai-compatible:m@http://127.0.0.1:1/v1")
    with pytest.raises(UsageError, match="nobody said where") as caught:
        check_model("openai-compatible:m")
    assert ADDRESS_VARIABLE in caught.value.hint
    monkeypatch.setenv(ADDRESS_VARIABLE, "http://127.0.0.1:2/v1")
    check_model("openai-compatible:m")
    assert address_of(parse_name("openai-compatible:m")) == "http://127.0.0.1:2/v1"
    monkeypatch.setenv(ADDRESS_VARIABLE, "nonsense")
    with pytest.raises(UsageError, match="not the address"):
        check_model("openai-compatible:m")


def test_offline_needs_nothing() -> None:
    check_model("offline")


def test_keys_are_taken_out_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-abc")
    assert redact("header sk-abc was wrong") == "header [ANTHROPIC_API_KEY] was wrong"


def test_nothing_heavy_is_imported_before_a_model_is_opened() -> None:
    code = (
        "import sys, assay.models.client, assay.models.replay, assay.models.prices, assay.proposers.llm\n"
        "heavy = {'pydantic_ai', 'openai', 'anthropic', 'google.genai', 'genai_prices', 'httpx2'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
