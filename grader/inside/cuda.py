"""What CUDA makes once in a process, made by a child while it waits for its one job."""


def make_context() -> None:
    """The context, cuBLAS, and autograd's thread for the device: a second or so that no answer should pay for.

    Raises what torch raises where it can use no GPU.
    """
    import torch

    square = torch.ones(8, 8, device="cuda", requires_grad=True)
    (square @ square).sum().backward()  # type: ignore[no-untyped-call]
    torch.cuda.synchronize()
