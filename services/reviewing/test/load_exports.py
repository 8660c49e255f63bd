"""Reads the exports of a folder with the programs they are made for, and says as JSON what those saw.

Arguments: the folder. In it: huggingface/, lm-eval/, inspect/ (one folder each inside) and items.parquet.
"""
import hashlib
import json
import logging
import os
import sys
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
os.environ.update({
    "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"), "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    "INSPECT_LOG_DIR": str(folder / "logs"), "TOKENIZERS_PARALLELISM": "false",
})


def inside(name):
    (only,) = (folder / name).iterdir()
    return only


def plain(value):
    """JSON of a cell; a picture is its mode, size and the hash of its pixels."""
    if hasattr(value, "tobytes") and hasattr(value, "mode"):
        return {"mode": value.mode, "size": list(value.size), "pixels": hashlib.sha256(value.tobytes()).hexdigest()}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value


def hugging_face():
    from datasets import get_dataset_config_names, load_dataset

    root = str(inside("huggingface"))
    rows = {config: [plain(dict(row)) for row in load_dataset(root, config, split="test")]
            for config in get_dataset_config_names(root)}
    alone = load_dataset("parquet", data_files={"test": str(folder / "items.parquet")}, split="test")
    return {"configs": rows, "parquet": [plain(dict(row)) for row in alone]}


def lm_eval():
    os.chdir(inside("lm-eval"))
    from lm_eval.api.model import LM
    from lm_eval.evaluator import simple_evaluate
    from lm_eval.tasks import TaskManager

    class Scripted(LM):
        """Knows every answer; gives it, or another one."""

        def __init__(self, right):
            super().__init__()
            self.right = right

        def loglikelihood(self, requests):
            said = []
            for request in requests:
                gold = " " + request.doc["letters"][request.doc["answerIndex"]]
                said.append((0.0 if (request.args[1] == gold) == self.right else -9.0, False))
            return said

        def generate_until(self, requests):
            said = []
            for request in requests:
                doc = request.doc
                if doc["letter"] is None:
                    said.append(doc["answer"] if self.right else "")
                else:
                    wrong = next(letter for letter in doc["letters"] if letter != doc["letter"])
                    said.append("Answer: " + (doc["letter"] if self.right else wrong))
            return said

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

    class Seeing(Scripted):
        MULTIMODAL = True

    manager = TaskManager(include_path=".", include_defaults=False)
    scores, prompts = {}, {}
    for name in sorted(manager.all_tasks):
        scores[name] = {}
        for right in (True, False):
            model = (Seeing if "figures" in name else Scripted)(right)
            found = simple_evaluate(model=model, tasks=[name], task_manager=manager, bootstrap_iters=0, log_samples=True)
            scores[name]["right" if right else "wrong"] = {
                key: value for key, value in found["results"][name].items()
                if "," in key and "stderr" not in key}
        prompts[name] = [
            {"id": sample["doc"]["id"], "prompt": sample["arguments"][0][0], "target": sample["target"],
             "choices": [argument[1] for argument in sample["arguments"]] if "multiple" in name else None,
             "images": len(sample["arguments"][0][2]["visual"]) if "figures" in name else 0}
            for sample in found["samples"][name] if sample["filter"] in ("none", "strict")]
    return {"scores": scores, "prompts": prompts}


def inspect():
    root = inside("inspect")
    os.chdir(root)
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import json_dataset
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def shown(sample):
        said = sample.model_dump(exclude_none=True)
        parts = sample.input if isinstance(sample.input, str) else sample.input[0].content
        text = parts if isinstance(parts, str) else parts[0].text
        images = [] if isinstance(parts, str) else [Path(part.image).name for part in parts[1:]]
        exist = True if isinstance(parts, str) else all(Path(part.image).exists() for part in parts[1:])
        return {"id": said["id"], "text": text, "images": images, "exist": exist, "target": said["target"],
                "choices": said.get("choices"), "metadata": said["metadata"]}

    samples = {file: [shown(sample) for sample in json_dataset(f"{file}.jsonl")] for file in ("closed", "open")}
    scores = {}
    prompts = {}
    for right in (True, False):
        outputs = [ModelOutput.from_content("mockllm/model", "ANSWER: " + (
            sample["target"] if right else "B" if sample["target"] == "A" else "A")) for sample in samples["closed"]]
        for output in outputs:
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # or it would fetch a tokenizer
        (log,) = evaluate("task.py@closed", model=get_model("mockllm/model", custom_outputs=outputs),
                          max_samples=1, max_connections=1, display="none", log_samples=right, log_realtime=False)
        if log.status != "success":
            raise RuntimeError(f"inspect: {log.error}")
        scores["right" if right else "wrong"] = log.results.scores[0].metrics["accuracy"].value
        for sample in log.samples or []:
            prompts[sample.id] = sample.messages[0].text
    return {"samples": samples, "scores": scores, "prompts": prompts}


logging.disable(logging.WARNING)
print(json.dumps({"huggingFace": hugging_face(), "lmEval": lm_eval(), "inspect": inspect()}))
