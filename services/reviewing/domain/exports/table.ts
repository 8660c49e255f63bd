/** Columns of an exported table, as Parquet and as `datasets` name them. */

/** A picture as `datasets` stores it. */
export interface StoredImage { bytes: Uint8Array, path: string }

export type ColumnType = 'string' | 'int' | 'strings' | 'images' | { structs: Record<string, 'string' | 'int'> }

export interface Column<Row> { name: string, type: ColumnType, of: (row: Row) => unknown }

type Named = Pick<Column<never>, 'name' | 'type'>

/** An element of a Parquet schema, in the words of its specification. */
export interface SchemaElement {
  name: string
  type?: 'BYTE_ARRAY' | 'INT32'
  converted_type?: 'UTF8' | 'LIST'
  repetition_type?: 'OPTIONAL' | 'REPEATED'
  num_children?: number
}

/** Said outright: left to the writer, lists would become JSON. */
export function parquetSchema (columns: readonly Named[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)]
}

function elementsOf ({ name, type }: Named): SchemaElement[] {
  if (type === 'string' || type === 'int') return [leaf(name, type)]
  return [
    { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...elementOf(type)
  ]
}

function elementOf (type: Exclude<ColumnType, 'string' | 'int'>): SchemaElement[] {
  if (type === 'strings') return [leaf('element', 'string')]
  const fields = type === 'images'
    ? [{ name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' } as const, leaf('path', 'string')]
    : Object.entries(type.structs).map(([name, of]) => leaf(name, of))
  return [{ name: 'element', repetition_type: 'OPTIONAL', num_children: fields.length }, ...fields]
}

function leaf (name: string, type: 'string' | 'int'): SchemaElement {
  return type === 'string'
    ? { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }
    : { name, type: 'INT32', repetition_type: 'OPTIONAL' }
}

/** For the metadata of the file itself, so that it loads with its pictures whatever stands beside it. */
export function featuresJson (columns: readonly Named[]): string {
  const features = columns.map(({ name, type }) => [name, featureOf(type)])
  return JSON.stringify({ info: { features: Object.fromEntries(features) } })
}

function featureOf (type: ColumnType): object {
  if (type === 'string' || type === 'int') return valueOf(type)
  return { feature: elementFeature(type), _type: 'List' }
}

function elementFeature (type: Exclude<ColumnType, 'string' | 'int'>): object {
  if (type === 'strings') return valueOf('string')
  return type === 'images' ? { _type: 'Image' } : structOf(type.structs)
}

const valueOf = (type: 'string' | 'int') => ({ dtype: type === 'int' ? 'int32' : 'string', _type: 'Value' })

function structOf (fields: Record<string, 'string' | 'int'>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, valueOf(type)]))
}

/** For the `dataset_info` of a card. */
export function cardFeatures (columns: readonly Named[]): object[] {
  return columns.map(({ name, type }) => {
    if (type === 'string' || type === 'int') return { name, dtype: dtypeOf(type) }
    if (type === 'strings') return { name, list: 'string' }
    if (type === 'images') return { name, list: 'image' }
    const fields = Object.entries(type.structs)
    return { name, list: fields.map(([field, of]) => ({ name: field, dtype: dtypeOf(of) })) }
  })
}

const dtypeOf = (type: 'string' | 'int') => type === 'int' ? 'int32' : 'string'
