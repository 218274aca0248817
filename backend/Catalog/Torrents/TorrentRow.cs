namespace NzbDav.Catalog.Torrents;

/// <summary>A row of <c>torrents</c> as the engine returns it.</summary>
internal sealed class TorrentRow
{
    /// <summary>The columns, for a SELECT or RETURNING.</summary>
    public const string Columns =
        "hash AS Hash, name AS Name, category AS Category, tags AS Tags, save_path AS SavePath, layout AS Layout, added AS Added, ready " +
        "AS Ready, completed AS Completed, last_active AS LastActive, " +
        "removed AS Removed, downloaded AS Downloaded, uploaded AS Uploaded, active_time AS ActiveTime, seeding_time AS SeedingTime, " +
        "idle_time AS IdleTime, keep AS Keep, " +
        "ratio_limit AS RatioLimit, seed_minutes AS SeedMinutes, idle_minutes AS IdleMinutes, at_limit AS AtLimit, stopped AS Stopped, " +
        "forced AS Forced, sequential AS Sequential, " +
        "edges_first AS EdgesFirst, turn AS Turn, upload_limit AS UploadLimit, download_limit AS DownloadLimit, files AS Files, error AS " +
        "Error, trackers AS Trackers, " +
        "selection AS Selection, web_seeds AS WebSeeds";

    /// <summary>All columns but the key, for an UPDATE.</summary>
    public const string Assignments =
        "name = @Name, category = @Category, tags = @Tags, save_path = @SavePath, layout = @Layout, added = @Added, ready = @Ready, " +
        "completed = @Completed, last_active = @LastActive, removed = @Removed, " +
        "downloaded = @Downloaded, uploaded = @Uploaded, active_time = @ActiveTime, seeding_time = @SeedingTime, idle_time = @IdleTime, " +
        "keep = @Keep, ratio_limit = @RatioLimit, " +
        "seed_minutes = @SeedMinutes, idle_minutes = @IdleMinutes, at_limit = @AtLimit, stopped = @Stopped, forced = @Forced, sequential " +
        "= @Sequential, edges_first = @EdgesFirst, " +
        "turn = @Turn, upload_limit = @UploadLimit, download_limit = @DownloadLimit, files = @Files, error = @Error, trackers = " +
        "@Trackers, " +
        "selection = @Selection, web_seeds = @WebSeeds";

    private static readonly string[] Actions = ["stop", "remove", "removeData"];

    public string Hash { get; set; } = "";

    public string? Name { get; set; }

    public string Category { get; set; } = "";

    public string Tags { get; set; } = "";

    public string? SavePath { get; set; }

    public string? Layout { get; set; }

    public long Added { get; set; }

    public long? Ready { get; set; }

    public long? Completed { get; set; }

    public long? LastActive { get; set; }

    public long? Removed { get; set; }

    public long Downloaded { get; set; }

    public long Uploaded { get; set; }

    public long ActiveTime { get; set; }

    public long SeedingTime { get; set; }

    public long IdleTime { get; set; }

    public long? Keep { get; set; }

    public double? RatioLimit { get; set; }

    public long? SeedMinutes { get; set; }

    public long? IdleMinutes { get; set; }

    public string? AtLimit { get; set; }

    public long Stopped { get; set; }

    public long Forced { get; set; }

    public long Sequential { get; set; }

    public long EdgesFirst { get; set; }

    public long Turn { get; set; }

    public long? UploadLimit { get; set; }

    public long? DownloadLimit { get; set; }

    public string? Files { get; set; }

    public string? Error { get; set; }

    public string? Trackers { get; set; }

    public string? Selection { get; set; }

    public string? WebSeeds { get; set; }

