"""What the pictures of all games share: a canvas, boxes, marks of seats, cards and so on.

Nothing here knows a game or Discord. A picture is drawn by a function from a view to the bytes of a
PNG; the same view gives the same bytes, so it can be drawn in another process and cached.
"""
