using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Filling;

namespace NzbDav.Api.Native.Play;

/// <summary>The files of jobs. Thread-safe.</summary>
internal sealed class JobFiles(TreeStore tree, UnwantedItems unwanted)
{
    /// <summary>Most files of a job that are looked at.</summary>
    private const int Most = 5_000;

    /// <summary>All files of a job that are shown, with their paths below its folder.</summary>
    public async Task<List<(CatalogItem Item, string Path)>> ListAsync(long folder, CancellationToken cancellationToken)
    {
        var files = new List<(CatalogItem, string)>();
        var folders = new Queue<(long Id, string Path)>([(folder, "")]);
        while (folders.TryDequeue(out var at))
        {
            await foreach (var item in tree.ListAsync(at.Id, after: null, cancellationToken))
            {
                if (unwanted.IsHidden(item.Id))
                    continue;
                if (item.IsCollection)
                    folders.Enqueue((item.Id, at.Path + item.Name + "/"));
                else if (files.Count < Most)
                    files.Add((item, at.Path + item.Name));
            }
        }

        return files;
    }
}

/// <summary>
/// Remembers which further copies there are of the releases that were played, for readers that meet lost bytes. Lives as long as the
/// process. Thread-safe.
/// </summary>
internal sealed class NextCopies(JobFiles files) : IFileCopies
{
    /// <summary>Most releases that are remembered; the oldest go first.</summary>
    private const int Most = 1_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<long, Copies> _byJob = [];
    private readonly Queue<long> _order = new();

    /// <summary>Remembers what may be tried when a job that was played turns out dead.</summary>
    /// <param name="job">The job.</param>
    /// <param name="next">Imports the next copies.</param>
    public void Add(CatalogJob job, ICopyImports next)
    {
        lock (_gate)
        {
            if (_byJob.TryGetValue(job.Id, out var known))
                known.Renew(next);
            else
                AddLocked(job, new Copies(job, next));
        }
    }

    /// <inheritdoc/>
    public bool Has(CatalogItem item)
    {
        lock (_gate)
        {
            return item.JobId is { } job && _byJob.TryGetValue(job, out var copies)
                && (copies.Next.IsAnyLeft || copies.Jobs.Count > 1);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<CatalogItem?> NextAsync(CatalogItem item, IReadOnlySet<long> tried, CancellationToken cancellationToken)
    {
        Copies? copies;
        lock (_gate)
        {
            if (item.JobId is not { } job || !_byJob.TryGetValue(job, out copies))
                return null;
        }

        await copies.Importing.WaitAsync(cancellationToken);
        try
        {
            for (var at = 0; ; at++)
            {
                if (at == copies.Jobs.Count && !await ImportAsync(copies, cancellationToken))
                    return null;
                if (copies.Jobs[at].Id == item.JobId || copies.Jobs[at].ItemId is not { } folder)
                    continue;
                var same = (await files.ListAsync(folder, cancellationToken))
                    .Where(file => file.Item.Size == item.Size && !tried.Contains(file.Item.Id))
                    .OrderByDescending(file => file.Item.Name == item.Name).Select(static file => file.Item).FirstOrDefault();
                if (same is not null)
                    return same;
            }
        }
        finally
        {
            copies.Importing.Release();
        }
    }

    /// <returns>False if there is no further copy now.</returns>
    private async Task<bool> ImportAsync(Copies copies, CancellationToken cancellationToken)
    {
        while (await copies.Next.ImportAsync(cancellationToken) is { } job)
        {
            lock (_gate)
            {
                if (copies.Jobs.Exists(known => known.Id == job.Id))
                    continue;
                copies.Jobs.Add(job);
                AddLocked(job, copies);
                return true;
            }
        }

        return false;
    }

    private void AddLocked(CatalogJob job, Copies copies)
    {
        if (!_byJob.TryAdd(job.Id, copies))
            return;
        _order.Enqueue(job.Id);
        while (_order.Count > Most)
            _byJob.Remove(_order.Dequeue());
    }

    /// <summary>The copies of one release, in the order in which they were imported.</summary>
    private sealed class Copies(CatalogJob first, ICopyImports next)
    {
        /// <summary>Changed only by the holder of <see cref="Importing"/>, under the gate.</summary>
        public List<CatalogJob> Jobs { get; } = [first];

        public ICopyImports Next { get; private set; } = next;

        public SemaphoreSlim Importing { get; } = new(1);

        /// <summary>A later search may know further copies.</summary>
        public void Renew(ICopyImports next)
        {
            if (!Next.IsAnyLeft)
                Next = next;
        }
    }
}

/// <summary>Imports the copies of a release that are left.</summary>
internal interface ICopyImports
{
    /// <summary>False once each of them was imported, or is known to be dead.</summary>
    bool IsAnyLeft { get; }

    /// <summary>Imports the next copy that can be played; null: there is none now. For one caller at a time.</summary>
    Task<CatalogJob?> ImportAsync(CancellationToken cancellationToken);
}