    public static TorrentRow Of(TorrentEntry entry) => new()
    {
        Hash = entry.Hash,
        Name = entry.Name,
        Category = entry.Category,
        Tags = string.Join(',', entry.Tags),
        SavePath = entry.SavePath,
        Layout = entry.Layout,
        Added = entry.Added.UtcTicks,
        Ready = entry.Ready?.UtcTicks,
        Completed = entry.Completed?.UtcTicks,
        LastActive = entry.LastActive?.UtcTicks,
        Removed = entry.Removed?.UtcTicks,
        Downloaded = entry.Totals.Downloaded,
        Uploaded = entry.Totals.Uploaded,
        ActiveTime = (long)entry.Totals.Active.TotalSeconds,
        SeedingTime = (long)entry.Totals.Seeding.TotalSeconds,
        IdleTime = (long)entry.Totals.Idle.TotalSeconds,
        Keep = entry.Policy.Keep is { } keep ? keep ? 1 : 0 : null,
        RatioLimit = entry.Policy.Ratio,
        SeedMinutes = entry.Policy.SeedMinutes,
        IdleMinutes = entry.Policy.IdleMinutes,
        AtLimit = entry.Policy.AtLimit is { } action ? Actions[(int)action] : null,
        Stopped = entry.IsStopped ? 1 : 0,
        Forced = entry.IsForced ? 1 : 0,
        Sequential = entry.IsSequential ? 1 : 0,
        EdgesFirst = entry.IsEdgesFirst ? 1 : 0,
        Turn = entry.QueuePosition,
        UploadLimit = entry.UploadLimit,
        DownloadLimit = entry.DownloadLimit,
        Files = entry.Files.All(static priority => priority == FilePriority.Normal)
            ? null : string.Concat(entry.Files.Select(static priority => (char)('0' + (int)priority))),
        Error = entry.Error,
        Trackers = entry.Trackers is null ? null
            : string.Join("\n\n", entry.Trackers.Select(static tier => string.Join('\n', tier.Select(Line)))),
        Selection = entry.Selection,
        WebSeeds = entry.WebSeeds is null ? null : string.Join('\n', entry.WebSeeds.Select(Line)),
    };

    public TorrentEntry ToEntry() => new()
    {
        Hash = Hash,
        Name = Name,
        Category = Category,
        Tags = Tags.Length == 0 ? [] : Tags.Split(','),
        SavePath = SavePath,
        Layout = Layout,
        Added = Time(Added)!.Value,
        Ready = Time(Ready),
        Completed = Time(Completed),
        LastActive = Time(LastActive),
        Removed = Time(Removed),
        Totals = new TorrentTotals(
            Downloaded, Uploaded, TimeSpan.FromSeconds(ActiveTime), TimeSpan.FromSeconds(SeedingTime), TimeSpan.FromSeconds(IdleTime)),
        Policy = new TorrentPolicy
        {
            Keep = Keep is { } keep ? keep != 0 : null,
            Ratio = RatioLimit,
            SeedMinutes = (int?)SeedMinutes,
            IdleMinutes = (int?)IdleMinutes,
            AtLimit = AtLimit is null ? null : (LimitAction)Array.IndexOf(Actions, AtLimit),
        },
        IsStopped = Stopped != 0,
        IsForced = Forced != 0,
        IsSequential = Sequential != 0,
        IsEdgesFirst = EdgesFirst != 0,
        QueuePosition = Turn,
        UploadLimit = UploadLimit,
        DownloadLimit = DownloadLimit,
        Files = Files is null ? [] : [.. Files.Select(static digit => (FilePriority)(digit - '0'))],
        Error = Error,
        Trackers = Trackers is null ? null : [.. Trackers.Split("\n\n", StringSplitOptions.RemoveEmptyEntries)
            .Select(static tier => (IReadOnlyList<Uri>)[.. tier.Split('\n').Select(static text => new Uri(text))])],
        Selection = Selection,
        WebSeeds = WebSeeds is null ? null
            : [.. WebSeeds.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static text => new Uri(text))],
    };

    /// <summary>An address in one line. <see cref="Uri"/> accepts line breaks as part of a name; only the escaped form has none.</summary>
    private static string Line(Uri address) =>
        address.OriginalString.Contains('\n', StringComparison.Ordinal) ? address.AbsoluteUri : address.OriginalString;

    private static DateTimeOffset? Time(long? ticks) => ticks is { } value ? new DateTimeOffset(value, TimeSpan.Zero) : null;
}
