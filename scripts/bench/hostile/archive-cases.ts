/** Archives that bomb, climb out of their folder or lie; LaTeX that loops or reads others' files. */
import { gzipSync } from 'node:zlib'
import { seededRandom } from '../../../shared/testing/random.ts'
import { makeZip, type ZipEntry } from '../../../shared/testing/zip-writer.ts'
import { utf8, type HostileFile } from './hostile-file.ts'
import { tarOf, type TarEntry } from './tar-bytes.ts'

const paper = (body: string, preamble = '') => utf8(`\\documentclass{article}\n${preamble}\n\\title{A title}\\author{A. Author}\n\\begin{document}\\maketitle\n\\begin{abstract}An abstract.\\end{abstract}\n\\section{Introduction}\n${body}\n\\end{document}\n`)
const main: TarEntry & ZipEntry = { name: 'main.tex', data: paper('Some text of the paper. '.repeat(20)) }

const tgz = (entries: readonly TarEntry[]) => gzipSync(tarOf(entries))
type Entries = () => (TarEntry & ZipEntry)[]

const both = (name: string, entries: Entries, expect?: readonly string[]): HostileFile[] => [
  { name: `tar: ${name}`, bytes: () => tgz(entries()), ...expect !== undefined && { expect } },
  { name: `zip: ${name}`, bytes: () => makeZip(entries()), ...expect !== undefined && { expect } }
]

const evilNames: [string, string][] = [
  ['a name that climbs', '../../../../tmp/viva-evil.tex'], ['an absolute name', '/tmp/viva-evil.tex'], ['a drive', 'C:\\viva-evil.tex'],
  ['backslashes that climb', '..\\..\\viva-evil.tex'], ['an escaped name that climbs', '%2e%2e/viva-evil.tex'], ['NUL in a name', 'a\0.tex'],
  ['an override of direction in a name', 'a‮xet.tex'], ['a name of 300 letters', `${'a'.repeat(300)}.tex`], ['no name', ''],
  ['the name of an object', '__proto__/constructor.tex'], ['names of blanks', ' . / .. /x.tex']
]

const links: [string, string, string][] = [
  ['a symbolic link', '2', '/etc/passwd'], ['a hard link', '1', '../../../etc/passwd'], ['a character device', '3', ''], ['a pipe', '6', ''],
  ['a sparse file', 'S', ''], ['an unknown kind', 'Z', '']
]

const tex: [string, string, string][] = [
  ['a file of the system', '\\input{/etc/passwd} \\input{../../../../etc/passwd} \\include{/etc/passwd}', ''],
  ['a pipe as input', '\\input{|"id > /tmp/viva-evil"} \\immediate\\write18{touch /tmp/viva-evil}', ''],
  ['a file that inputs itself', '\\input{main} \\input{main.tex}', ''],
  ['a macro that is itself', '\\x', '\\newcommand{\\x}{\\x\\x} \\def\\y{\\x\\y}'],
  ['macros that double 40 times', '\\aa', Array.from({ length: 26 }, (_, i) => `\\def\\a${String.fromCharCode(97 + i)}{\\a${String.fromCharCode(98 + i)}\\a${String.fromCharCode(98 + i)}}`).join('\n')],
  ['a loop', '\\loop\\iftrue\\repeat \\def\\z{\\futurelet\\n\\z}\\z', ''],
  ['braces 200,000 deep', '{'.repeat(200_000), ''],
  ['200,000 closing braces', '}'.repeat(200_000), ''],
  ['environments 20,000 deep', '\\begin{itemize}\\item '.repeat(20_000), ''],
  ['100,000 dollars', '$'.repeat(100_001), ''],
  ['200,000 backslashes', '\\'.repeat(200_001), ''],
  ['a table of two thousand million columns', '\\begin{table}\\caption{A}\\begin{tabular}{*{2000000000}{c}}\\multicolumn{2000000000}{c}{x}\\end{tabular}\\end{table}', ''],
  ['a picture from outside', '\\begin{figure}\\includegraphics{/etc/passwd}\\includegraphics{http://127.0.0.1:1/x.png}\\caption{A}\\end{figure}', ''],
  ['30,000 sections', '\\section{A} text\n'.repeat(30_000), ''],
  ['20,000 figures', '\\begin{figure}\\caption{A}\\end{figure}\n'.repeat(20_000), ''],
  ['catcodes', '\\catcode`\\@=0 @catcode`@{=12 {{{', ''],
  ['a line of 10 MB', 'a'.repeat(10 ** 7), ''],
  ['100,000 arguments', '\\section'.repeat(100_000), '']
]

const texFiles: HostileFile[] = tex.map(([name, body, preamble]) =>
  ({ name: `latex: ${name}`, bytes: () => tgz([{ name: 'main.tex', data: paper(body, preamble) }]) }))

