const dots = { failed: '#b3261e', streaming: '#5bb8e0' }

/** The page's icon, with a dot in its corner if something is to be told. */
export function icon(dot: keyof typeof dots | 'none'): string {
  if (dot === 'none') return './favicon.svg'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e99"/>'
    + '<path d="M9 23V9l14 14V9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/>'
    + `<circle cx="25" cy="7" r="6.5" fill="${dots[dot]}" stroke="#fff" stroke-width="1.5"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
