"""Initialises CUDA in a child while it waits for its job."""


def make_context() -> None:
    """Create the CUDA context, cuBLAS, and autograd's thread for the device.

    This takes about a second, which must not be charged to the answer.

    Raises what torch raises if it cannot use the GPU.
    """
    import torch

    square = torch.ones(8, 8, device="cuda", requires_grad=True)
    (square @ square).sum().backward()  # type: ignore[no-untyped-call]
    torch.cuda.synchronize()
