"""The official SDKs, unmodified: one conversation or the other, whole and streamed.

python sdk.py BASE TOKEN told|asked
"""

import sys
import time

from anthropic import Anthropic
from openai import OpenAI

TOLD = {
    "anthropic": "We decided to use PostgreSQL for the billing service because we need row locks.",
    "anthropic-stream": "I prefer tabs over spaces in Makefiles.",
    "chat": "Our staging server is called heron-7 and runs in Ankara.",
    "chat-stream": "I always deploy the shop on Tuesdays.",
    "responses": "The mobile app is written in Kotlin and not in Java.",
    "responses-stream": "Our support mailbox is answered by Deniz.",
}
ASKED = {
    "anthropic": "Which database did we decide to use for the billing service?",
    "anthropic-stream": "Do I prefer tabs or spaces in Makefiles?",
    "chat": "What is our staging server called, and where does it run?",
    "chat-stream": "On which day do I deploy the shop?",
    "responses": "In which language is the mobile app written?",
    "responses-stream": "Who answers our support mailbox?",
}


def main(base: str, token: str, which: str) -> None:
    """One conversation per way of asking; how long each took (the first loads most of an SDK)."""
    said = TOLD if which == "told" else ASKED
    # Either way of showing the token: in the path, or in a header of its own.
    claude = Anthropic(
        base_url=f"{base}/proxy/anthropic",
        api_key="sk-ant-canary-0001",
        default_headers={"X-Engraphy-Token": token},
    )
    gpt = OpenAI(base_url=f"{base}/t/{token}/proxy/openai/v1", api_key="sk-canary-0002")
    began = time.monotonic()

    def answer(text: str | None) -> None:
        nonlocal began
        print(f"{time.monotonic() - began:6.2f} s  {text}", flush=True)
        began = time.monotonic()

    chat = [{"role": "user", "content": said["anthropic"]}]
    answer(claude.messages.create(model="m", max_tokens=500, messages=chat).content[0].text)
    chat = [{"role": "user", "content": said["anthropic-stream"]}]
    with claude.messages.stream(model="m", max_tokens=500, messages=chat) as stream:
        answer("".join(stream.text_stream))
    chat = [{"role": "user", "content": said["chat"]}]
    answer(gpt.chat.completions.create(model="m", messages=chat).choices[0].message.content)
    chat = [{"role": "developer", "content": "Be kind."}]
    chat += [{"role": "user", "content": said["chat-stream"]}]
    parts = gpt.chat.completions.create(model="m", messages=chat, stream=True)
    answer("".join(c.choices[0].delta.content or "" for c in parts if c.choices))
    answer(gpt.responses.create(model="m", input=said["responses"]).output_text)
    with gpt.responses.stream(model="m", input=said["responses-stream"]) as events:
        answer(events.get_final_response().output_text)


if __name__ == "__main__":
    main(*sys.argv[1:])
