import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { chunks } from './scripts/plugins/chunks.ts'
import { licences } from './scripts/plugins/licences.ts'
import { mantine } from './scripts/plugins/mantine.ts'

// Where `npm run dev` finds the backend.
const backend = process.env.NZBDAV_BACKEND ?? 'http://127.0.0.1:8080'
const served = ['/api', '/dav', '/view', '/health', '/sabnzbd', '/signin/oidc']

export default defineConfig({
  // Relative addresses: the page works below whatever URL base the server tells it in <base>.
  base: './',
  plugins: [react(), mantine(fileURLToPath(new URL('.', import.meta.url))), chunks(fileURLToPath(new URL('./src/api/chunks/preload.ts', import.meta.url))), licences()],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: { target: 'es2022', sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false }, manifest: true, chunkSizeWarningLimit: 700 },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: backend, changeOrigin: false }])) },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'], restoreMocks: true },
})
