# exp, ln and log10 once more, by decimal arithmetic of sixty digits: every figure is the number nearest to the true
# value. Prints a table; arguments are the same in every run.
import random
import struct
from decimal import Decimal, localcontext

draw = random.Random(1993)


def number(exponents):
    """Any bits of a positive number whose exponent is one of these."""
    bits = draw.choice(exponents) + 1023 << 52 | draw.getrandbits(52)
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


ANY = range(-1022, 1024)
TINY = [struct.unpack("<d", struct.pack("<Q", draw.getrandbits(bits)))[0] for bits in range(2, 52, 7)]
POSITIVE = (
    [number(ANY) for _ in range(50)]
    + [number([-2, -1, 0, 1, 2]) for _ in range(50)]
    + [1 + draw.uniform(-1, 1) * 2.0**-power for power in range(1, 51)]
    + [10.0**power for power in range(-20, 21, 4)]
    + [value for value in TINY if value > 0]
)
SIGNED = (
    [draw.uniform(-745.1, 709.7) for _ in range(50)]
    + [draw.uniform(-2, 2) for _ in range(50)]
    + [draw.choice([-1, 1]) * number([-power]) for power in range(1, 51)]
    + [draw.uniform(-745.1, -708.4) for _ in range(10)]
    + [709.782712893384, -745.1332191019411, 0.34657359027997264, -1.0397207708399179]
)
FUNCTIONS = {"exp": (SIGNED, Decimal.exp), "ln": (POSITIVE, Decimal.ln), "log10": (POSITIVE, Decimal.log10)}

print("function,x,value")
with localcontext() as context:
    context.prec = 60
    for name, (arguments, of) in FUNCTIONS.items():
        for x in arguments:
            print(f"{name},{x!r},{float(of(Decimal(x)))!r}")
