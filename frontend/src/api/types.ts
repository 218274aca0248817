// The types of the API by name.
import type { components } from './schema'

type Schemas = components['schemas']

export type Page<T> = { items: T[]; total: number; offset: number } // in C#: one record per list (JobPage, FilePage …)
export type ErrorBody = { error: string }
export type Faults = { faults: { path: string; message: string }[] } // 422

export type JobState = 'queued' | 'waiting' | 'paused' | 'running' | 'completed' | 'failed' // waiting: put back until retryAt because of something that passes
export type JobKind = 'nzb' | 'torrent' | 'magnet'
export type Job = {
  id: string; name: string; category: string; kind: JobKind; state: JobState
  source: string // who brought it, camelCase of JobSource
  priority: number; position: number | null // 0-based place in the queue, null when it is not in it (only filled in lists sorted by turn, and in details)
  added: string; started: string | null; finished: string | null
  step: string | null // parse, probe, name, lay-out, validate, publish … as the import names it
  stepIndex: number | null; stepCount: number; progress: number // share of the step
  bytes: number; files: number
  failure: { code: string; message: string } | null // why it failed or what it waits for
  retryAt: string | null; attempts: number; hasPassword: boolean
  itemId: string | null; path: string | null // what it published, "/content/movies/Film", while that exists
}
export type JobDetails = Job & { timings: { step: string; seconds: number }[]; sourceBytes: number; url: string | null; infoHash: string | null }
export type JobCounts = { queued: number; waiting: number; paused: number; running: number; completed: number; failed: number }
export type JobPage = { items: Job[]; total: number; offset: number; counts: JobCounts } // counts: by state with all filters but the state
export type AddResult = { name: string; job: Job | null; error: string | null; duplicate: boolean } // one per file or link, in order; duplicate: job is the one that is there already
export type AddAnswer = { results: AddResult[] }
export type JobsAction = {
  ids: string[] | null; filter: { states: JobState[] | null; kind: JobKind | null; category: string | null; search: string | null } | null
  action: 'pause' | 'resume' | 'retry' | 'delete' | 'priority' | 'category' | 'move' | 'rename'
  priority: number | null; category: string | null; name: string | null
  withFiles: boolean | null // delete: what it published, too
  position: number | null   // move: 0 = first; -1 = last. Several ids keep their order among each other
}
export type ActionAnswer = { done: number; refused: { id: string; reason: string }[] }
export type Queue = { paused: boolean; pausedUntil: string | null; speedLimit: number | null; categories: string[] }

export type FileItem = Schemas['FileItem']
export type FilePage = Schemas['FilePage']
export type FileDetails = Schemas['FileDetails']
export type PostedFile = Schemas['PostedFile']
export type Media = Schemas['Media']
export type MediaTrack = Schemas['MediaTrack']
export type PlayLink = Schemas['PlayLink']

export type Stream = Schemas['Stream']
export type StreamTimeline = Schemas['StreamTimeline']
export type StreamEvent = Schemas['StreamEvent']
export type StreamAttempt = Schemas['StreamAttempt']

export type Provider = {
  number: number; name: string; host: string; port: number; tls: boolean; priority: number
  state: 'connected' | 'idle' | 'connecting' | 'down' | 'usedUp'; reason: string | null; since: string | null; retryAt: string | null
  connections: { open: number; busy: number; configured: number; granted: number | null } // granted: the learned cap
  roundTripSeconds: number | null; rate: number; bytes: number; found: number; missing: number; corrupt: number; failed: number // since the start
  connectionRate: number | null; isSlow: boolean // learned
  timedOut: number // of failed
  lately: Reliability; isUnreliable: boolean
  backupOnly: boolean; weight: number; retentionDays: number | null; proxy: string | null /* without user and password */
  isBlock: boolean; quota: { bytes: number; used: number; resetsAt: string | null } | null
}
/** What became of the articles of the last 24 hours. */
export type Reliability = { found: number; missing: number; damaged: number; timedOut: number; lost: number }
export type ProviderTest = { number: number | null /* take its saved password when password is null */; host: string; port: number; useTls: boolean; verifyCertificate: boolean; username: string | null; password: string | null; proxy: string | null /* empty: none; null: the saved one */; maxConnections: number }
export type ProviderVerdict = { ok: boolean; steps: ProviderStep[]; connections: number | null; roundTripSeconds: number | null; rate: number | null }
export type ProviderStep = { name: 'resolve' | 'connect' | 'tls' | 'greeting' | 'login' | 'connections' | 'roundTrip' | 'speed'; ok: boolean; skipped: boolean; seconds: number; message: string }

