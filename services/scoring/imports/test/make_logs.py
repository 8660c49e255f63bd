"""Writes the logs that the tests import: twelve questions asked with lm-eval and inspect-ai themselves.

Arguments: the folder to write to. The models are scripted, so nothing is fetched; what the harnesses
make of the replies is their own work. Python with lm_eval 0.4.13 and inspect_ai 0.3.285.
"""
import json
import logging
import os
import sys
import tempfile
from pathlib import Path

out = Path(sys.argv[1]).resolve()
work = Path(tempfile.mkdtemp())
os.environ.update({"HF_HUB_OFFLINE": "1", "HF_HOME": str(work / "hf"), "TOKENIZERS_PARALLELISM": "false"})

CHOICES = ["green pear", "red plum", "blue grape", "white peach"]
# Gold letter and reply: what a harness's pattern finds is not always what the reply says.
REPLIES = [
    ("B", "Reasoning aside, the answer is (B)."),
    ("B", "정답: 2"),
    ("C", "Answer: **C**"),
    ("D", "The answer is (D). Eliminated: (A), (B), (C)."),
    ("A", "I think it is (B), no: the correct answer is (A)."),
    ("C", "I cannot answer this question."),
    ("A", "<think>(A) looks right at first."),
    ("B", "②"),
    ("D", "Answer: A"),
    ("C", "ANSWER: C"),
    ("A", ""),
    ("B", "The answer is (B)."),
]
QUESTIONS = [
    {"id": f"q{at + 1}", "question": f"Which fruit is meant in case {at + 1}?", "choices": CHOICES,
     "letter": gold, "index": "ABCD".index(gold), "paperId": f"paper-{at % 4 + 1}"}
    for at, (gold, _) in enumerate(REPLIES)
]
REPLY_OF = {question["id"]: reply for question, (_, reply) in zip(QUESTIONS, REPLIES)}


def lm_eval():
    data = work / "questions.jsonl"
    data.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS))
    common = f"""
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
doc_to_text: "{{{{question}}}}"
"""
    (work / "fruit_generate.yaml").write_text(common + r"""
task: fruit_generate
output_type: generate_until
doc_to_target: "{{letter}}"
filter_list:
  - name: strict
    filter:
      - {function: regex, regex_pattern: "(?:answer is|Answer:) \\(?([ABCD])\\)?"}
      - {function: take_first}
  - name: flexible
    filter:
      - {function: regex, group_select: -1, regex_pattern: "\\(?([ABCD])\\)?"}
      - {function: take_first}
metric_list:
  - {metric: exact_match, aggregation: mean, higher_is_better: true}
generation_kwargs: {until: ["\n\n"], do_sample: false}
""")
    (work / "fruit_choice.yaml").write_text(common + """
task: fruit_choice
output_type: multiple_choice
doc_to_choice: choices
doc_to_target: index
metric_list:
  - {metric: acc, aggregation: mean, higher_is_better: true}
""")
    from lm_eval.api.model import LM
    from lm_eval.evaluator import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    class Scripted(LM):
        def loglikelihood(self, requests):
            return [(-1.0 - (request.doc["choices"].index(request.args[1].strip()) * 5 + int(request.doc["id"][1:]) * 3) % 7, False) for request in requests]

        def generate_until(self, requests):
            return [REPLY_OF[request.doc["id"]] for request in requests]

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

    manager = TaskManager(include_path=str(work), include_defaults=False)
    tracker = EvaluationTracker(output_path=str(work / "lm"))
    found = simple_evaluate(model=Scripted(), tasks=["fruit_generate", "fruit_choice"], task_manager=manager,
                            bootstrap_iters=0, log_samples=True)
    for task, samples in found["samples"].items():
        tracker.general_config_tracker.model_name_sanitized = "scripted"
        tracker.date_id = "2026-01-01"
        tracker.save_results_samples(task_name=task, samples=samples)
        (written,) = (work / "lm").rglob(f"samples_{task}_*.jsonl")
        (out / f"samples_{task}.jsonl").write_bytes(written.read_bytes())


def inspect():
    from inspect_ai import Task, eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.log import read_eval_log, write_eval_log
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    samples = [Sample(id=question["id"], input=question["question"], choices=question["choices"],
                      target=question["letter"], metadata={"paperId": question["paperId"]}) for question in QUESTIONS]
    outputs = []
    for question in QUESTIONS:
        output = ModelOutput.from_content("mockllm/model", REPLY_OF[question["id"]],
                                          stop_reason="max_tokens" if question["id"] == "q7" else "stop")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        outputs.append(output)
    task = Task(dataset=MemoryDataset(samples, name="fruit"), solver=multiple_choice(), scorer=choice(), name="fruit")
    (log,) = evaluate(task, model=get_model("mockllm/model", custom_outputs=outputs), max_samples=1, max_connections=1,
                      display="none", log_dir=str(work / "logs"))
    log = read_eval_log(log.location)
    # The log also holds the machine's own paths and revision, and every event; the tests need neither.
    for sample in log.samples:
        sample.events, sample.timelines = [], None
    log.eval.revision = None
    for kind in ("json", "eval"):
        write_eval_log(log, str(out / f"inspect-fruit.{kind}"))


logging.disable(logging.WARNING)
lm_eval()
inspect()
