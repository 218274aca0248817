import type { SettingWords } from './words'

export const providers: Record<string, SettingWords> = {
  'Usenet:Providers:#:Host': { title: 'Server', description: 'Adresse, wie der Anbieter sie nennt: ohne Schema, Port und Pfad.', defaultNote: 'erforderlich' },
  'Usenet:Providers:#:Port': { title: 'Port', description: 'Der TCP-Port. Nur zu ändern, wenn der Anbieter einen anderen nennt oder dieser unterwegs gesperrt ist.', defaultNote: '563 mit TLS, 119 ohne' },
  'Usenet:Providers:#:UseTls': {
    title: 'TLS verwenden', description: 'Verschlüsselt die Verbindung ab dem ersten Byte. Ohne TLS können Dritte auf dem Weg das Passwort mitlesen; bei einem öffentlichen Server ohne TLS erscheint beim Start eine Warnung.',
  },
  'Usenet:Providers:#:Username': { title: 'Benutzername', description: 'Benutzername des Kontos. Zusammen mit dem Passwort anzugeben; beide bleiben leer, wenn der Server keine Anmeldung verlangt.' },
  'Usenet:Providers:#:Password': { title: 'Passwort', description: 'Passwort des Kontos. Es erscheint nie im Protokoll und wird verschlüsselt gespeichert, wenn es im laufenden Betrieb gesetzt wird.' },
  'Usenet:Providers:#:MaxConnections': {
    title: 'Verbindungen', description: 'So viele Verbindungen, wie das Konto höchstens erlaubt. Lehnt der Anbieter schon vorher ab, gilt die kleinere Zahl; später wird eine weitere versucht.',
  },
  'Usenet:Providers:#:Priority': {
    title: 'Priorität', description: 'Anbieter mit der kleinsten Zahl werden zuerst gefragt und teilen sich die Last. Die mit größeren Zahlen liefern, was die anderen nicht haben oder nicht liefern können.',
  },
  'Usenet:Providers:#:BackupOnly': {
    title: 'Nur Reserve', description: 'Fragt diesen Anbieter nur nach dem, was kein anderer hat oder gerade liefern kann, unabhängig von der Priorität; erst danach kommen Blockkonten. Sonst springt ein Anbieter mit größerer Zahl auch ein, solange Verbindungen der ersten langsam oder abgerissen sind.',
  },
  'Usenet:Providers:#:Weight': {
    title: 'Gewicht', description: 'Anteil an der Last unter Anbietern gleicher Priorität: Einer mit 20 bekommt doppelt so viele Artikel wie einer mit 10, wenn beide eine Verbindung frei haben. Deswegen wartet nichts.',
  },
  'Usenet:Providers:#:RetentionDays': {
    title: 'Vorhaltezeit', description: 'Wie viele Tage er Artikel vorhält; 0, wenn es nicht bekannt ist. Nach älteren werden zuerst die anderen gefragt, und dieser zuletzt, denn die Zahl kann falsch sein.',
  },
  'Usenet:Providers:#:Proxy': {
    title: 'Proxy', description: 'Der Anbieter wird über diesen Proxy erreicht: socks5://user:password@host:1080 oder http://host:3128 mit CONNECT. Den Namen des Servers löst der Proxy auf, und TLS läuft ungelesen hindurch.',
  },
  'Usenet:Providers:#:Name': { title: 'Name', description: 'Name in Protokoll, Diagrammen und Metriken.', defaultNote: 'der Server' },
  'Usenet:Providers:#:WarmConnections': {
    title: 'Offen gehaltene Verbindungen', description: 'Verbindungen, die angemeldet offen bleiben, auch wenn niemand liest, damit der erste Zugriff nicht auf sie wartet. Kleiner wählen, wenn der Anbieter untätige Verbindungen mitzählt.',
    defaultNote: '20, höchstens so viele wie unter Verbindungen',
  },
  'Usenet:Providers:#:Backbone': {
    title: 'Backbone', description: 'Anbieter mit demselben Wort hier haben dieselben Artikel: Was einem von ihnen fehlt, danach werden die anderen nicht gefragt. Leer lassen, wenn es nicht bekannt ist.',
  },
  'Usenet:Providers:#:QuotaGB': {
    title: 'Kontingent', description: 'Wie viel er liefern darf, bis das Kontingent neu beginnt, gezählt, wie es aus dem Netz kommt; 0: ohne Grenze. Ist es verbraucht, wird der Anbieter bis dahin nicht gefragt.',
  },
  'Usenet:Providers:#:QuotaPeriod': {
    title: 'Neubeginn des Kontingents', description: 'Wann ein Kontingent neu beginnt, um Mitternacht der Serverzeit (TZ). Eines ohne Neubeginn gehört zu einem Blockkonto: Anzugeben ist, was davon übrig ist; gefragt wird es nach allen anderen, unabhängig von der Priorität.',
    choices: { never: 'Nie: ein Blockkonto', day: 'Jeden Tag', week: 'Jede Woche', month: 'Jeden Monat' },
  },
  'Usenet:Providers:#:QuotaResetDay': {
    title: 'Tag des Kontingents', description: 'An welchem Tag ein Kontingent neu beginnt: in der Woche von 1 für Montag bis 7, im Monat von 1 bis 31; in kürzeren Monaten am letzten Tag.',
  },
  'Usenet:Providers:#:VerifyCertificate': {
    title: 'Zertifikat prüfen', description: 'Lehnt einen Server ab, der seine Identität nicht nachweisen kann. Nur für einen eigenen Server abschalten, dessen Zertifikat niemand sonst kennt.',
  },
  'Usenet:LineMegabits': { title: 'Bandbreite der Leitung', description: 'Was die Leitung zu den Anbietern leistet. Nur nötig, wenn andere Programme die Geschwindigkeit in Prozent begrenzen.' },

  'Memory:BudgetMiB': {
    title: 'Arbeitsspeicher zum Lesen', description: 'Begrenzt die Puffer für gelesene und vorausgelesene Daten, über alle Leser hinweg. Mehr hilft bei vielen gleichzeitigen Lesern oder bei schneller Leitung zu einem weit entfernten Anbieter.',
    defaultNote: 'ein halbes Prozent des Arbeitsspeichers, 90 bis 512 MiB',
  },
  'Usenet:Holes': {
    title: 'Wo Bytes fehlen', description: 'Was ein Player für einen Artikel bekommt, den kein Anbieter hat und der sich nicht rechtzeitig reparieren lässt. Mit Füllbytes laufen MKV, MP4, AVI und Transportströme dahinter weiter, mit einem Fehler an dieser Stelle; ihre Köpfe und Indizes, andere Dateien, Downloads und Prüfungen brechen trotzdem ab. Ein Mount, der Gelesenes zwischenspeichert, behält die Füllbytes.',
    choices: { fail: 'Das Lesen bricht ab', zeros: 'Es geht mit Füllbytes weiter' },
  },
  'Starts:DiskMiB': {
    title: 'Anfänge von Dateien auf der Platte', description: 'Begrenzt, was von Anfang, Ende und Index der Filme auf der Platte bleibt, damit das Abspielen und das Einlesen in Bibliotheken ohne einen Artikel auskommen. Ein Film braucht 3 bis 6 MiB; was am längsten nicht gebraucht wurde, geht zuerst. 0: nichts.',
  },
  'Cache:DiskGiB': {
    title: 'Artikel auf der Platte', description: 'Behält auf der Platte, was angesehen wird, bis zu dieser Größe: Beim nächsten Mal wird kein Anbieter gefragt. Was nur einmal angesehen wurde, geht vor dem, was wieder angesehen wurde, das am längsten Ungenutzte zuerst. Alles Angesehene wird einmal geschrieben: Das zehrt an einer SSD. 0: nichts, und das Vorhandene wird gelöscht.',
  },
  'Cache:Folder': {
    title: 'Ordner der Artikel auf der Platte', description: 'Wo sie liegen: ein leerer Ordner, den sonst niemand benutzt. Ein anderer Ordner beginnt leer, und die Artikel im bisherigen werden gelöscht.',
    defaultNote: '`cache/articles/` im Konfigurationsordner',
  },
  'Scanners:GiveWay': {
    title: 'Scanner lassen den Vortritt', description: 'Programme, die Dateien schneller lesen, als jemand zusieht, etwa zur Erkennung von Vorspännen, für Kapitelbilder und Vorschaubilder, werden an ihrer Leseweise erkannt und warten auf alle, die etwas abspielen. Wer im Tempo eines Films liest, wird bedient wie immer.',
  },
  'Streams:RecordTo': {
    title: 'Streams aufzeichnen nach', description: 'Ein Ordner, in dem ohne Namen aufgezeichnet wird, was Streams anfordern und was die Provider tun, damit sich ein Abend mit Aussetzern mit `nzbdav --replay` wiederholen lässt. Eine Datei je Sitzung; eine Stunde 4K braucht etwa 1 MB. Leer: keine Aufzeichnung.',
    defaultNote: 'kein Ordner',
  },
  'Streams:RecordMiB': {
    title: 'Aufzeichnungen höchstens', description: 'Begrenzt die Aufzeichnungen von Streams auf der Platte; die ältesten gehen zuerst.',
  },
}
