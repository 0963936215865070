"""What the pictures of every game share: a canvas, boxes, marks of seats and cards.

Nothing here knows a game or Discord. A game's pictures are functions from a view to the bytes of a
PNG; the same view gives the same bytes, so they can be drawn in another process and kept.
"""
