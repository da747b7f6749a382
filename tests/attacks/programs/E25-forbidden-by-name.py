# id: E25
# tries: calls the function that the challenge forbids, under another name
# expect: CE|RV
from torch.nn.functional import scaled_dot_product_attention as harmless


def attention(q, k, v):
    return harmless(q, k, v)
