import { localStorageColorSchemeManager } from '@mantine/core'

/** Keeps the chosen colours where `scheme.js` looks before the first paint. */
export const schemes = localStorageColorSchemeManager({ key: 'nzbdav.scheme' })
