"""placeholder"""


def answered(home: str, event: object, say: object, begun: float) -> bool:
    return False
