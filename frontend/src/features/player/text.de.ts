import type { en } from './text.en'

const list = (names: string[]) => new Intl.ListFormat('de').format(names)

export const de: typeof en = {
  back: (folder) => `Zurück zu ${folder}`,
  toFiles: 'Zu den Dateien',
  details: 'Details',
  stage: (name) => `Player: ${name}`,
  play: 'Abspielen', pause: 'Pause', previous: 'Zurück', next: 'Weiter', mute: 'Ton aus', unmute: 'Ton an', volume: 'Lautstärke', seek: 'Position', fullscreen: 'Vollbild', leaveFullscreen: 'Vollbild verlassen',
  pip: 'Bild im Bild', subtitles: 'Untertitel', off: 'Aus', speed: 'Tempo', overlay: 'Stream-Statistik', help: 'Tastenkürzel', close: 'Schließen',
  position: (at, of) => `${at} von ${of}`,
  waiting: 'Lädt …',
  shift: (seconds) => `Untertitel ${seconds} s`,
  speedNow: (speed) => `Tempo ${speed}`,
  volumeNow: (share) => `Lautstärke ${share}`,
  resumed: (at) => `Weiter bei ${at}.`,
  restart: 'Von vorn',
  nextUp: 'Als Nächstes',
  autoplay: 'Nächste Datei automatisch abspielen', autoplayOn: 'Die nächste Datei wird automatisch abgespielt.', autoplayOff: 'Die nächste Datei wird nicht automatisch abgespielt.',
  nextIn: (seconds) => `Beginnt in ${seconds} s`,
  playNow: 'Jetzt abspielen',
  cancel: 'Abbrechen',
  tryAnyway: 'Trotzdem versuchen',
  again: 'Erneut versuchen',
  verdict: {
    silent: (codecs) => `Das Bild läuft, der Ton nicht: Er ist ${list(codecs)}, und dein Browser hat dafür keinen Decoder.`,
    blind: (codecs) => `Der Ton läuft, das Bild nicht: Es ist ${list(codecs)}, und dein Browser hat dafür keinen Decoder.`,
    nothing: (codecs) => codecs.length === 0 ? 'Dein Browser kann diese Datei nicht abspielen.' : `Dein Browser kann diese Datei nicht abspielen: Ihm fehlt ein Decoder für ${list(codecs)}.`,
    container: (container) => container === null ? 'Dein Browser liest Dateien dieser Art nicht.' : `Dein Browser liest keine ${container}-Dateien.`,
    firefoxMatroska: 'Firefox lädt einen Matroska-Film womöglich ganz, bevor er ihn abspielt, oder spielt ihn gar nicht.',
    unknown: 'Ob dein Browser diese Datei abspielt, ist noch nicht bekannt.',
    slow: 'Dein Browser dekodiert dieses Bild nach eigener Aussage zu langsam: Es kann ruckeln.',
    out: 'Ein Player auf diesem Gerät spielt sie, wie sie ist:',
  },
  failure: {
    away: 'Die Verbindung zum Server ist abgebrochen.',
    http: (status, message) => status === 0 ? message : `Der Server lehnt ab: ${message} (HTTP ${status})`,
    codec: 'Die Bytes kommen an, aber dein Browser hat keinen Decoder dafür.',
    damaged: 'Der Decoder hat aufgehört: Die Bytes sind hier beschädigt oder ungewöhnlich.',
  },
  media: 'Container und Codecs',
  stats: {
    title: 'Stream-Statistik', firstByte: 'Erstes Byte', firstPicture: 'Erstes Bild', buffered: 'Gepuffert', ahead: 'Voraus geholt', rate: 'Rate', waits: 'Server wartete', stalls: 'Player stockte', waitingFor: 'Wartet auf', inFlight: 'Anfragen unterwegs', at: (what, provider) => `${what} (${provider})`,
    dropped: 'Ausgelassene Bilder', size: 'Auflösung', none: 'keine', unknown: 'unbekannt',
    waitsOf: (count, time) => `${count} (${time})`, ofTotal: (part, all) => `${part} von ${all}`,
  },
  keys: [
    ['Leertaste, K', 'Abspielen oder Pause'], ['J, L', '10 s zurück, vor'], ['←, →', '5 s zurück, vor'], ['Bild ab, Bild auf', '1 min zurück, vor'], ['0 – 9', 'Zu diesem Zehntel'], [', .', 'Ein Bild zurück, vor'],
    ['< >', 'Langsamer, schneller'], ['↑, ↓', 'Lauter, leiser'], ['M', 'Ton aus'], ['F', 'Vollbild'], ['C', 'Untertitel'], ['G, H', 'Untertitel früher, später'], ['P, N', 'Zurück, weiter'], ['A', 'Nächste Datei automatisch: an, aus'], ['I', 'Stream-Statistik'], ['?', 'Diese Liste'],
  ],
}
