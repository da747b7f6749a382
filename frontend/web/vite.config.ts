import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { type Formulas, formulaKey } from './src/shared/markdown/formulas'
import { renderTex } from './src/shared/markdown/katex'
import { renderMarkdown } from './src/shared/markdown/markdown'

// `npm run dev` serves the client with reload on 5173 and sends /api on to a service started with `make run`.
const SERVICE = process.env.GRADUS_URL ?? 'http://127.0.0.1:8000'

// A page asks for a handful of files, not for forty: what most pages share comes together, the editor apart. A chunk must not
// import one that its pages could do without, so every component stands with those that it is made of.
const mantine = (components: string, others = 'none') =>
  new RegExp(
    `node_modules/(${others}|@mantine/core/(esm/components/(${components})/|styles/(${components})\\.))`,
  )
const CHUNKS = [
  {
    name: 'editor',
    test: /node_modules\/(@codemirror\/(?!merge|autocomplete|lint|search)|@marijn|crelt|style-mod|w3c-keyname)/,
    priority: 3,
  },
  { name: 'grammar', test: /node_modules\/@lezer/, priority: 4 },
  {
    name: 'framework',
    test: /node_modules/,
    tags: ['$initial' as const],
    priority: 2,
  },
  // What some pages need of it and the first one does not, by what it is for.
  {
    name: 'popovers',
    test: mantine('Combobox|Menu|NativeSelect|Popover|Select|Tooltip', '@floating-ui'),
    priority: 2,
    minShareCount: 3,
  },
  { name: 'tables', test: mantine('ScrollArea(?!/utils)|Table'), priority: 2, minShareCount: 3 },
  { name: 'dialogs', test: mantine('Modal|ModalBase', 'react-remove-scroll'), priority: 2, minShareCount: 3 },
  {
    name: 'fields',
    test: mantine(
      'Checkbox|Input|InputBase|PasswordInput|Radio|Switch|Textarea|TextInput',
      '@mantine/core/(esm/utils/In(line|puts)|styles/InlineInput)',
    ),
    priority: 2,
    minShareCount: 3,
  },
  { name: 'numbers', test: mantine('NumberInput', 'react-number-format'), priority: 2, minShareCount: 3 },
  { name: 'controls', test: /node_modules\/(@mantine|@tanstack)\//, priority: 1, minShareCount: 3 },
  {
    name: 'workspace',
    test: /src\/features\/(challenges|drafts|judging)\//,
    priority: 1,
    minShareCount: 2,
  },
  {
    name: 'shared',
    test: /src\/(api|app|shared)\//,
    tags: ['$initial' as const],
    minShareCount: 3,
  },
]

const MANTINE = 'node_modules/@mantine/core'

/**
 * In a build, each component of Mantine brings its own styles, so that a page loads only those that it uses. The sheet of all
 * styles, which `main.tsx` imports and `npm run dev` serves, then holds only what all components share.
 */
function stylesByComponent(): Plugin {
  return {
    name: 'styles-by-component',
    apply: 'build',
    transform: {
      filter: { id: /@mantine\/core\/esm\/.*\.module\.mjs$/ },
      handler(code, id) {
        const name = id.slice(id.lastIndexOf('/') + 1, -'.module.mjs'.length)
        return { code: `import '@mantine/core/styles/${name}.layer.css'\n${code}`, map: null }
      },
    },
    load: {
      filter: { id: /@mantine\/core\/styles\.layer\.css$/ },
      handler: () =>
        ['baseline', 'default-css-variables', 'global']
          .map(name => readFileSync(`${MANTINE}/styles/${name}.layer.css`, 'utf8'))
          .join('\n'),
    },
  }
}

const CHALLENGES = '../../challenges'
// Of a challenge that only assessments use, nothing is public.
const SECRET = /^visibility\s*=\s*(?!["']public)/m

/** Renders the formulas of each statement of the catalogue, so that browsers need no KaTeX for them. */
function formulasOfStatements(): Plugin {
  return {
    name: 'formulas-of-statements',
    apply: 'build',
    generateBundle() {
      const files = readdirSync(CHALLENGES, { encoding: 'utf8', recursive: true })
      for (const folder of files.filter(each => basename(each) === 'statement.md').map(dirname)) {
        if (SECRET.test(readFileSync(join(CHALLENGES, folder, 'challenge.toml'), 'utf8'))) continue
        const formulas: Formulas = {}
        renderMarkdown(readFileSync(join(CHALLENGES, folder, 'statement.md'), 'utf8'), (source, display) => {
          formulas[formulaKey(source, display)] = renderTex(source, display)
          return ''
        })
        const fileName = `formulas/${basename(folder)}.json`
        if (Object.keys(formulas).length > 0)
          this.emitFile({ type: 'asset', fileName, source: JSON.stringify(formulas) })
      }
    },
  }
}

export default defineConfig({
  // The service sends these files instead of compressing them itself (api/kit/http/static_client.py).
  plugins: [
    react(),
    stylesByComponent(),
    formulasOfStatements(),
    compression({
      algorithms: ['gzip', 'brotliCompress'],
      include: /\.(js|css|json|svg|wasm|ttf)$/,
      skipIfLargerOrEqual: true,
    }),
  ],
  resolve: { tsconfigPaths: true },
  build: {
    outDir: 'dist',
    manifest: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS, includeDependenciesRecursively: false } } },
  },
  server: { proxy: { '/api': { target: SERVICE, changeOrigin: true, ws: true } } },
})
