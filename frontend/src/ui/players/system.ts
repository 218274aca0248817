/** What the page runs on. */
export type System = 'windows' | 'mac' | 'linux' | 'android' | 'ios'

/** Reads the system from a User-Agent. An iPad calls itself a Macintosh; it has a touch screen, which no Mac has. */
export function systemOf(userAgent: string, touchPoints: number): System {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  if (/macintosh|mac os x/i.test(userAgent)) return touchPoints > 1 ? 'ios' : 'mac'
  if (/windows/i.test(userAgent)) return 'windows'
  return 'linux'
}

/** True for Safari, which plays an .m3u8 itself as if it were HLS. */
export function isSafari(userAgent: string): boolean {
  return /safari/i.test(userAgent) && !/chrom|crios|fxios|edg|android/i.test(userAgent)
}
