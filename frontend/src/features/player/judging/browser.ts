import type { Browser } from './judge'

/** The browser that shows the page. */
export function thisBrowser(): Browser {
  const element = document.createElement('video')
  const capabilities = (navigator as { mediaCapabilities?: MediaCapabilities }).mediaCapabilities
  return {
    canPlay: (mime) => element.canPlayType(mime),
    decoding: capabilities === undefined ? null : async (contentType, width, height, bitrate) =>
      // The rate of pictures is not told by the head of a file: 24 to 30 make no difference to the answer.
      capabilities.decodingInfo({ type: 'file', video: { contentType, width, height, bitrate, framerate: 30 } }),
    firefox: /firefox/i.test(navigator.userAgent),
  }
}
