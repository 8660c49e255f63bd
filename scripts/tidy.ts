/**
 * Style as a test: sizes, direction of imports, purity of domain code, words we do not use.
 * Prints every fault as file:line and exits 1 if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import ts from 'typescript'

const fileLinesMax = 300
const functionLinesMax = 70
const parametersMax = 3
const roots = ['shared', 'services', 'scripts', 'examples']

const faults: string[] = []
const imports = new Map<string, string[]>()

for (const file of roots.flatMap(sourceFiles)) check(file)
checkCycles()
process.stdout.write(faults.length === 0 ? `tidy: ${imports.size} files\n` : `${faults.join('\n')}\n`)
process.exitCode = faults.length === 0 ? 0 : 1

function sourceFiles (folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.includes('node_modules'))
    .map(file => join(folder, file).replaceAll('\\', '/')).sort()
}

function check (file: string): void {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  const lines = text.split('\n').length - 1
  const test = file.includes('/test/')
  const fault = (node: ts.Node | null, message: string) => {
    const line = node === null ? 1 : source.getLineAndCharacterOfPosition(node.getStart()).line + 1
    faults.push(`${file}:${line} ${message}`)
  }
  if (lines > fileLinesMax) fault(null, `has ${lines} lines, at most ${fileLinesMax}`)
  if (/\b(TODO|FIXME|XXX)\b/.test(text) && file !== 'scripts/tidy.ts') fault(null, 'has a note instead of code')
  if (/(^|\/)(utils?|helpers?|common|index)\.ts$/.test(file)) fault(null, 'has a name that says nothing')
  imports.set(file, importsOf(source, file))
  for (const target of imports.get(file) ?? []) {
    const reason = forbidden(file, target, test)
    if (reason !== undefined) fault(null, `imports ${target}: ${reason}`)
  }
  const pure = !test && /\/domain\/|^shared\/(text|answers|stats)\//.test(file)
  const visit = (node: ts.Node): void => {
    if (ts.isExportAssignment(node)) fault(node, 'has a default export')
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) fault(node, 're-exports: no barrels')
    if (ts.isFunctionLike(node)) checkFunction(node, source, { fault, test })
    if (pure) checkPurity(node, fault)
    ts.forEachChild(node, visit)
  }
  visit(source)
}

type Fault = (node: ts.Node, message: string) => void

function checkFunction (
  node: ts.SignatureDeclaration, source: ts.SourceFile, { fault, test }: { fault: Fault, test: boolean }
): void {
  const parameters = node.parameters.filter(({ name }) => name.getText() !== 'this').length
  if (parameters > parametersMax) fault(node, `takes ${parameters} parameters, at most ${parametersMax}`)
  // Comments and blank lines are free: they must not be saved on.
  const lines = node.getText(source).split('\n').filter(line => !/^\s*(\/\/.*|\/?\*.*)?$/.test(line)).length
  // A test's outer function only groups tests.
  if (lines > functionLinesMax && !test) fault(node, `is ${lines} lines long, at most ${functionLinesMax}`)
}

/** Domain code takes time, chance and the outside world as arguments. */
function checkPurity (node: ts.Node, fault: Fault): void {
  if (ts.isAwaitExpression(node)) fault(node, 'awaits in pure code')
  if (ts.isPropertyAccessExpression(node)) {
    const access = node.getText()
    if (['Date.now', 'Math.random', 'performance.now'].includes(access) || access.startsWith('process.')) {
      fault(node, `uses ${access} in pure code`)
    }
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && node.arguments?.length === 0) {
    fault(node, 'reads the clock in pure code')
  }
  if (ts.isCallExpression(node) && node.expression.getText() === 'fetch') fault(node, 'fetches in pure code')
}

function importsOf (source: ts.SourceFile, file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const dynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    const specifier = dynamic
      ? node.arguments[0]
      : ts.isImportDeclaration(node) ? node.moduleSpecifier : undefined
    const typeOnly = ts.isImportDeclaration(node) &&
      node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    if (specifier !== undefined && ts.isStringLiteral(specifier)) {
      const { text } = specifier
      const target = text.startsWith('.') ? normalize(join(dirname(file), text)).replaceAll('\\', '/') : text
      found.push(typeOnly ? `type:${target}` : target)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Why `file` may not import `target`, or undefined. */
function forbidden (file: string, target: string, test: boolean): string | undefined {
  const path = target.replace(/^type:/, '')
  const service = /^services\/([a-z]+)\//.exec(file)?.[1]
  const targetService = /^services\/([a-z]+)\//.exec(path)?.[1]
  const inShared = file.startsWith('shared/')
  if (service !== undefined && targetService !== undefined && service !== targetService) {
    return 'a service never imports another'
  }
  if (inShared && targetService !== undefined && !test) return 'shared imports no service'
  const ours = /^(shared|services)\//.test(path)
  if (file.startsWith('shared/errors/') && ours && !path.startsWith('shared/errors/')) {
    return 'errors import nothing of ours'
  }
  if (test) return undefined
  const domain = /\/domain\//.test(file)
  if (domain && /^node:/.test(path) && path !== 'node:crypto') return 'domain is pure'
  if (domain && /^services\/[a-z]+\/(handlers|routes|store|service)\b/.test(path)) return 'domain is the innermost'
  if (domain && /^shared\/(app|store|bus|blobs|tasks|clients)\//.test(path)) return 'domain knows no ports'
  if (/\/handlers\//.test(file) && /\/((routes|service|consumers)\.ts$|routes\/)/.test(path)) return 'handlers know no surface'
  return undefined
}

function checkCycles (): void {
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      faults.push(`${relative('.', file)}:1 is in an import cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      return
    }
    if (done.has(file)) return
    // Types vanish when the code runs; only values can meet half-loaded.
    for (const target of imports.get(file) ?? []) if (imports.has(target)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
}
