// Exponential and logarithms by the algorithms of fdlibm (Sun Microsystems 1993), using only the four basic operations,
// so that every engine computes the same bits. ECMAScript does not specify the exact results of its own functions and
// of `**`: the same program gave other figures in another browser.

const bits = new DataView(new ArrayBuffer(8))

/** The upper 32 bits of a number, with its sign and exponent. */
function highWord(x: number): number {
  bits.setFloat64(0, x)
  return bits.getInt32(0)
}

/** From 2^-1074 to 2^1023: looking one up takes half as long as assembling it. */
const POWERS_OF_2 = new Float64Array(2098)
for (let at = 0, power = Number.MIN_VALUE; at < 2098; at++, power *= 2) POWERS_OF_2[at] = power

const powerOf2 = (exponent: number): number => POWERS_OF_2[exponent + 1074] as number

/** The logarithms of 2, each split into a part with few bits and the rest. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const LG2_HIGH = 0.30102999566361177
const LG2_LOW = 3.694239077158931e-13

/** Above it the result is too large for a double. */
const OVERFLOW = 709.782712893384
/** Below it the nearest double is 0. */
const UNDERFLOW = -745.1332191019411

// Each coefficient has a name, because reading them from an array takes longer than everything else.
const P1 = 0.16666666666666602
const P2 = -0.0027777777777015593
const P3 = 6.613756321437934e-5
const P4 = -1.6533902205465252e-6
const P5 = 4.1381367970572385e-8

/** e to the power x, with an error below 1 ulp. */
export function exp(x: number): number {
  if (x > OVERFLOW) return Number.POSITIVE_INFINITY
  if (x < UNDERFLOW) return 0
  if (x === 1) return Math.E
  const size = highWord(x) & 0x7fffffff
  if (size < 0x3e300000) return 1 + x
  // Subtract the nearest multiple of ln 2.
  let k = 0
  if (size >= 0x3ff0a2b2) k = Math.trunc(Math.LOG2E * x + (x < 0 ? -0.5 : 0.5))
  else if (size > 0x3fd62e42) k = x < 0 ? -1 : 1
  const high = x - k * LN2_HIGH
  const low = k * LN2_LOW
  const rest = high - low
  const t = rest * rest
  const c = rest - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))))
  if (k === 0) return 1 - ((rest * c) / (c - 2) - rest)
  const y = 1 - (low - (rest * c) / (2 - c) - high)
  if (k > 1023) return y * 2 * powerOf2(k - 1)
  return k < -1021 ? y * powerOf2(k + 1000) * powerOf2(-1000) : y * powerOf2(k)
}

const G1 = 0.6666666666666735
const G2 = 0.3999999999940942
const G3 = 0.2857142874366239
const G4 = 0.22222198432149784
const G5 = 0.1818357216161805
const G6 = 0.15313837699209373
const G7 = 0.14798198605116586

/** The natural logarithm, with an error below 1 ulp; −∞ at 0 and NaN below. */
export function ln(x: number): number {
  if (!isPositive(x)) return ofNone(x)
  // Scale subnormal numbers, which have less than 53 bits.
  return x < 2 ** -1022 ? liftedLn(x * 2 ** 54, 54) : liftedLn(x, 0)
}

/** The logarithm to base 10, exact at its powers; −∞ at 0 and NaN below. */
export function log10(x: number): number {
  if (!isPositive(x)) return ofNone(x)
  const lifted = x < 2 ** -1022 ? 54 : 0
  const scaled = x * powerOf2(lifted)
  const exponent = (highWord(scaled) >> 20) - 1023 - lifted
  const k = exponent < 0 ? exponent + 1 : exponent
  const rest = scaled * powerOf2(-k - lifted)
  return k * LG2_LOW + Math.LOG10E * liftedLn(rest, 0) + k * LG2_HIGH
}

const isPositive = (x: number): boolean => x > 0 && x < Number.POSITIVE_INFINITY

function ofNone(x: number): number {
  if (x < 0) return Number.NaN
  return x === 0 ? Number.NEGATIVE_INFINITY : x
}

/** ln of x / 2^lifted. */
function liftedLn(x: number, lifted: number): number {
  const high = highWord(x)
  const mantissa = high & 0xfffff
  // x is 2^exponent (1 + f), with 1 + f between the roots of 1/2 and 2.
  const exponent = (high >> 20) - 1023 + ((mantissa + 0x95f64) >> 20)
  const f = x * powerOf2(-exponent) - 1
  const k = exponent - lifted
  if (((mantissa + 2) & 0xfffff) < 3) {
    if (f === 0) return k * LN2_HIGH + k * LN2_LOW
    const r = f * f * (0.5 - 0.3333333333333333 * f)
    return k * LN2_HIGH - (r - k * LN2_LOW - f)
  }
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const r = z * (G1 + w * (G3 + w * (G5 + w * G7))) + w * (G2 + w * (G4 + w * G6))
  if (((mantissa - 0x6147a) | (0x6b851 - mantissa)) <= 0) {
    return k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f)
  }
  const half = 0.5 * f * f
  return k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f)
}
