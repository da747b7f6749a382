"""Initialises CUDA in a child while it waits for its job."""


def make_context() -> None:
    """Create the CUDA context, cuBLAS, and autograd's thread for the device.

    This takes about a second, which must not be charged to the answer.

    If torch cannot use the GPU, the exception that torch raises is passed on.
    """
    import torch

    square = torch.ones(8, 8, device="cuda", requires_grad=True)
    (square @ square).sum().backward()  # type: ignore[no-untyped-call]
    torch.cuda.synchronize()
