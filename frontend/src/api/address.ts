/** Where the page lies: ends with a slash. The server writes it into <base>, so it is right below a URL base, too. */
export const root = new URL('.', document.baseURI)

/** Absolute address of a path of the server: `address('dav/')`. A leading slash is of the server's root below the URL base. */
export function address(path: string): string {
  return new URL(path.replace(/^\//, ''), root).href
}

/** Absolute address of a path that begins with the URL base already, as links do. */
export function absolute(path: string): string {
  return new URL(path, root.origin).href
}
