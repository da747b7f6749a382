"""One program for each row, with the online softmax over blocks; one program for each block of the product."""

import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x, out, columns, x_row, x_column, out_row, out_column, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    place = tl.arange(0, BLOCK)
    top = tl.full((), float("-inf"), tl.float32)
    total = tl.full((), 0.0, tl.float32)
    for start in range(0, columns, BLOCK):
        j = start + place
        values = tl.load(x + row * x_row + j * x_column, mask=j < columns, other=float("-inf")).to(tl.float32)
        higher = tl.maximum(top, tl.max(values, axis=0))
        shift = tl.where(higher == float("-inf"), 0.0, higher)
        total = total * tl.exp(top - shift) + tl.sum(tl.exp(values - shift), axis=0)
        top = higher
    shift = tl.where(top == float("-inf"), 0.0, top)
    total = tl.where(total == 0.0, 1.0, total)
    for start in range(0, columns, BLOCK):
        j = start + place
        values = tl.load(x + row * x_row + j * x_column, mask=j < columns, other=float("-inf")).to(tl.float32)
        tl.store(out + row * out_row + j * out_column, tl.exp(values - shift) / total, mask=j < columns)


def softmax(x, out):
    rows, columns = x.shape
    if rows and columns:
        block = min(triton.next_power_of_2(columns), 2048)
        softmax_kernel[(rows,)](x, out, columns, *x.stride(), *out.stride(), BLOCK=block)


@triton.jit
def matmul_kernel(
    a, b, out, bias, M, N, K,
    a_m, a_k, b_k, b_n, out_m, out_n, bias_n,
    BIAS: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.full((BLOCK_M, BLOCK_N), 0.0, tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        left = (m[:, None] < M) & (k[None, :] < K)
        right = (k[:, None] < K) & (n[None, :] < N)
        a_block = tl.load(a + m[:, None] * a_m + k[None, :] * a_k, mask=left, other=0.0)
        b_block = tl.load(b + k[:, None] * b_k + n[None, :] * b_n, mask=right, other=0.0)
        total = tl.dot(a_block, b_block, total, input_precision="ieee")
    if BIAS:
        total += tl.load(bias + n * bias_n, mask=n < N, other=0.0).to(tl.float32)[None, :]
    inside = (m[:, None] < M) & (n[None, :] < N)
    tl.store(out + m[:, None] * out_m + n[None, :] * out_n, total, mask=inside)


def matmul(a, b, out, bias=None):
    (M, K), N = a.shape, b.shape[1]
    grid = (triton.cdiv(M, 32), triton.cdiv(N, 32))
    strides = (*a.stride(), *b.stride(), *out.stride(), 0 if bias is None else bias.stride(0))
    matmul_kernel[grid](a, b, out, bias, M, N, K, *strides, bias is not None, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32)
