"""Shapes and their areas."""
import math
from dataclasses import dataclass


@dataclass
class Circle:
    radius: float

    def area(self) -> float:
        """The area within the circle."""
        return math.pi * self.radius**2


def area_of(circle: "Circle") -> float:
    return circle.area()
