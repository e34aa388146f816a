"""From a prompt and pictures to what a model's stages take, and from what they give to a picture.

Nothing here needs a device: model folders, prompts, pictures, noise and schedules are NumPy arrays
and texts.
"""
