import t from 'tap'
import { gzipSync } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { Problem } from '../../../../shared/errors/problem.ts'
import { archiveKind, archiveLimits, readArchive } from '../archive.ts'
import { makeZip, type ZipEntry } from '../../../../shared/testing/zip-writer.ts'

type HeaderArgument = Parameters<Pack['entry']>[0]

const paper = Buffer.from('\\documentclass{article}')

async function makeTar (entries: Array<[header: HeaderArgument, data?: Buffer]>): Promise<Buffer> {
  const tar = pack()
  for (const [header, data] of entries) tar.entry(header, data ?? Buffer.alloc(0))
  tar.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of tar as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The tar with another size in its first header (POSIX.1-1988, ustar). */
function claiming (tar: Buffer, octal: string): Buffer {
  tar.write(octal, 124, 'latin1')
  tar.fill(' ', 148, 156)
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return tar
}

async function problemOf (work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'read'
  } catch (cause) {
    return cause instanceof Problem ? cause.kind : String(cause)
  }
}

const zip = (...entries: ZipEntry[]) => readArchive(makeZip(entries))

t.test('archives are read into memory', async t => {
  const tar = await makeTar([[{ name: './main.tex' }, paper], [{ name: 'figs/a.png' }, Buffer.from('x')]])
  for (const [kind, bytes] of [['tar', tar], ['gzip', gzipSync(tar)]] as const) {
    const { files, warnings, ...rest } = await readArchive(bytes)
    t.equal(archiveKind(bytes), kind)
    t.equal(rest.kind, kind)
    t.same([...files.keys()], ['main.tex', 'figs/a.png'])
    t.equal(Buffer.from(files.get('main.tex')!).toString(), paper.toString())
    t.same(warnings, [])
  }
  const single = await readArchive(gzipSync(paper))
  t.same([...single.files.keys()], [''], 'the one file of a gzip has no name')
  const whole = await zip(
    { name: 'main.tex', data: paper, descriptor: true }, { name: 'b\\c.tex', data: paper, zip64: true }, { name: 'd/', data: Buffer.alloc(0) })
  t.same([...whole.files.keys()], ['main.tex', 'b/c.tex'], 'data descriptors, zip64 and back slashes are read')
  const some = await readArchive(tar, { wanted: name => name.endsWith('.png') })
  t.same([...some.files.keys()], ['figs/a.png'])
})

t.test('names that lead elsewhere lose their file and nothing else', async t => {
  const names = ['../up.tex', '/etc/passwd', 'C:\\a.tex', 'a/%2e%2e/b.tex', 'a\\..\\..\\b.tex', 'a\u202Etxe.tex', `${'n'.repeat(300)}.tex`, 'a%2fb.tex', 'x\u0000.tex']
  const { files, warnings } = await zip({ name: 'main.tex', data: paper }, ...names.map(name => ({ name, data: paper })))
  t.same([...files.keys()], ['main.tex'])
  t.equal(warnings.length, names.length)
  t.ok(warnings.every(({ code, detail }) => code === 'archive-entry-skipped' && !/\p{Cc}|\u202E/u.test(detail)))
  const twice = await zip({ name: 'Fig.png', data: paper }, { name: 'fig.PNG', data: paper }, { name: '__MACOSX/._Fig.png', data: paper })
  t.same([...twice.files.keys()], ['Fig.png'])
  t.equal(twice.warnings.length, 1, 'a clash of case is told, what macOS adds is not')
  const many = await zip(...Array.from({ length: 100 }, (_, i) => ({ name: `../${i}`, data: paper })))
  t.equal(many.warnings.length, 21)
  t.match(many.warnings.at(-1)!.detail, /80 more/)
})

