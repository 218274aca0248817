// None that look alike, none that an URL or a shell would have to escape.
const Letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password of 20 letters and digits: 116 random bits. `getRandomValues` is there without HTTPS, too. */
export function suggestPassword(): string {
  let password = ''
  while (password.length < 20) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      // Beyond the last whole round some letters would come more often.
      if (byte < 256 - (256 % Letters.length) && password.length < 20) password += Letters.charAt(byte % Letters.length)
    }
  }
  return password
}
