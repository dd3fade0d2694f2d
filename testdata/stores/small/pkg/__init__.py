from .shapes import Circle, area_of
