namespace NzbDav.Host.Settings.Texts;

public static partial class SettingTexts
{
    private static readonly SettingText[] OfProviders =
    [
        new("Usenet:Providers:#:Host", Providers, "Server", "Where to connect, as the provider names it: without scheme, port and path.") { Form = "host name or address", DefaultNote = "required" },
        new("Usenet:Providers:#:Port", Providers, "Port", "The TCP port. Change it when the provider names another one, or when yours is blocked on the way.") { DefaultNote = "563 with TLS, 119 without" },
        new("Usenet:Providers:#:UseTls", Providers, "Use TLS", "Encrypts the connection from the first byte. Without it, others on the way can read the password; a public server without TLS is warned of at the start."),
        new("Usenet:Providers:#:Username", Providers, "User name", "Of the account. Set it together with the password, or neither for a server that asks for no login."),
        new("Usenet:Providers:#:Password", Providers, "Password", "Of the account. It is never logged; set while the server runs, it is stored encrypted."),
        new("Usenet:Providers:#:MaxConnections", Providers, "Connections", "The most connections that the account allows. When the provider refuses earlier, the lower number is learned; one more is tried later.") { Unit = "connections" },
        new("Usenet:Providers:#:Priority", Providers, "Priority", "Providers with the lowest number are asked first and share the load. Those with higher numbers are asked for what the others do not have or cannot give."),
        new("Usenet:Providers:#:BackupOnly", Providers, "Backup only", "Asks this provider only for what no other has or can give now, whatever its priority; block accounts come after it. Without this, one of a higher number also steps in while connections of the first are slow or lost."),
        new("Usenet:Providers:#:Name", Providers, "Name", "What it is called in logs, charts and metrics.") { DefaultNote = "the host" },
        new("Usenet:Providers:#:WarmConnections", Providers, "Connections kept open", "Connections that stay open and logged in while nobody reads, so that the first read does not wait for them. Lower it when the provider counts idle connections.")
            { Unit = "connections", DefaultNote = "20, at most MaxConnections", IsAdvanced = true },
        new("Usenet:Providers:#:Weight", Providers, "Weight", "The share of the load among providers of one priority: one with 20 gets twice as many articles as one with 10, where both have a connection to spare. Nothing waits because of it.") { IsAdvanced = true },
        new("Usenet:Providers:#:RetentionDays", Providers, "Retention", "How many days it keeps articles; 0 when you do not know. For older posts the others are asked first, and this one last, as the number may be wrong.") { Unit = "days", IsAdvanced = true },
        new("Usenet:Providers:#:Proxy", Providers, "Proxy", "Reaches the provider through this proxy: socks5://user:password@host:1080, or http://host:3128 with CONNECT. The proxy looks up the server's name, and TLS goes through it unread.")
            { Form = "socks5:// or http:// address", IsAdvanced = true },
        new("Usenet:Providers:#:Backbone", Providers, "Backbone", "Providers with the same word here have the same articles: what one of them does not have, the others are not asked for. Leave it empty when you do not know.")
            { Form = "any word, such as omicron", IsAdvanced = true },
        new("Usenet:Providers:#:QuotaGB", Providers, "Quota", "How much it may bring until the quota begins anew, counted as it comes from the network; 0 for no bound. When it is used up, nothing is asked of the provider until then.")
            { Unit = "GB", IsAdvanced = true },
        new("Usenet:Providers:#:QuotaPeriod", Providers, "Quota begins anew", "When a quota begins anew, at midnight of the server's time (TZ). One that never does makes a block account: enter what is left of it; it is asked after all others, whatever its priority.")
            { Choices = [("never", "Never: a block account"), ("day", "Each day"), ("week", "Each week"), ("month", "Each month")], IsAdvanced = true },
        new("Usenet:Providers:#:QuotaResetDay", Providers, "Day of the quota", "The day on which a quota begins anew: of the week from 1 for Monday to 7, of the month from 1 to 31, where a shorter month has its last day.") { IsAdvanced = true },
        new("Usenet:Providers:#:VerifyCertificate", Providers, "Check the certificate", "Refuses a server that cannot prove who it is. Turn it off only for a server of your own with a certificate that nobody else knows.") { IsAdvanced = true },
        new("Usenet:LineMegabits", Providers, "Speed of the line", "What the line to the providers carries. Needed only when other programs set a speed limit in per cent.") { Unit = "Mbit/s", IsAdvanced = true },
    ];

