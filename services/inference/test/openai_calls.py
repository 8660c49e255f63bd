"""Calls of OpenAI's Python client to the service at BASE_URL; prints what came of each as one JSON object."""
import json
import os
import time

import openai

client = openai.OpenAI(base_url=os.environ["BASE_URL"], api_key="none", max_retries=0)
MODEL = "fake-model"
MESSAGES = [{"role": "user", "content": "Is 漢 a letter? 🙂"}]
said = {}


def chat(model=MODEL, **more):
    return client.chat.completions.create(model=model, messages=MESSAGES, seed=7, **more)


def doing(name):
    return {"x-fake": name}


def raised(call):
    try:
        call()
    except openai.APIError as error:
        return {"name": type(error).__name__, "status": getattr(error, "status_code", None), "type": error.type, "text": str(error)}
    return None


tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]
answer = chat(tools=tools, tool_choice="none", extra_body={"top_k": 3, "chat_template_kwargs": {"a": 1}})
said["chat"] = answer.choices[0].message.content
said["reasoning"] = [answer.choices[0].message.reasoning, answer.choices[0].message.reasoning_content]

chunks = list(chat(stream=True, stream_options={"include_usage": True}))
said["streamed"] = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
said["usage"] = chunks[-1].usage.total_tokens > 0
said["completion"] = client.completions.create(model=MODEL, prompt="x", max_tokens=5).object
said["embeddings"] = [len(each.embedding) for each in client.embeddings.create(model=MODEL, input=["a", "b"]).data]
said["models"] = sorted(model.id for model in client.models.list())
said["model"] = client.models.retrieve(MODEL).id

said["unknown"] = raised(lambda: chat(model="gpt-9"))
said["bad"] = raised(lambda: client.chat.completions.create(model=MODEL, messages="x"))
said["long"] = raised(lambda: chat(extra_headers=doing("ctx_len")))
said["html"] = raised(lambda: chat(extra_headers=doing("html_200")))
said["slow"] = raised(lambda: chat(extra_headers=doing("never"), timeout=0.2))
said["cut"] = raised(lambda: list(chat(stream=True, extra_headers=doing("fin:2"))))

with chat(stream=True, extra_headers=doing("stall:1,60000")) as begun:
    said["begun"] = next(iter(begun)).object

raised(lambda: chat(model="busy-model"))
said["busy"] = raised(lambda: chat(model="busy-model"))
begin = time.monotonic()
print("busy", flush=True)
input()
said["free"] = client.with_options(max_retries=3).chat.completions.create(model="busy-model", messages=MESSAGES).choices[0].message.content
said["waited"] = time.monotonic() - begin
print(json.dumps(said), flush=True)
