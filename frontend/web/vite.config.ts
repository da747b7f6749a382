import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// `npm run dev` serves the client with reload on 5173 and sends /api on to a service started with `make run`.
const SERVICE = process.env.GRADUS_URL ?? 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist', manifest: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/api': { target: SERVICE, changeOrigin: true } } },
})
