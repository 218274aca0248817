using System.IO.Compression;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Host.Health;
using NzbDav.Host.Logging;
using NzbDav.Host.Telemetry;
using NzbDav.Library.Recordings;

namespace NzbDav.Host.Operations;

/// <summary>
/// Writes the information needed for support as a .zip: versions, settings without secrets, queue, log, and from a running server its
/// health, metrics and streams. No names of files or jobs unless they are asked for.
/// </summary>
internal sealed class SupportBundle(CatalogOptions options, SecretFilter secrets)
{
    /// <summary>Most bytes of the newest log files in total.</summary>
    private const int MostLogBytes = 4 << 20;

    private const int MostJobs = 200;

    /// <param name="target">Written from its beginning to its end.</param>
    /// <param name="jobs">The queue; null if it cannot be read, with the reason in <paramref name="trouble"/>.</param>
    /// <param name="trouble">What is wrong with the catalog.</param>
    /// <param name="settings">Stored settings.</param>
    /// <param name="state">The part that only a running server can add; null otherwise.</param>
    /// <param name="names">True to include names of files and jobs.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task WriteAsync(Stream target, JobStore? jobs, string? trouble, SettingStore? settings, SupportState? state, bool names,
        CancellationToken cancellationToken)
    {
        await using var zip = await ZipArchive.CreateAsync(
            target, ZipArchiveMode.Create, leaveOpen: true, entryNameEncoding: null, cancellationToken);
        string[] stored = [];
        SupportJobs? shown = null;
        var filter = new NameFilter([]);
        try
        {
            stored = settings is null ? [] : [.. (await settings.GetAllAsync(cancellationToken)).Keys];
            if (jobs is not null)
            {
                var all = await ReadJobsAsync(jobs, cancellationToken);
                filter = new NameFilter(all.Select(job => job.Name));
                shown = await DescribeAsync(jobs, all, filter, names, cancellationToken);
            }
        }
        catch (CatalogException e)
        {
            // Bundles are requested when something is wrong: write the rest anyway.
            trouble = e.Message;
        }

        await AddAsync(
            zip, "versions.json", JsonSerializer.Serialize(new SupportVersions(), SupportJson.Default.SupportVersions), cancellationToken);
        await AddAsync(zip, "settings.json",
            JsonSerializer.Serialize(SettingList.List(stored, secrets), SupportJson.Default.ShownSettingArray), cancellationToken);
        if (shown is not null)
            await AddAsync(zip, "jobs.json", JsonSerializer.Serialize(shown, SupportJson.Default.SupportJobs), cancellationToken);
        if (trouble is not null)
            await AddAsync(zip, "catalog.txt", trouble, cancellationToken);
        if (state is not null)
        {
            foreach (var (name, text) in await state.DescribeAsync(names, cancellationToken))
                await AddAsync(zip, name, text, cancellationToken);
        }

        foreach (var (name, text) in ReadLogs())
            await AddAsync(zip, $"logs/{name}", names ? text : filter.Clean(text), cancellationToken);
    }

    private static async Task<List<CatalogJob>> ReadJobsAsync(JobStore jobs, CancellationToken cancellationToken)
    {
        var all = new List<CatalogJob>();
        await foreach (var job in jobs.List.EachAsync(new JobFilter(), cancellationToken))
            all.Add(job);
        return all;
    }

    private static async Task<SupportJobs> DescribeAsync(
        JobStore jobs, List<CatalogJob> all, NameFilter filter, bool names, CancellationToken cancellationToken)
    {
        var standings = await jobs.List.CountAsync(new JobFilter(), cancellationToken);
        var counts = Enum.GetValues<JobState>().ToDictionary(
            static state => state.ToString(), state => (long)standings.Of(state), StringComparer.Ordinal);
        var latest = all.OrderByDescending(job => job.Finished ?? DateTimeOffset.MaxValue).Take(MostJobs).Select(job => new SupportJob
        {
            Id = job.Id.ToString(System.Globalization.CultureInfo.InvariantCulture),
            Name = names ? job.Name : null,
            Kind = job.Kind.ToString(),
            State = job.State.ToString(),
            Category = job.Category,
            Step = job.Step,
            Attempts = job.Attempts,
            Bytes = job.TotalBytes,
            FailureCode = job.FailureCode,
            Failure = names || job.FailureMessage is null ? job.FailureMessage : filter.CleanMessage(job.FailureMessage),
            Created = job.Created,
            Finished = job.Finished,
        });
        return new SupportJobs(counts, [.. latest]);
    }

    private async Task AddAsync(ZipArchive zip, string name, string text, CancellationToken cancellationToken)
    {
        await using var entry = await zip.CreateEntry(name).OpenAsync(cancellationToken);

        // Clean once more: a log may have been written by a version that recognised fewer secrets, or before a secret was set.
        await entry.WriteAsync(Encoding.UTF8.GetBytes(secrets.Clean(text)), cancellationToken);
    }

    /// <summary>The ends of the newest files, up to the limit in total.</summary>
    private IEnumerable<(string Name, string Text)> ReadLogs()
    {
        var folder = new DirectoryInfo(Path.Combine(options.ConfigFolder, "logs"));
        long left = MostLogBytes;
        foreach (var file in folder.Exists
            ? folder.EnumerateFiles("nzbdav-*.log").OrderByDescending(file => file.LastWriteTimeUtc).ToArray() : [])
        {
            if (left <= 0)
                yield break;
            using var stream = new FileStream(file.FullName, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            stream.Position = Math.Max(0, stream.Length - left);
            left -= stream.Length - stream.Position;
            using var reader = new StreamReader(stream);

            // The first line may be incomplete.
            if (stream.Position > 0)
                reader.ReadLine();
            yield return (file.Name, reader.ReadToEnd());
        }
    }
}

