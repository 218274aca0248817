import type { SettingWords } from './words'

export const operation: Record<string, SettingWords> = {
  'Backup:EveryHours': { title: 'Abstand', description: 'Zeit zwischen zwei Sicherungen von Katalog und Schlüsseln. Bei 0 gibt es keine regelmäßigen Sicherungen.' },
  'Backup:Keep': { title: 'Anzahl', description: 'So viele Sicherungen bleiben erhalten, zusätzlich zu zweien von vor Aktualisierungen. Die ältesten werden zuerst entfernt.' },
  'Backup:Folder': {
    title: 'Ordner', description: 'Ablage der Sicherungen. Auf demselben Dateisystem kosten sie fast nichts; auf einem anderen Datenträger überstehen sie den Verlust von diesem. Die von vor einer Aktualisierung liegen dort, wo die Umgebung es festlegt.',
    defaultNote: 'backups/ im Konfigurationsordner',
  },
  'Log:Level': {
    title: 'Stufe', description: 'Wie viel protokolliert wird. Debug nennt jeden Schritt und hilft bei der Fehlersuche.',
    choices: { debug: 'Debug', information: 'Information', warning: 'Warnungen', error: 'Fehler', fatal: 'Was das Programm beendet', off: 'Nichts' },
  },
  'Log:Categories': {
    title: 'Stufen je Kategorie', description: 'Andere Stufen für Teile des Programms, zum Beispiel NzbDav.Usenet=debug. Eine Kategorie ist der Anfang eines Namens, der in den Protokolldateien in Klammern steht.',
  },
  'Log:Json': { title: 'Konsole als JSON', description: 'Schreibt jede Zeile der Konsole als JSON-Objekt, für Programme, die Protokolle sammeln.' },
  'Otlp:Endpoint': { title: 'OpenTelemetry-Collector', description: 'Sendet Metriken und Traces an diesen Collector, zum Beispiel http://collector:4318; bei gRPC ist der Port meist 4317.' },
  'Otlp:Protocol': {
    title: 'Protokoll des Collectors', description: 'Wie der Collector angesprochen wird. Nur zu ändern, wenn er ausschließlich gRPC annimmt.', choices: { 'http/protobuf': 'Protobuf über HTTP', grpc: 'gRPC' },
  },
  'Otlp:Headers': { title: 'Header für den Collector', description: 'Begleiten Metriken und Traces, zum Beispiel ein Schlüssel, den der Collector verlangt.' },
}
