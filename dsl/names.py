"""TODO"""


def check(module):
    return []


def unused(module):
    return []
