/** Results to PDF bytes: draws the figures and hands them with the text to the Typst compiler. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { densityAxes, densityImage, scaleImage } from './density-figure.ts'
import { itemsFigure, papersFigure, replicatesFigure, widthsFigure } from './figures.ts'
import type { Results } from './results.ts'

export const folder = fileURLToPath(new URL('.', import.meta.url))

export function readResults (): Results {
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Results
}

/** An installed Libertinus of another version would give other bytes; on Linux it can be kept out. */
function compilerWithOwnFonts (): NodeCompiler {
  const before = process.env.FONTCONFIG_FILE
  process.env.FONTCONFIG_FILE = join(folder, 'no-fonts.conf')
  try {
    return NodeCompiler.create({ workspace: folder })
  } finally {
    if (before === undefined) delete process.env.FONTCONFIG_FILE
    else process.env.FONTCONFIG_FILE = before
  }
}

/**
 * @returns the bytes of sample-paper.pdf: no clock, no fonts but the compiler's own
 * @throws  Error with the compiler's words if the source is faulty
 */
export function typeset (results: Results): Uint8Array {
  const compiler = compilerWithOwnFonts()
  const files: Record<string, string | Uint8Array> = {
    'figure-replicates.svg': replicatesFigure(results),
    'figure-papers.svg': papersFigure(results),
    'figure-items.svg': itemsFigure(results),
    'figure-density.png': densityImage(results),
    'figure-density-scale.png': scaleImage(),
    'figure-density-axes.svg': densityAxes(results),
    'figure-widths.svg': widthsFigure(results)
  }
  for (const [name, content] of Object.entries(files)) {
    compiler.mapShadow(join(folder, name), Buffer.from(content))
  }
  const compiled = compiler.compile({ mainFilePath: join(folder, 'sample-paper.typ') })
  if (compiled.result === null) {
    const error = compiled.takeError()
    throw new Error(error === null ? 'The paper does not compile' : JSON.stringify(error.shortDiagnostics))
  }
  return compiler.pdf(compiled.result, { creationTimestamp: 0 })
}
