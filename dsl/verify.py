"""TODO"""

from lumc.dsl.tensor_program import TensorProgram


def verify(program: TensorProgram) -> None: ...
