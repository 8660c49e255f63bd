"""Times one task of a reference implementation: pairs on stdin, CPU seconds and scores on stdout."""
import json
import sys
import time
from difflib import SequenceMatcher

ROUGE = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


def rouge(stemmer):
    from rouge_score.rouge_scorer import RougeScorer
    scorer = RougeScorer(ROUGE, use_stemmer=stemmer)

    def score(pair):
        found = scorer.score(pair["reference"], pair["prediction"])
        return [found[kind].fmeasure for kind in ROUGE]
    return lambda pairs: [value for pair in pairs for value in score(pair)]


def sentences(metric):
    return lambda pairs: [metric.sentence_score(pair["prediction"], [pair["reference"]]).score for pair in pairs]


def bleu_sentence():
    from sacrebleu.metrics import BLEU
    return sentences(BLEU(effective_order=True))


def bleu_corpus():
    from sacrebleu.metrics import BLEU
    metric = BLEU()
    return lambda pairs: [metric.corpus_score(
        [pair["prediction"] for pair in pairs], [[pair["reference"] for pair in pairs]]).score]


def chrf(word_order):
    from sacrebleu.metrics import CHRF
    return sentences(CHRF(word_order=word_order))


def ratios(pairs):
    return [SequenceMatcher(None, pair["prediction"], pair["reference"], autojunk=False).ratio() for pair in pairs]


TASKS = {
    "rouge": lambda: rouge(False),
    "rouge-stemmed": lambda: rouge(True),
    "bleu-sentence": bleu_sentence,
    "bleu-corpus": bleu_corpus,
    "chrf": lambda: chrf(0),
    "chrf++": lambda: chrf(2),
    "similarity": lambda: ratios,
}

texts = json.load(sys.stdin)
run = TASKS[sys.argv[1]]()
start = time.process_time()
scores = run(texts)
json.dump({"seconds": time.process_time() - start, "scores": scores}, sys.stdout)