t.test('links and devices are not followed', async t => {
  const tar = await makeTar([
    [{ name: 'main.tex' }, paper],
    [{ name: 'a.tex', type: 'symlink', linkname: '/etc/passwd' }],
    [{ name: 'b.tex', type: 'link', linkname: 'main.tex' }],
    [{ name: 'c.tex', type: 'character-device' }],
    [{ name: 'd', type: 'directory' }]
  ])
  const { files, warnings } = await readArchive(tar)
  t.same([...files.keys()], ['main.tex'])
  t.equal(warnings.length, 3)
  const linked = await zip({ name: 'main.tex', data: paper }, { name: 'l.tex', data: Buffer.from('/etc/passwd'), mode: 0o120777 })
  t.same([...linked.files.keys()], ['main.tex'])
})

t.test('bombs are stopped before they are inflated', async t => {
  const zeros = Buffer.alloc(20_000_000)
  const tar = await makeTar([[{ name: 'a.tex' }, zeros]])
  t.equal(await problemOf(readArchive(gzipSync(tar))), 'archive-too-large', 'a ratio of a thousand')
  t.equal(await problemOf(readArchive(gzipSync(zeros))), 'archive-too-large', 'in a gzip of one file')
  t.equal(await problemOf(zip({ name: 'a.tex', data: zeros })), 'archive-too-large', 'in a zip')
  t.equal(await problemOf(zip({ name: 'a.tex', data: zeros, claimedSize: 10 })), 'paper-damaged', 'a zip that lies about a size')
  const limits = { ...archiveLimits, bytesMax: 1_000_000 }
  const noise = Buffer.from(Array.from({ length: 1_500_000 }, (_, i) => (i * 2_654_435_761 >>> 13) & 255))
  t.equal(await problemOf(readArchive(await makeTar([[{ name: 'a' }, noise]]), { limits, wanted: () => false })), 'archive-too-large', 'what is not kept counts too')
  const entries = Array.from({ length: 2_001 }, (_, i): [HeaderArgument, Buffer] => [{ name: `${i}.tex` }, Buffer.alloc(0)])
  t.equal(await problemOf(readArchive(await makeTar(entries))), 'archive-too-large', 'too many entries')
  t.equal(await problemOf(readArchive(claiming(await makeTar([[{ name: 'a.tex' }, paper]]), '77777777777'))), 'paper-damaged', 'a tar that claims eight gigabytes')
  const nested = await readArchive(gzipSync(gzipSync(paper)))
  t.equal(archiveKind(nested.files.get('')!), 'gzip', 'an archive within is a file like any other')
})

t.test('broken archives are problems that say what to do', async t => {
  t.equal(await problemOf(zip({ name: 'a.tex', data: paper, encrypted: true })), 'paper-encrypted')
  t.equal(await problemOf(zip({ name: 'a.tex', data: paper, badCrc: true })), 'paper-damaged')
  const whole = gzipSync(await makeTar([[{ name: 'a.tex' }, Buffer.from('a'.repeat(5_000))]]))
  t.equal(await problemOf(readArchive(whole.subarray(0, whole.length - 20))), 'paper-damaged', 'a gzip cut short')
  const tar = await makeTar([[{ name: 'a.tex' }, Buffer.alloc(5_000, 97)]])
  t.equal(await problemOf(readArchive(tar.subarray(0, 2_000))), 'paper-damaged', 'a tar cut short')
  tar[0] = 98
  t.equal(await problemOf(readArchive(tar)), 'paper-damaged', 'a header whose sum is wrong')
  const zipped = makeZip([{ name: 'a.tex', data: paper }])
  t.equal(await problemOf(readArchive(zipped.subarray(0, 60))), 'paper-damaged', 'a zip without its directory')
  t.equal(await problemOf(readArchive(Buffer.from('PK'))), 'not-a-paper')
  t.equal(await problemOf(readArchive(Buffer.from('\x1F\x8B\x08 no gzip', 'latin1'))), 'paper-damaged')
  t.equal(await problemOf(readArchive(Buffer.concat([Buffer.from('%PDF-1.5\n'), zipped]))), 'not-a-paper', 'a PDF before a zip is no zip')
})