    private static readonly SettingText[] OfPlayback =
    [
        new("Memory:BudgetMiB", Playback, "Memory for reading", "Bounds the buffers that hold what is read and read ahead, over all readers. More helps with many readers at once, or a fast line to a provider far away.")
            { Unit = "MiB", DefaultNote = "half a percent of the memory, 90 to 512 MiB" },
        new("Starts:DiskMiB", Playback, "Starts of files on disk", "Bounds the beginnings, ends and indexes of films that are kept on the disk, so that playing begins and libraries are scanned without an article. A film takes 3 to 6 MiB; what was used longest ago leaves first. 0 keeps none.")
            { Unit = "MiB" },
        new("Usenet:Holes", Playback, "Where bytes are gone", "What a player gets for an article that no provider has and that cannot be repaired in time. With filler, MKV, MP4, AVI and transport streams play on behind it, with a flaw there; their heads and indexes, other files, downloads and checks end all the same. A mount that caches what it reads keeps the filler.")
            { Choices = [("fail", "The read ends"), ("zeros", "It plays on with filler")], IsAdvanced = true },
        new("Cache:DiskGiB", Playback, "Articles on disk", "Keeps what is watched on the disk, up to this size, so that watching it again asks no provider. What was watched once leaves before what was watched again, the longest unused first. All that is watched is written once: mind the life of an SSD. 0 keeps none and deletes what is there.")
            { Unit = "GiB" },
        new("Cache:Folder", Playback, "Folder of articles on disk", "Where they are kept: an empty folder that nobody else uses. Another folder begins empty, and the articles in the former one are deleted.")
            { Form = "absolute path", DefaultNote = "`cache/articles/` in the configuration folder", IsAdvanced = true },
        new("Scanners:GiveWay", Playback, "Scanners give way", "Programs that read files faster than anybody watches, as intro detection, chapter images and thumbnails do, are recognised by how they read, and wait for everybody who plays something. Whoever reads at the pace of a film is served as ever.")
            { IsAdvanced = true },
        new("Streams:RecordTo", Playback, "Record streams to", "A folder in which everything is recorded that streams ask for and providers do, without names, so that an evening that stuttered can be played again with `nzbdav --replay`. A file for each sitting; an hour of 4K takes about 1 MB. Empty records nothing.")
            { Form = "absolute path", DefaultNote = "no folder" },
        new("Streams:RecordMiB", Playback, "Recordings at most", "Bounds the recordings of streams on the disk; the oldest go first.")
            { Unit = "MiB" },
    ];

    private static readonly SettingText[] OfLogs =
    [
        new("Log:Level", Logs, "Level", "How much is logged. Debug tells each step, for whoever looks for a fault.")
            { Choices = [("debug", "Debug"), ("information", "Information"), ("warning", "Warnings"), ("error", "Errors"), ("fatal", "What ends the program"), ("off", "Nothing")] },
        new("Log:Categories", Logs, "Levels by category", "Other levels for parts of the program, such as NzbDav.Usenet=debug. A category is the beginning of a name in brackets in the log's files.")
            { Form = "CATEGORY=LEVEL, separated by commas", IsAdvanced = true },
        new("Log:Json", Logs, "Console as JSON", "Writes each line on the console as a JSON object, for programs that collect logs.") { IsAdvanced = true },
        new("Otlp:Endpoint", Logs, "OpenTelemetry collector", "Sends metrics and traces to this collector, such as http://collector:4318; with gRPC the port is usually 4317.") { Form = "address", IsAdvanced = true },
        new("Otlp:Protocol", Logs, "Protocol of the collector", "How the collector is spoken to. Change it when the collector takes gRPC alone.")
            { Choices = [("http/protobuf", "Protobuf over HTTP"), ("grpc", "gRPC")], IsAdvanced = true },
        new("Otlp:Headers", Logs, "Headers for the collector", "Sent with metrics and traces, such as a key that the collector asks for.") { Form = "name=value, separated by commas", IsAdvanced = true },
    ];

    private static readonly SettingText[] OfBackups =
    [
        new("Backup:EveryHours", Backups, "Interval", "Time between two backups of the catalog and the keys. 0 makes none on a schedule.") { Unit = "hours" },
        new("Backup:Keep", Backups, "Kept", "How many backups are kept, beside two from before upgrades. The oldest go first.") { Unit = "backups" },
        new("Backup:Folder", Backups, "Folder", "Where backups go. On the same file system they cost next to nothing; on another disk they survive the loss of this one. Those from before an upgrade go where the environment says.")
            { Form = "absolute path", DefaultNote = "`backups/` in the configuration folder" },
    ];
}
