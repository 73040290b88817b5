import { HASH_BYTES, type HashAt, subtreeRoot } from './merkle.js'

/** Levels of the tree that one tile spans, and the hashes that a full one holds. */
const TILE_LEVELS = 8
export const TILE_HASHES = 256

/** A tile of C2SP tlog-tiles: hashes of the tree's level 8 · `level`, from 256 · `index` on. */
export interface HashTile {
  readonly level: number
  readonly index: number
  /** How many hashes it holds: 256, or fewer at the right edge of a tree. */
  readonly width: number
}

/** Its path below the prefix of the log, `tile/0/x001/234` or `tile/0/x001/234.p/17`. */
export function tilePath({ level, index, width }: HashTile): string {
  const groups = [threeDigits(index % 1000)]
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(`x${threeDigits(rest % 1000)}`)
  }
  const part = width === TILE_HASHES ? '' : `.p/${width}`
  return `tile/${level}/${groups.join('/')}${part}`
}

/** The tiles of a tree of `size` leaves, lowest level first. */
export function* listTiles(size: number): Generator<HashTile> {
  for (let level = 0, hashes = size; hashes > 0; level++) {
    for (let index = 0; index * TILE_HASHES < hashes; index++) {
      yield { level, index, width: Math.min(TILE_HASHES, hashes - index * TILE_HASHES) }
    }
    hashes = Math.floor(hashes / TILE_HASHES)
  }
}

/**
 * The tiles that a log with checkpoints of these ascending sizes must publish: all tiles of the largest, and of each
 * smaller one the partial tiles that are not full yet.
 */
export function* listPublishedTiles(sizes: readonly number[]): Generator<HashTile> {
  const largest = sizes.at(-1) ?? 0
  yield* listTiles(largest)
  const shown = new Set(Array.from(listPartialTiles(largest), tilePath))
  for (const size of sizes) {
    for (const tile of listPartialTiles(size)) {
      const path = tilePath(tile)
      const hashes = Math.floor(largest / leavesOfHash(tile.level))
      if (shown.has(path) || (tile.index + 1) * TILE_HASHES <= hashes) continue
      shown.add(path)
      yield tile
    }
  }
}

/** The tiles at the right edge of a tree that are not full. */
function* listPartialTiles(size: number): Generator<HashTile> {
  for (let level = 0, hashes = size; hashes > 0; level++) {
    const width = hashes % TILE_HASHES
    hashes = Math.floor(hashes / TILE_HASHES)
    if (width > 0) yield { level, index: hashes, width }
  }
}

/** The roots of the whole subtrees of 2^level leaves from index `from` to `to`, not included. */
type HashesAt = (level: number, from: number, to: number) => Promise<readonly Uint8Array[]>

/** The bytes of a tile: its hashes, one after the other. */
export async function tileBytes(
  { level, index, width }: HashTile,
  hashesAt: HashesAt,
): Promise<Buffer> {
  const first = index * TILE_HASHES
  return Buffer.concat(await hashesAt(level * TILE_LEVELS, first, first + width))
}

/**
 * The hashes of a tree of `size` leaves, from its tiles.
 * @param read - the bytes of a tile, 32 · `width` of them.
 */
export function hashesFromTiles(
  size: number,
  read: (tile: HashTile) => Uint8Array | Promise<Uint8Array>,
): HashAt {
  return async (level, index) => {
    const inside = level % TILE_LEVELS
    const tileLevel = (level - inside) / TILE_LEVELS
    const count = 2 ** inside
    const first = index * count
    const tileIndex = Math.floor(first / TILE_HASHES)
    const hashes = Math.floor(size / leavesOfHash(tileLevel))
    const width = Math.min(TILE_HASHES, hashes - tileIndex * TILE_HASHES)
    const start = first - tileIndex * TILE_HASHES
    if (!(start + count <= width)) throw new RangeError(`no hash ${level}/${index} in ${size}`)
    const bytes = await read({ level: tileLevel, index: tileIndex, width })
    return subtreeRoot(bytes.subarray(start * HASH_BYTES, (start + count) * HASH_BYTES))
  }
}

/** How many leaves are below each hash of a level of tiles. */
const leavesOfHash = (tileLevel: number): number => 2 ** (TILE_LEVELS * tileLevel)

function threeDigits(value: number): string {
  return String(value).padStart(3, '0')
}
