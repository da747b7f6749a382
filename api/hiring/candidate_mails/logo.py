"""Reads a logo that a member uploaded, and writes it as a small PNG. Nothing of the original file is kept, so that neither its
metadata nor a flaw in a mail program's decoder can reach a candidate.
"""

from base64 import b64decode, b64encode
from io import BytesIO

from PIL import Image, UnidentifiedImageError

from api.kit.errors import ApiError, FieldError

# The logo is shrunk to fit into these pixels: twice its size on the screen, so that it is sharp on a phone.
SIZE = (480, 160)
# Larger images are refused before they are decoded, because decoding takes memory in proportion to the pixels.
MOST_PIXELS = 4_000_000
MOST_KB = 512
PREFIXES = ("data:image/png;base64,", "data:image/jpeg;base64,")


class BadLogo(ApiError):
    """The file is not an image that can be used as a logo. The message says why."""

    status, code = 422, "bad_logo"

    def __init__(self, reason: str) -> None:
        super().__init__(reason, fields=[FieldError(field="logo", message=reason)])


def png_of(data_url: str) -> bytes:
    """Return the logo of a `data:` URL as a PNG. Decoding takes up to a tenth of a second. Raises `BadLogo`."""
    prefix = next((prefix for prefix in PREFIXES if data_url.startswith(prefix)), None)
    if prefix is None:
        raise BadLogo("The logo must be a PNG or JPEG file.")
    try:
        content = b64decode(data_url.removeprefix(prefix), validate=True)
    except ValueError:
        raise BadLogo("The logo is not valid Base64.") from None
    if len(content) > MOST_KB * 1024:
        raise BadLogo(f"The logo file is larger than {MOST_KB} kB. Choose a smaller one.")
    try:
        with Image.open(BytesIO(content), formats=("PNG", "JPEG")) as image:
            if image.width * image.height > MOST_PIXELS:
                raise BadLogo(f"The logo has {image.width} × {image.height} pixels. Choose one with at most 4 million.")
            logo = image.convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError):
        raise BadLogo(
            "The logo cannot be read as a PNG or JPEG image. Export it again, or choose another file."
        ) from None
    logo.thumbnail(SIZE)
    written = BytesIO()
    logo.save(written, "PNG", optimize=True)
    return written.getvalue()


def data_url_of(png: bytes) -> str:
    """Return a PNG as a `data:` URL."""
    return PREFIXES[0] + b64encode(png).decode()