/// <summary>Numbers of the queue and the history, and the most relevant jobs.</summary>
/// <param name="Counts">Jobs by state.</param>
/// <param name="Latest">Jobs in the queue and the latest ended ones, newest first.</param>
internal sealed record SupportJobs(Dictionary<string, long> Counts, SupportJob[] Latest);

/// <summary>A job in the support bundle.</summary>
internal sealed record SupportJob
{
    public required string Id { get; init; }

    /// <summary>Null if names are left out.</summary>
    public string? Name { get; init; }

    public required string Kind { get; init; }

    public required string State { get; init; }

    public required string Category { get; init; }

    public string? Step { get; init; }

    public int Attempts { get; init; }

    public long Bytes { get; init; }

    public string? FailureCode { get; init; }

    public string? Failure { get; init; }

    public DateTimeOffset Created { get; init; }

    public DateTimeOffset? Finished { get; init; }
}

/// <summary>The part of a support bundle that only a running server can write: health, metrics and streams.</summary>
internal sealed class SupportState(
    Readiness readiness, MetricCollector metrics, CatalogGauges gauges, StreamTraces traces, Recordings recordings)
{
    /// <summary>Files of the bundle by name.</summary>
    public async Task<IReadOnlyList<(string Name, string Text)>> DescribeAsync(bool names, CancellationToken cancellationToken)
    {
        await gauges.RefreshAsync(cancellationToken);
        using var recording = new MemoryStream();
        await recordings.WriteAsync(recording, stream: null, cancellationToken);
        return
        [
            ("health.json", JsonSerializer.Serialize(await readiness.ReportAsync(cancellationToken), SupportJson.Default.ReadyReport)),
            ("metrics.txt", PrometheusText.Write(metrics.Collect())),
            ("streams.json", JsonSerializer.Serialize(traces.List(names), SupportJson.Default.StreamTraceArray)),
            ("recording.jsonl", Encoding.UTF8.GetString(recording.GetBuffer(), 0, (int)recording.Length)),
        ];
    }
}

/// <summary>JSON serialization of the files in a support bundle.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, WriteIndented = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ShownSetting[]))]
[JsonSerializable(typeof(SupportVersions))]
[JsonSerializable(typeof(SupportJobs))]
[JsonSerializable(typeof(Telemetry.StreamTrace[]))]
[JsonSerializable(typeof(Health.ReadyReport))]
internal sealed partial class SupportJson : JsonSerializerContext;
