import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type OpensslKey = 'RSA-2048' | 'RSA-3072' | 'P-256' | 'P-384'
export type Digest = 'sha256' | 'sha384' | 'sha512'

export interface OpensslAuthorityOptions {
  readonly folder: string
  readonly key: OpensslKey
  /** Certificates between the root and the signer. */
  readonly depth: 0 | 1
  /** The day on which it certifies and stamps, one after the other; today where there is none. */
  readonly day?: string | undefined
  /** How the certificates are signed, where their keys are RSA. */
  readonly padding?: 'pkcs1' | 'pss'
}

const CA = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n'
const TSA = 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature\n'
const DAYS = '30'

/** A time-stamping authority of `openssl req`, `x509`, `ts` and `cms`, in a folder of its own. */
export class OpensslAuthority {
  readonly root: string

  constructor(readonly options: OpensslAuthorityOptions) {
    const { folder, depth } = options
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'ca.ext'), CA)
    writeFileSync(join(folder, 'tsa.ext'), TSA)
    writeFileSync(join(folder, 'serial'), '01\n')
    this.root = join(folder, 'root.pem')
    this.#makeKey('root')
    this.#run(
      `req -x509 -new -key root.key -subj /CN=Root -days ${DAYS} -addext basicConstraints=critical,CA:TRUE -out root.pem`,
    )
    if (depth === 1) this.#certify('middle', 'root', 'ca.ext')
    this.#certify('signer', depth === 1 ? 'middle' : 'root', 'tsa.ext')
    if (depth === 1) {
      writeFileSync(join(folder, 'chain.pem'), readFileSync(join(folder, 'middle.pem')))
    }
  }

  /** Answers a request (a file), as `openssl ts -reply` does. */
  reply(query: string, config: string): Buffer {
    const lines = `[tsa]\ndefault_tsa=c\n[c]\nserial=serial\ndefault_policy=1.2.3.4.1\ndigests=sha256,sha384,sha512\nsigner_digest=sha256\n${config}\n`
    writeFileSync(join(this.options.folder, 'ts.cnf'), lines)
    const chain = this.options.depth === 1 ? '-chain chain.pem' : ''
    this.#run(
      `ts -reply -config ts.cnf -queryfile ${query} -signer signer.pem -inkey signer.key ${chain} -out reply.tsr`,
      '11:00',
    )
    return readFileSync(join(this.options.folder, 'reply.tsr'))
  }

  /** The same, signed by RSA-PSS: `ts` cannot do that, `cms` can. */
  replyByPss(query: string, config: string, digest: Digest): Buffer {
    this.reply(query, config)
    this.#run('ts -reply -in reply.tsr -token_out -out token.der')
    this.#run('cms -verify -noverify -inform DER -in token.der -out content.der')
    const chain = this.options.depth === 1 ? '-certfile chain.pem' : ''
    this.#run(
      `cms -sign -binary -nodetach -nosmimecap -cades -econtent_type 1.2.840.113549.1.9.16.1.4 -in content.der -signer signer.pem -inkey signer.key ${chain} -md ${digest} -keyopt rsa_padding_mode:pss -keyopt rsa_pss_saltlen:digest -outform DER -out pss.der`,
    )
    this.#run('ts -reply -in pss.der -token_in -out reply.tsr')
    return readFileSync(join(this.options.folder, 'reply.tsr'))
  }

  #certify(subject: string, issuer: string, extensions: string): void {
    this.#makeKey(subject)
    this.#run(`req -new -key ${subject}.key -subj /CN=${subject} -out ${subject}.csr`)
    const pss = '-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest'
    this.#run(
      `x509 -req -in ${subject}.csr -CA ${issuer}.pem -CAkey ${issuer}.key -set_serial ${subject.length} -days ${DAYS} -extfile ${extensions} ${this.options.padding === 'pss' ? pss : ''} -out ${subject}.pem`,
    )
  }

  #makeKey(name: string): void {
    const { key } = this.options
    const isRsa = key.startsWith('RSA')
    const how = isRsa
      ? `RSA -pkeyopt rsa_keygen_bits:${key.slice(4)}`
      : `EC -pkeyopt ec_paramgen_curve:${key}`
    this.#run(`genpkey -algorithm ${how} -out ${name}.key`)
  }

  #run(line: string, time = '10:00'): void {
    const { folder: cwd, day } = this.options
    const words = line.split(' ').filter((word) => word !== '')
    const [program, args] =
      day === undefined ? ['openssl', words] : ['faketime', [`${day} ${time}`, 'openssl', ...words]]
    execFileSync(program, args, { cwd, stdio: 'pipe' })
  }
}

/** Whether `openssl ts -verify` takes the stamp (a file) for one of the data at that time. */
export function opensslVerifies(
  folder: string,
  reply: Uint8Array,
  data: Uint8Array,
  root: string,
  seconds: number,
  more = '',
): boolean {
  writeFileSync(join(folder, 'in.tsr'), reply)
  writeFileSync(join(folder, 'in.data'), data)
  return holds(
    folder,
    `ts -verify -in in.tsr -data in.data -CAfile ${root} -attime ${seconds}${more}`,
  )
}

const holds = (cwd: string, line: string) =>
  spawnSync('openssl', line.split(' '), { cwd, stdio: 'pipe' }).status === 0

/** The same for a stamp by RSA-PSS, of which `openssl cms` says all but whether the imprint is that of the data. */
export function opensslCmsVerifies(
  folder: string,
  reply: Uint8Array,
  root: string,
  seconds: number,
): boolean {
  writeFileSync(join(folder, 'in.tsr'), reply)
  const line = `cms -verify -cades -binary -inform DER -in in.der -purpose timestampsign -CAfile ${root} -attime ${seconds} -out in.content`
  return holds(folder, 'ts -reply -in in.tsr -token_out -out in.der') && holds(folder, line)
}
