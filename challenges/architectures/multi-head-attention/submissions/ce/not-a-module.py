"""MultiHeadAttention does not inherit from nn.Module."""


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, bias=True):
        self.d_model = d_model

    def forward(self, x, context=None, mask=None, causal=False):
        return x
