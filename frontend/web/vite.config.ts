import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

// `npm run dev` serves the client with reload on 5173 and sends /api on to a service started with `make run`.
const SERVICE = process.env.GRADUS_URL ?? 'http://127.0.0.1:8000'

// A page asks for a handful of files, not for forty: what most pages share comes together, the editor with all its parts apart.
const CHUNKS = [
  {
    name: 'editor',
    test: /node_modules\/(@codemirror\/(?!merge)|@marijn|crelt|style-mod|w3c-keyname)/,
    priority: 3,
  },
  { name: 'grammar', test: /node_modules\/@lezer/, priority: 4 },
  {
    name: 'framework',
    test: /node_modules/,
    tags: ['$initial' as const],
    priority: 2,
  },
  // What some pages need of it and the first one does not.
  {
    name: 'controls',
    test: /node_modules\/(@mantine|@tanstack|@floating-ui)\//,
    priority: 1,
    minShareCount: 3,
  },
  {
    name: 'workspace',
    test: /src\/features\/(challenges|drafts|judging)\//,
    priority: 1,
    minShareCount: 2,
  },
  {
    name: 'shared',
    test: /src\/(api|app|shared)\/(?!markdown\/(Rendered|markdown|highlight))/,
    minShareCount: 3,
  },
]

export default defineConfig({
  // The service sends these files instead of compressing them itself (api/kit/http/static_client.py).
  plugins: [
    react(),
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
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: { proxy: { '/api': { target: SERVICE, changeOrigin: true, ws: true } } },
})
