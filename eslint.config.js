import neostandard from 'neostandard'

/** Formatting and correctness; limits on size and direction are in scripts/tidy.ts. */
export default [
  ...neostandard({ ts: true, ignores: ['node_modules', '.tap', 'data', 'viva-exam'] }),
  {
    rules: {
      // A schema and the type it describes share one name.
      '@typescript-eslint/no-redeclare': 'off',
      'no-void': 'off',
      'max-params': ['error', 3],
      '@stylistic/max-len': ['error', { code: 110, ignoreUrls: true, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true, ignoreStrings: true }]
    }
  }
]