const bombs: HostileFile[] = [
  { name: 'gzip: 1 GB of nothing', bytes: () => gzipSync(Buffer.alloc(2 ** 30), { level: 9 }) },
  { name: 'gzip: ten times gzipped', bytes: () => Array.from({ length: 10 }).reduce<Buffer>(bytes => gzipSync(bytes), Buffer.alloc(2 ** 26)) },
  { name: 'gzip: cut short', bytes: () => tgz([main]).subarray(0, 200) },
  { name: 'gzip: only the magic bytes', bytes: () => Buffer.from([0x1f, 0x8b, 8, 0]) },
  { name: 'gzip: members without end', bytes: () => Buffer.concat(Array.from({ length: 20_000 }, () => gzipSync(''))) },
  ...both('a picture of 400 MB of nothing', () => [main, { name: 'big.png', data: Buffer.alloc(400 * 2 ** 20) }]),
  ...both('5,000 files', () => [main, ...Array.from({ length: 5_000 }, (_, i) => ({ name: `f${i}.tex`, data: utf8('x') }))]),
  ...both('an archive within', () => [main, { name: 'inner.zip', data: makeZip([main]) }], ['ok']),
  ...both('the same name twice', () => [main, main, { ...main, name: 'MAIN.TEX' }]),
  ...both('no paper', () => [{ name: 'readme.md', data: utf8('# hello') }], ['not-a-paper']),
  ...both('no files', () => [], ['not-a-paper', 'paper-damaged']),
  { name: 'tar: a size of 8 GB', bytes: () => tgz([{ ...main, size: 8 * 2 ** 30 - 1 }]) },
  { name: 'tar: 100,000 empty folders', bytes: () => tgz([main, ...Array.from({ length: 100_000 }, (_, i) => ({ name: `d${i}/`, kind: '5' }))]) },
  { name: 'zip: sizes that lie', bytes: () => makeZip([{ ...main, claimedSize: 1 }]) },
  { name: 'zip: a sum that lies', bytes: () => makeZip([{ ...main, badCrc: true }]) },
  { name: 'zip: with a password', bytes: () => makeZip([{ ...main, encrypted: true }]) },
  { name: 'zip: a symbolic link', bytes: () => makeZip([main, { name: 'l.tex', data: utf8('/etc/passwd'), mode: 0o120777 }]) },
  { name: 'zip: cut short', bytes: () => makeZip([main]).subarray(0, -60) },
  { name: 'zip: entries that are one and the same', bytes: () => overlapping() },
  { name: 'zip: after a PDF', bytes: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), makeZip([main])]) },
  { name: 'zip: a program before it', bytes: () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(1_000), makeZip([main])]), expect: ['not-a-paper'] }
]

/** David Fifield's bomb in small: 1,000 names for one megabyte of zeros. */
function overlapping (): Buffer {
  const one = makeZip([{ name: 'a.tex', data: Buffer.alloc(2 ** 20) }])
  const start = one.indexOf('PK\x01\x02')
  const entry = one.subarray(start, one.indexOf('PK\x05\x06'))
  const end = Buffer.from(one.subarray(one.indexOf('PK\x05\x06')))
  end.writeUInt16LE(1_000, 8)
  end.writeUInt16LE(1_000, 10)
  end.writeUInt32LE(entry.length * 1_000, 12)
  return Buffer.concat([one.subarray(0, start), ...Array.from({ length: 1_000 }, () => entry), end])
}

function broken (seeds: number): HostileFile[] {
  return Array.from({ length: seeds }, (_, seed) => ({
    name: `archive: broken by chance, ${seed}`,
    bytes: () => {
      const random = seededRandom(seed)
      const whole = Buffer.from(seed % 2 === 0 ? tgz([main]) : makeZip([main]))
      for (let i = 0; i < 1 + seed % 8; i++) whole[random.whole(2, whole.length - 1)] = random.whole(0, 255)
      return whole
    }
  }))
}

const declared: HostileFile[] = ['text/markdown', 'text/plain'].flatMap(mediaType => ([
  ['a line of 10 MB', () => utf8('a'.repeat(10 ** 7))],
  ['100,000 brackets', () => utf8('['.repeat(100_000))],
  ['100,000 stars and underscores', () => utf8('*_'.repeat(50_000) + 'a' + '_*'.repeat(50_000))],
  ['quotes 10,000 deep', () => utf8('>'.repeat(10_000) + ' a')],
  ['100,000 links', () => utf8('[a](javascript:alert(1)) ![b](file:///etc/passwd) <script>alert(1)</script>\n\n'.repeat(20_000))],
  ['bytes that are no text', () => Buffer.alloc(10 ** 6, 0xff)],
  ['lone surrogates and NUL', () => Buffer.concat([utf8('# A title\n\na\0b '), Buffer.from([0xed, 0xa0, 0x80])])],
  ['100,000 headings', () => utf8('# A\n\n'.repeat(100_000))]
] as [string, () => Uint8Array][]).map(([name, bytes]) => ({ name: `${mediaType}: ${name}`, bytes, mediaType })))

export function hostileArchives (): HostileFile[] {
  return [
    ...bombs,
    ...evilNames.flatMap(([name, path]) => both(name, () => [main, { name: path, data: utf8('\\section{Evil}') }])),
    ...links.map(([name, kind, link]) => ({ name: `tar: ${name}`, bytes: () => tgz([main, { name: 'x.tex', kind, link }]) })),
    ...texFiles,
    ...declared,
    ...broken(24)
  ]
}
