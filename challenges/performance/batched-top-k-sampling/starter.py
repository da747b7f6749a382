from torch import Tensor


def sample_top_k(logits: Tensor, noise: Tensor, k: int) -> Tensor:
    """(B, V), (B, V) -> (B,): the token with the largest logit + noise among those with the k largest logits"""
    raise NotImplementedError