export type Torrent = Schemas['Torrent']
export type TorrentDetails = Schemas['TorrentDetails']
export type TorrentNetwork = Schemas['TorrentNetwork']
export type TorrentActionName = NonNullable<Schemas['TorrentActionName']>
export type TorrentPolicy = Schemas['TorrentPolicy']
export type FilePriority = NonNullable<Schemas['FilePriority']>

export type Status = {
  version: string; started: string; demo: boolean; rate: number; torrentRate: number; streams: number
  memory: { process: number; budget: number; used: number; cache: number }
  disk: { path: string; free: number; total: number }; diskCache: Schemas['StatusDiskCache'] | null; cpuShare: number
  jobs: JobCounts; exports: Schemas['StatusExport'][]; mount: Schemas['MountState'] | null; ready: boolean; reason: string | null
}
export type Series = { start: string; stepSeconds: number; lines: { name: string; label: string; unit: 'bytesPerSecond' | 'count' | 'bytes' | 'share'; values: (number | null)[] }[] }


export type Setting = Schemas['Setting']
export type User = Omit<Schemas['User'], 'role'> & { role: NonNullable<Schemas['UserRole']> }
export type LinkInfo = Schemas['LinkInfo']
export type SessionInfo = Schemas['SessionInfo']
export type Session = { state: 'setup' | 'signedOut' | 'signedIn'; username: string | null; role: User['role'] | null; via: string | null; rights: string[]; csrfToken: string | null; oidcPath: string | null; demo: boolean; version: string | null /* null signed out */ }
export type LogPage = Schemas['LogPage']
export type LogLine = Schemas['LogLine']
export type About = Schemas['About']
export type Play = { urlBase: string; davPath: string; username: string | null; mountPath: string; rclone: string[] /* lines to paste; the password is a placeholder */; sabPath: string; strmUrl: string | null }

export type EventData = {
  hello: { epoch: string; version: string; time: string }
  reset: Record<string, never>
  ping: Record<string, never>
  jobs: { changed: Job[]; removed: string[]; counts: JobCounts }
  streams: { streams: Stream[] }
  status: Status
  providers: { providers: Provider[] }
  torrents: { torrents: Torrent[] }
  files: { parents: string[] }
  queue: Queue
  settings: Record<string, never>
  health: { at: string }
  log: { last: number }
}
export type EventName = keyof EventData

export type SettingsAnswer = Schemas['Settings']
export type SettingsExport = Schemas['SettingsExport']
export type ArrRow = Schemas['ArrRow']
export type ArrTest = Schemas['ArrTest']
export type RegisterBody = Schemas['Register']
export type RegisterAnswer = Schemas['RegisterAnswer']
export type LostRow = Schemas['LostRow']
export type LibraryAnswer = Schemas['LibraryAnswer']
export type HealthOverview = Schemas['HealthOverview']
export type HealthList = Schemas['HealthList']
export type HealthDetail = Schemas['HealthDetail']
export type HealthPost = Schemas['HealthPost']
export type HealthEvent = Schemas['HealthEvent']
export type Backup = Schemas['Backup']
export type BackupList = Schemas['BackupList']
export type RestoreState = Schemas['RestoreState']
export type LogLevels = Schemas['LogLevels']
export type KeyName = NonNullable<Schemas['KeyName']>

export type SearchAnswer = Schemas['SearchAnswer']
export type Release = SearchAnswer['releases'][number]
export type PlayAnswer = Schemas['PlayAnswer']
export type AddonKey = Schemas['AddonKey']
export type AddonAddress = Schemas['AddonAddress']
