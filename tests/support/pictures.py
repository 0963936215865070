"""Pictures as tests look at them."""

import io

from PIL import Image


def opened(png):
    """The pixels of a drawn picture, which has to be a PNG."""
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGB")
