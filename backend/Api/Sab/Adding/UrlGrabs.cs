using System.Collections.Concurrent;
using System.Text.Json;
using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Intake;
using NzbDav.Import.Names;

namespace NzbDav.Api.Sab.Adding;

/// <summary>Fetches the addresses of <c>addurl</c>, a few at a time. Waiting ones are stored in the settings, so that a restart loses none.
/// Thread-safe.</summary>
internal sealed partial class UrlGrabs(SettingStore settings, JobStore jobs, SabIntake intake, TorrentIntake torrents, UrlFetcher fetcher,
    HistoryClock clock, TimeProvider time, ILogger<UrlGrabs> logger)
    : BackgroundService
{
    private const string Prefix = "sab.grab.";
    private const int AtATime = 3;
    private const int Attempts = 3;

    /// <summary>Pause between attempts, so that a busy indexer is not asked again at once.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(20);

    private readonly ConcurrentDictionary<long, (UrlGrab Grab, CancellationTokenSource Stop)> _pending = new();
    private readonly Channel<long> _queue = Channel.CreateUnbounded<long>();

    /// <summary>Raised with the id of a grab that was added or removed; handlers must return quickly.</summary>
    public event Action<long>? Changed;

    /// <summary>In the order in which they were added.</summary>
    public IReadOnlyList<UrlGrab> Pending => [.. _pending.Values.Select(pending => pending.Grab).OrderBy(grab => grab.Id)];

    /// <summary>Adds a grab. It is stored durably when the task completes.</summary>
    /// <returns>Its id.</returns>
    public async Task<long> AddAsync(UrlGrab grab, CancellationToken cancellationToken)
    {
        await settings.SetAsync(Prefix + SabText.Number(grab.Id), JsonSerializer.Serialize(grab), cancellationToken);
        Begin(grab);
        return grab.Id;
    }

    /// <summary>Gives up a grab.</summary>
    /// <returns>False if there is no such grab.</returns>
    public async Task<bool> RemoveAsync(long id, CancellationToken cancellationToken)
    {
        if (!_pending.TryRemove(id, out var pending))
            return false;
        await pending.Stop.CancelAsync();
        await settings.SetAsync(Prefix + SabText.Number(id), value: null, cancellationToken);
        Changed?.Invoke(id);
        return true;
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            await LoadAsync(stoppingToken);
        }
        catch (CatalogException e)
        {
            // The stored grabs cannot be read. New ones are still fetched.
            LogStorage(logger, e.Message);
        }

        await Task.WhenAll(Enumerable.Range(0, AtATime).Select(_ => WorkAsync(stoppingToken)));
    }

    private async Task LoadAsync(CancellationToken cancellationToken)
    {
        foreach (var (key, value) in await settings.GetAllAsync(cancellationToken))
        {
            if (!key.StartsWith(Prefix, StringComparison.Ordinal) || JsonSerializer.Deserialize<UrlGrab>(value) is not { } grab)
                continue;

            // The server stopped after the job was stored and before the grab was removed.
            if (await jobs.GetAsync(grab.Id, cancellationToken) is not null)
                await settings.SetAsync(key, value: null, cancellationToken);
            else
                Begin(grab);
        }
    }

    private void Begin(UrlGrab grab)
    {
        if (_pending.TryAdd(grab.Id, (grab, new CancellationTokenSource())))
        {
            _queue.Writer.TryWrite(grab.Id);
            Changed?.Invoke(grab.Id);
        }
    }

    private async Task WorkAsync(CancellationToken stopping)
    {
        try
        {
            await foreach (var id in _queue.Reader.ReadAllAsync(stopping))
            {
                if (!_pending.TryGetValue(id, out var pending))
                    continue;
                using var both = CancellationTokenSource.CreateLinkedTokenSource(pending.Stop.Token, stopping);
                try
                {
                    await GrabAsync(pending.Grab, both.Token);
                }
                catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
                {
                    // It was deleted in the meantime.
                }
                catch (CatalogException e)
                {
                    // It stays in the settings, so the next start tries again.
                    LogStorage(logger, e.Message);
                }
                catch (Exception e) when (!stopping.IsCancellationRequested)
                {
                    // An internal error fails one job. Otherwise it would end this loop.
                    await FailAsync(pending.Grab, e, stopping);
                }
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    private async Task GrabAsync(UrlGrab grab, CancellationToken cancellationToken)
    {
        for (var attempt = 1; ; attempt++)
        {
            if (await EndIfQueuedAsync(grab, cancellationToken))
                return;
            var fetched = await fetcher.FetchAsync(grab.Url, cancellationToken);
            if (fetched.Body is { } body)
            {
                await using (body)
                {
                    var request = new IntakeRequest
                    {
                        FileName = Path.GetFileName(fetched.FileName!.Replace('\\', '/')),
                        Title = grab.NzbName,
                        Source = JobSource.Api,
                        Category = grab.Category,
                        Priority = grab.Priority,
                        Paused = grab.Paused,
                        Password = grab.Password,
                        Id = grab.Id,
                        Url = grab.Url,
                        ReuseDuplicates = grab.ByPerson,
                        RecordsRefusals = false,
                    };
                    var taken = grab.ByPerson && TorrentIntake.IsTorrent(body)
                        ? await torrents.AddAsync(request with { FileName = TorrentName(request.Title ?? request.FileName) }, body,
                            cancellationToken)
                        : await intake.AddAsync(request, body, cancellationToken);
                    await EndAsync(grab, taken.Error, cancellationToken);
                    return;
                }
            }

            if (!fetched.MayPass || attempt == Attempts)
            {
                var error = grab.ByPerson && fetched.Magnet is { } magnet
                    ? (await torrents.AddMagnetAsync(
                        magnet, new IntakeRequest
                        {
                            FileName = "",
                            Source = JobSource.Api,
                            Category = grab.Category,
                            Priority = grab.Priority,
                            Paused = grab.Paused,
                            Password = grab.Password,
                            Id = grab.Id,
                            Url = grab.Url,
                            ReuseDuplicates = true,
                            RecordsRefusals = false
                        }, cancellationToken)).Error
                    : fetched.Error;
                await EndAsync(grab, error, cancellationToken);
                return;
            }

            await Task.Delay(Pause * attempt, time, cancellationToken);
        }
    }

    private async Task EndAsync(UrlGrab grab, string? error, CancellationToken cancellationToken)
    {
        if (error is not null && !await EndIfQueuedAsync(grab, cancellationToken))
        {
            var job = new NewJob
            {
                Id = grab.Id,
                Name = FailedName(grab),
                Category = grab.Category,
                Source = JobSource.Api,
                Priority = grab.Priority,
                Password = grab.Password,
                Url = grab.Url,
                FailureCode = "url-fetch",
                FailureMessage = $"URL Fetching failed; {error}"
            };
            await jobs.EnqueueAsync(job, nzb: null, cancellationToken);
            clock.Touch();
        }

        await RemoveAsync(grab.Id, CancellationToken.None);
    }

    /// <summary>
    /// Ends a grab whose job exists: a gateway that starts takes over all addresses of the catalog, including those that another one is
    /// fetching.
    /// </summary>
    private async Task<bool> EndIfQueuedAsync(UrlGrab grab, CancellationToken cancellationToken)
    {
        if (await jobs.GetAsync(grab.Id, cancellationToken) is null)
            return false;
        await RemoveAsync(grab.Id, CancellationToken.None);
        return true;
    }

    private async Task FailAsync(UrlGrab grab, Exception fault, CancellationToken cancellationToken)
    {
        try
        {
            if (_pending.ContainsKey(grab.Id) && await EndIfQueuedAsync(grab, cancellationToken))
                return;
            LogFault(logger, fault, grab.Id);
            if (_pending.ContainsKey(grab.Id))
                await EndAsync(grab, "an internal error, see the log", cancellationToken);
        }
        catch (CatalogException e)
        {
            LogStorage(logger, e.Message);
        }
        catch (Exception e) when (!cancellationToken.IsCancellationRequested)
        {
            LogFault(logger, e, grab.Id);
        }
    }

    private static string FailedName(UrlGrab grab) =>
        grab.NzbName is { } title ? NzbIntake.TitleName(title) : SafeName.Of(grab.Name) ?? "unnamed";

    private static string TorrentName(string name) => TorrentIntake.Accepts(name) ? name : name + TorrentIntake.TorrentEnding;

    [LoggerMessage(414, LogLevel.Error, "Job {Id} could not be fetched because of an internal error. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, long id);

    [LoggerMessage(403, LogLevel.Error, "An .nzb that was fetched cannot be kept: {Reason} It is fetched again at the next start.")]
    private static partial void LogStorage(ILogger logger, string reason);
}

/// <summary>An .nzb to be fetched from an address.</summary>
internal sealed record UrlGrab
{
    /// <summary>Id of the job that it becomes.</summary>
    public required long Id { get; init; }

    public required string Url { get; init; }

    /// <summary>Name for people; the address as long as the job has no name.</summary>
    public required string Name { get; init; }

    public required string Category { get; init; }

    public int Priority { get; init; }

    public bool Paused { get; init; }

    public string? Password { get; init; }

    public DateTimeOffset Added { get; init; }

    /// <summary>The job's name, if one was requested.</summary>
    public string? NzbName { get; init; }

    /// <summary>True if a person added it: then torrents are accepted too, and a second copy creates no second job.</summary>
    public bool ByPerson { get; init; }

    /// <summary>Without address and password, because this text goes to logs and the address may contain keys.</summary>
    public override string ToString() => $"{Id}: {Category}";
}
