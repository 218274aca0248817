using System.IO.Compression;
using System.Text;
using System.Text.Json;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary>
/// Writes the information needed for support as a .zip: versions, settings without secrets, queue, log, and from a running server its health, metrics and
/// streams. No names of files or jobs unless they are asked for.
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
    public async Task WriteAsync(Stream target, JobStore? jobs, string? trouble, SettingStore? settings, SupportState? state, bool names, CancellationToken cancellationToken)
    {
        await using var zip = await ZipArchive.CreateAsync(target, ZipArchiveMode.Create, leaveOpen: true, entryNameEncoding: null, cancellationToken);
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

        await AddAsync(zip, "versions.json", JsonSerializer.Serialize(new SupportVersions(), SupportJson.Default.SupportVersions), cancellationToken);
        await AddAsync(zip, "settings.json", JsonSerializer.Serialize(SettingList.List(stored, secrets), SupportJson.Default.ShownSettingArray), cancellationToken);
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
        await foreach (var job in jobs.ListAsync(new JobFilter(), cancellationToken))
            all.Add(job);
        return all;
    }

    private static async Task<SupportJobs> DescribeAsync(JobStore jobs, List<CatalogJob> all, NameFilter filter, bool names, CancellationToken cancellationToken)
    {
        var counts = new Dictionary<string, long>(StringComparer.Ordinal);
        foreach (var state in Enum.GetValues<JobState>())
            counts[state.ToString()] = await jobs.CountAsync(new JobFilter { States = [state] }, cancellationToken);
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
        foreach (var file in folder.Exists ? folder.EnumerateFiles("nzbdav-*.log").OrderByDescending(file => file.LastWriteTimeUtc).ToArray() : [])
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
