namespace NzbDav.Host.Settings.Texts;

public static partial class SettingTexts
{
    private static readonly SettingText[] OfProviders =
    [
        new("Usenet:Providers:#:Host", Providers, "Server", "The provider's host name, without scheme, port and path.")
            { Form = "host name or address", DefaultNote = "required" },
        new("Usenet:Providers:#:Port", Providers, "Port",
            "The TCP port. Change it when the provider names another one, or when a network on the way blocks it.")
            { DefaultNote = "563 with TLS, 119 without" },
        new("Usenet:Providers:#:UseTls", Providers, "Use TLS",
            "Encrypts the connection from the first byte. Without it, others on the way can read the password. The log warns at the " +
            "start about a public server without TLS."),
        new("Usenet:Providers:#:Username", Providers, "User name",
            "The account's user name. Set it together with the password, or set neither for a server that needs no login."),
        new("Usenet:Providers:#:Password", Providers, "Password",
            "The account's password. It is never logged. When you set it on the page, it is stored encrypted."),
        new("Usenet:Providers:#:MaxConnections", Providers, "Connections",
            "How many connections the account allows. When the provider allows fewer, NzbDav learns the lower number and tries one more " +
            "later.") { Unit = "connections" },
        new("Usenet:Providers:#:Priority", Providers, "Priority",
            "Providers with the lowest number come first and share the load. Providers with higher numbers get requests that the others " +
            "cannot serve."),
        new("Usenet:Providers:#:BackupOnly", Providers, "Backup only",
            "Uses this provider only for articles that no other provider can deliver now, whatever its priority. Block accounts come " +
            "after it. Without this, a provider with a higher number also steps in while connections of the first are slow or lost."),
        new("Usenet:Providers:#:Name", Providers, "Name", "The name in logs, charts and metrics.") { DefaultNote = "the host" },
        new("Usenet:Providers:#:WarmConnections", Providers, "Connections kept open",
            "How many connections stay open and logged in while nobody reads, so that the first read does not wait. Lower it when the " +
            "provider counts idle connections.")
            { Unit = "connections", DefaultNote = "20, at most MaxConnections", IsAdvanced = true },
        new("Usenet:Providers:#:Weight", Providers, "Weight",
            "The share of the load among providers of one priority: one with 20 gets twice as many articles as one with 10, while both " +
            "have a free connection. No request waits because of it.") { IsAdvanced = true },
        new("Usenet:Providers:#:RetentionDays", Providers, "Retention",
            "How many days the provider keeps articles; 0 when you do not know. For older posts NzbDav asks the other providers first " +
            "and this one last, because the number may be wrong.") { Unit = "days", IsAdvanced = true },
        new("Usenet:Providers:#:Proxy", Providers, "Proxy",
            "Reaches the provider through this proxy: socks5://user:password@host:1080, or http://host:3128 with CONNECT. The proxy " +
            "looks up the server's name, and TLS goes through it unread.")
            { Form = "socks5:// or http:// address", IsAdvanced = true },
        new("Usenet:Providers:#:Backbone", Providers, "Backbone",
            "Providers with the same word here have the same articles. When one of them lacks an article, NzbDav does not ask the " +
            "others. Leave it empty when you do not know.")
            { Form = "any word, such as omicron", IsAdvanced = true },
        new("Usenet:Providers:#:QuotaGB", Providers, "Quota",
            "How much data the provider may deliver until the quota starts again, counted as it arrives from the network; 0 for no " +
            "limit. When the quota is used up, the provider gets no requests until then.")
            { ZeroIsNoLimit = true, Unit = "GB", IsAdvanced = true },
        new("Usenet:Providers:#:QuotaPeriod", Providers, "Quota starts again",
            "When the quota starts again, at midnight of the server's time (TZ). A quota that never starts again makes a block account: " +
            "enter what is left of it. It comes after all other providers, whatever its priority.")
            {
                Choices = [("never", "Never: a block account"), ("day", "Each day"), ("week", "Each week"), ("month", "Each month")],
                IsAdvanced = true,
            },
        new("Usenet:Providers:#:QuotaResetDay", Providers, "Day of the quota",
            "The day on which the quota starts again: 1 (Monday) to 7 for a week, 1 to 31 for a month. Shorter months use their last " +
            "day.") { IsAdvanced = true },
        new("Usenet:Providers:#:VerifyCertificate", Providers, "Check the certificate", "Refuses a server whose certificate is not " +
            "valid. Turn it off only for your own server with a self-made certificate.") { IsAdvanced = true },
        new("Usenet:LineMegabits", Providers, "Speed of the line",
            "The speed of your line to the providers. Needed only when other programs set a speed limit in per cent.")
            {
                Unit = "Mbit/s",
                IsAdvanced = true,
            },
    ];

