// The logarithm and the exponential as Node's engine computes them: those of fdlibm (Sun Microsystems 1993), bit for
// bit. Other engines, and its own later versions, differ in a last bit, and the figures of a result with them.

/** The bits of a number; each call writes it first. */
const bits = new DataView(new ArrayBuffer(8))

/** The word with sign and exponent. */
function highOf(x: number): number {
  bits.setFloat64(0, x)
  return bits.getInt32(0)
}

function withHigh(x: number, high: number): number {
  bits.setFloat64(0, x)
  bits.setInt32(0, high)
  return bits.getFloat64(0)
}

const powerOf2 = (exponent: number): number => withHigh(0, (exponent + 1023) << 20)

/** The logarithm of 2, in a part of few bits and the rest. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const EXPONENTIAL = [
  0.16666666666666602, -0.0027777777777015593, 6.613756321437934e-5, -1.6533902205465252e-6,
  4.1381367970572385e-8,
] as const
const OVERFLOW = 709.782712893384
const UNDERFLOW = -745.1332191019411

export function exp(of: number): number {
  const size = highOf(of) & 0x7fffffff
  if (size >= 0x40862e42) {
    if (Number.isNaN(of)) return of
    if (of > OVERFLOW) return Number.POSITIVE_INFINITY
    if (of < UNDERFLOW) return 0
  }
  let [k, high, low, x] = [0, of, 0, of]
  if (size > 0x3fd62e42) {
    if (of === 1) return Math.E
    const isNear = size < 0x3ff0a2b2
    k = isNear ? Math.sign(of) : Math.trunc(Math.LOG2E * of + (of < 0 ? -0.5 : 0.5))
    high = of - k * LN2_HIGH
    low = k * LN2_LOW
    x = high - low
  } else if (size < 0x3e300000) return 1 + x
  const [p1, p2, p3, p4, p5] = EXPONENTIAL
  const t = x * x
  const c = x - t * (p1 + t * (p2 + t * (p3 + t * (p4 + t * p5))))
  if (k === 0) return 1 - ((x * c) / (c - 2) - x)
  const y = 1 - (low - (x * c) / (2 - c) - high)
  if (k === 1024) return y * 2 * 2 ** 1023
  return k >= -1021 ? y * powerOf2(k) : y * powerOf2(k + 1000) * 2 ** -1000
}

const LOGARITHM = [
  0.6666666666666735, 0.3999999999940942, 0.2857142874366239, 0.22222198432149784,
  0.1818357216161805, 0.15313837699209373, 0.14798198605116586,
] as const

/** A number above 0 with its high word and the exponent of 2; what is too small for one is made larger. */
function normal(of: number) {
  const isSmall = of < 2 ** -1022
  const x = isSmall ? of * 2 ** 54 : of
  const high = highOf(x)
  return { x, k: (high >> 20) - (isSmall ? 1077 : 1023), high }
}

export function log(of: number): number {
  if (of === 0) return Number.NEGATIVE_INFINITY
  if (of < 0) return Number.NaN
  if (!Number.isFinite(of)) return of
  let { x, k, high } = normal(of)
  high &= 0x000fffff
  const up = (high + 0x95f64) & 0x100000
  k += up >> 20
  const f = withHigh(x, high | (up ^ 0x3ff00000)) - 1
  if ((0x000fffff & (2 + high)) < 3) {
    if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW
    const r = f * f * (0.5 - 0.3333333333333333 * f)
    return k === 0 ? f - r : k * LN2_HIGH - (r - k * LN2_LOW - f)
  }
  const [g1, g2, g3, g4, g5, g6, g7] = LOGARITHM
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const r = z * (g1 + w * (g3 + w * (g5 + w * g7))) + w * (g2 + w * (g4 + w * g6))
  if (((high - 0x6147a) | (0x6b851 - high)) > 0) {
    const half = 0.5 * f * f
    if (k === 0) return f - (half - s * (half + r))
    return k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f)
  }
  return k === 0 ? f - s * (f - r) : k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f)
}

export function log10(of: number): number {
  if (!(of > 0 && Number.isFinite(of)) || of === 1) return log(of)
  const { x, k, high } = normal(of)
  const below = k < 0 ? 1 : 0
  const y = k + below
  const rest = withHigh(x, (high & 0x000fffff) | ((0x3ff - below) << 20))
  return y * 3.694239077158931e-13 + Math.LOG10E * log(rest) + y * 0.30102999566361177
}