    private static readonly SettingText[] OfPlayback =
    [
        new("Memory:BudgetMiB", Playback, "Memory for reading",
            "Limits the memory for reading and reading ahead, over all readers. More helps with many readers at once, or with a fast " +
            "line to a distant provider.")
            { Unit = "MiB", DefaultNote = "half a percent of the memory, 90 to 512 MiB" },
        new("Starts:DiskMiB", Playback, "Starts of files on disk",
            "Limits the disk space for the starts, ends and indexes of films. With them, playback starts and scans of libraries run " +
            "without fetching an article. A film takes 3 to 6 MiB. The least recently used leave first. 0 keeps none.")
            { Unit = "MiB" },
        new("Usenet:Holes", Playback, "Missing bytes",
            "What a player gets when no provider has an article and it cannot be repaired in time. With filler, MKV, MP4, AVI and " +
            "transport streams play on with a short flaw. Headers, indexes, other files, downloads and checks still end with an error. A " +
            "mount that caches keeps the filler.")
            { Choices = [("fail", "The read ends"), ("zeros", "It plays on with filler")], IsAdvanced = true },
        new("Cache:DiskGiB", Playback, "Articles on disk",
            "Keeps what you watch on the disk, up to this size, so that watching it again needs no provider. What you watched once " +
            "leaves before what you watched again, the least recently used first. Everything that you watch is written once: mind the " +
            "life of an SSD. 0 keeps none and deletes what is there.")
            { Unit = "GiB" },
        new("Cache:Folder", Playback, "Folder of articles on disk",
            "The folder for these articles: an empty folder that nothing else uses. When you change it, the new one starts empty and the " +
            "articles in the old one are deleted.")
            { Form = "absolute path", DefaultNote = "`cache/articles/` in the configuration folder", IsAdvanced = true },
        new("Scanners:GiveWay", Playback, "Scanners give way",
            "Recognises programs that read faster than anybody watches, such as intro detection, chapter images and thumbnails, and lets " +
            "them wait for viewers. Whoever reads at the speed of the film is not slowed down.")
            { IsAdvanced = true },
        new("Streams:RecordTo", Playback, "Record streams to",
            "Records what streams ask for and what providers answer into this folder, without names. `nzbdav --replay` plays a recording " +
            "again, to find out why an evening stuttered. There is one file for each sitting; an hour of 4K takes about 1 MB. Empty " +
            "records nothing.")
            { Form = "absolute path", DefaultNote = "no folder" },
        new("Streams:RecordMiB", Playback, "Recordings at most",
            "Limits the disk space for recordings of streams. The oldest are deleted first.")
            { Unit = "MiB" },
    ];

    private static readonly SettingText[] OfLogs =
    [
        new("Log:Level", Logs, "Level", "How much is logged. Debug logs each step, to find a fault.")
            {
                Choices = [("debug", "Debug"), ("information", "Information"), ("warning", "Warnings"), ("error", "Errors"),
                ("fatal", "What ends the program"), ("off", "Nothing")],
            },
        new("Log:Categories", Logs, "Levels by category",
            "Different levels for parts of the program, such as NzbDav.Usenet=debug. A category is the beginning of a name in brackets " +
            "in the log files.")
            { Form = "CATEGORY=LEVEL, separated by commas", IsAdvanced = true },
        new("Log:Json", Logs, "Console as JSON", "Writes each line on the console as a JSON object, for programs that collect logs.")
            { IsAdvanced = true },
        new("Otlp:Endpoint", Logs, "OpenTelemetry collector",
            "Sends metrics and traces to this collector, such as http://collector:4318; with gRPC the port is usually 4317.")
            { Form = "address", IsAdvanced = true },
        new("Otlp:Protocol", Logs, "Protocol of the collector",
            "The protocol for the collector. Change it when the collector takes only gRPC.")
            { Choices = [("http/protobuf", "Protobuf over HTTP"), ("grpc", "gRPC")], IsAdvanced = true },
        new("Otlp:Headers", Logs, "Headers for the collector", "Headers sent with metrics and traces, such as a key for the collector.")
            { Form = "name=value, separated by commas", IsAdvanced = true },
    ];

    private static readonly SettingText[] OfBackups =
    [
        new("Backup:EveryHours", Backups, "Interval", "How often the catalog and the keys are backed up. 0 makes no backups on a schedule.")
            { Unit = "hours" },
        new("Backup:Keep", Backups, "Kept",
            "How many backups are kept, in addition to two from before upgrades. The oldest are deleted first.") { Unit = "backups" },
        new("Backup:Folder", Backups, "Folder",
            "The folder for backups. On the same file system they take almost no space; on another disk they survive the loss of this " +
            "one. Backups before an upgrade use the environment's value.")
            { Form = "absolute path", DefaultNote = "`backups/` in the configuration folder" },
    ];
}
