using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Links;

namespace NzbDav.Library.Holding;

/// <summary>
/// Finds files that no library has any more, hides them, and later deletes them. Files that no library ever had are left alone, unless an
/// *arr gave them up. Nothing is hidden or deleted while a library cannot be read, or when too many files would be affected at once, unless
/// a person has confirmed that these may go. Calls run one at a time; others wait. Thread-safe.
/// </summary>
/// <param name="holds">The links that libraries have and had.</param>
/// <param name="unwanted">What libraries have no more, and jobs that *arrs gave up.</param>
/// <param name="deleter">Deletes files.</param>
/// <param name="tree">Finds the files that links lead to.</param>
/// <param name="aliases">Paths of other programs that lead to files here.</param>
/// <param name="sources">Returns all libraries that are configured now.</param>
/// <param name="seeding">Returns the info-hashes of the torrents still to be seeded. None of their files is hidden or deleted.</param>
/// <param name="options">The periods, and the largest share.</param>
/// <param name="logger">Logs what is lost, hidden and deleted, and why not.</param>
public sealed partial class LibraryKeeper(
    HoldStore holds,
    UnwantedItems unwanted,
    UnwantedDeleter deleter,
    TreeStore tree,
    AliasStore aliases,
    Func<IReadOnlyList<ILibrarySource>> sources,
    Func<CancellationToken, ValueTask<IReadOnlySet<string>>> seeding,
    Live<KeepingOptions> options,
    ILogger<LibraryKeeper> logger) : IDisposable
{
    /// <summary>Up to this many files may go at once, whatever their share: otherwise a small library could never change.</summary>
    public const int Few = 5;

    /// <summary>Tells a person how to confirm a loss that is held back.</summary>
    internal const string Confirm = "If it is right, POST /api/v1/library/sweep with {\"accept\": true}.";

    /// <summary>If no link is known, all libraries are read again at most this often: a client may delete file by file.</summary>
    private static readonly TimeSpan RecheckEvery = TimeSpan.FromSeconds(10);

    private readonly SemaphoreSlim _mutex = new(1, 1);
    private readonly LibraryReader _reader = new(tree, aliases);
    private readonly HashSet<long> _announced = [];
    private IReadOnlyList<string> _loggedProblems = [];
    private DateTimeOffset? _rechecked;

    /// <summary>Outcome of the last sweep; null: none since the start, or no library is configured.</summary>
    public KeeperReport? Last { get; private set; }

    /// <inheritdoc/>
    public void Dispose() => _mutex.Dispose();

    /// <summary>Reads all libraries, decides about released jobs, and hides and deletes the files that are due.</summary>
    /// <param name="now">The time.</param>
    /// <param name="accept">A person has confirmed a large loss: everything lost until now may go without another question.</param>
    /// <param name="cancellationToken">Cancels the sweep between two steps.</param>
    /// <returns>Null if no library is configured; nothing is done then.</returns>
    /// <exception cref="CatalogException">The catalog cannot be read or written.</exception>
    public async Task<KeeperReport?> SweepAsync(DateTimeOffset now, bool accept, CancellationToken cancellationToken)
    {
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            var all = sources();
            var problems = new List<string>();
            var (hidden, deleted) = (0, 0);
            if (all.Count > 0)
            {
                var (held, unread) = await DecideAbandonedAsync(all, now, accept, cancellationToken);
                var (listed, unlisted) = await _reader.ReadAsync(all.Where(source => source.Folder is null), accept, cancellationToken);
                foreach (var (id, holder) in listed)
                    held.TryAdd(id, holder);
                problems.AddRange([.. unread, .. unlisted]);

                // Links that were found count, even if other libraries could not be read.
                await holds.AddAsync(held, now, cancellationToken);
                var missing = await holds.FindMissingAsync(held, [.. all.Select(source => source.Prefix)], cancellationToken);
                if (problems.Count == 0)
                {
                    // A loss that is held back does not delay what was lost before.
                    if (!accept && !await IsWithinShareAsync(missing.Count, "would be lost", problems, cancellationToken))
                        missing = [];
                    await holds.RecordAsync(missing, CategoriesOf(all), now, cancellationToken);
                    if (accept)
                        await unwanted.AcceptAsync(now, cancellationToken);
                    (hidden, deleted) = await ActAsync(now, problems, cancellationToken);
                }
            }

            LogNewProblems(problems);
            var trialEnds = (await holds.ReadingsAsync(cancellationToken))?.First + options.Value.Trial;
            return Last = all.Count == 0
                ? null : new KeeperReport(now, problems, await holds.CountHeldAsync(cancellationToken), hidden, deleted, trialEnds);
        }
        finally
        {
            _mutex.Release();
        }
    }

    /// <summary>
    /// Reads only the folders, records their links and decides about released jobs. Otherwise marks, hides and deletes nothing.
    /// </summary>
    /// <exception cref="CatalogException">The catalog cannot be read or written.</exception>
    public async Task DecideAbandonedAsync(DateTimeOffset now, CancellationToken cancellationToken)
    {
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            await DecideAbandonedAsync(sources(), now, accept: false, cancellationToken);
        }
        finally
        {
            _mutex.Release();
        }
    }

    /// <returns>The files that the folders have links to, each with one of them, and why folders could not be read.</returns>
    private async Task<(Dictionary<long, string> Held, List<string> Problems)> DecideAbandonedAsync(
        IReadOnlyList<ILibrarySource> all, DateTimeOffset now, bool accept, CancellationToken cancellationToken)
    {
        // List the released jobs first: files imported before their release are then already linked when the libraries are read.
        var released = await unwanted.ListAbandonedAsync(cancellationToken);
        var (held, problems) = await _reader.ReadAsync(all.Where(source => source.Folder is not null), accept, cancellationToken);
        await holds.AddAsync(held, now, cancellationToken);
        foreach (var job in released)
        {
            // Decided once seeding has ended.
            if (job.InfoHash is { } hash && (await seeding(cancellationToken)).Contains(hash))
                continue;

            // A library has or had it: the rules for lost files apply.
            if (all.Count == 0 || await holds.WasHeldAsync(job.ItemId, cancellationToken))
                await unwanted.KeepAbandonedAsync(job.ItemId, cancellationToken);
            else if (problems.Count == 0)
                await DecideAsync(job, all, cancellationToken);
        }

        return (held, problems);
    }

    private static string[] CategoriesOf(IReadOnlyList<ILibrarySource> all) =>
        [.. all.Select(static source => source.Category).OfType<string>().Distinct(StringComparer.OrdinalIgnoreCase)];

    private async Task DecideAsync(AbandonedJob job, IReadOnlyList<ILibrarySource> all, CancellationToken cancellationToken)
    {
        var answers = new List<ImportAnswer>();
        foreach (var source in all)
            answers.Add(await source.FindImportAsync(job, cancellationToken));
        if (answers.Contains(ImportAnswer.Imported))
        {
            await unwanted.KeepAbandonedAsync(job.ItemId, cancellationToken);
            return;
        }

        // The next sweep asks again.
        if (answers.Contains(ImportAnswer.Unknown))
            return;

        // A missing link proves something only if a folder would have had one: only folders were read just now.
        string[] folders = [.. all.Where(static source => source.Folder is not null).Select(static source => source.Prefix)];
        if (!answers.Contains(ImportAnswer.Never) && !await holds.AnyInCategoryAsync(job.Category, folders, cancellationToken))
        {
            LogUncovered(logger, job.Category, job.Name);
            await unwanted.KeepAbandonedAsync(job.ItemId, cancellationToken);
        }
        else if (await deleter.DeleteAbandonedAsync(job.ItemId, cancellationToken))
        {
            LogReleased(logger, job.Category, job.Name);
        }
    }

    private async Task<(int Hidden, int Deleted)> ActAsync(DateTimeOffset now, List<string> problems, CancellationToken cancellationToken)
    {
        var rules = options.Value;
        var seeds = await seeding(cancellationToken);
        var lost = (await unwanted.ListLostAsync(cancellationToken))
            .Where(file => file.State != UnwantedState.Kept && !(file.InfoHash is { } hash && seeds.Contains(hash))).ToList();
        var hide = lost.Where(file => file.State == UnwantedState.Shown && now - file.Since >= rules.HideAfter).ToList();
        if (await holds.ReadingsAsync(cancellationToken) is not { } readings || now < readings.First + rules.Trial)
        {
            foreach (var file in hide.Where(file => _announced.Add(file.ItemId)))
                LogWould(logger, await PathAsync(file, cancellationToken), rules.DeleteAfter.TotalDays, file.Holder);
            return (0, 0);
        }

        var delete = lost.Where(file => file.State == UnwantedState.Hidden && now - file.Changed >= rules.DeleteAfter).ToList();
        if (!await IsWithinShareAsync(hide.Count(file => !file.IsAccepted), "would be hidden", problems, cancellationToken))
            hide.RemoveAll(file => !file.IsAccepted);
        if (!await IsWithinShareAsync(delete.Count(file => !file.IsAccepted), "would be deleted", problems, cancellationToken))
            delete.RemoveAll(file => !file.IsAccepted);
        foreach (var file in hide)
            LogHidden(logger, await PathAsync(file, cancellationToken), file.Holder);
        await unwanted.HideAsync([.. hide.Select(file => file.ItemId)], now, cancellationToken);
        var deleted = 0;
        foreach (var file in delete)
        {
            var path = await PathAsync(file, cancellationToken);
            if (!await deleter.DeleteLostAsync(file.ItemId, now - rules.DeleteAfter, seeds, cancellationToken))
                continue;
            LogDeleted(logger, path, file.Holder);
            deleted++;
        }

        return (hide.Count, deleted);
    }

    private async Task<bool> IsWithinShareAsync(int count, string what, List<string> problems, CancellationToken cancellationToken)
    {
        var all = await holds.CountHeldAsync(cancellationToken) + (await unwanted.ListLostAsync(cancellationToken)).Count;
        var share = options.Value.MostShare;
        if (count <= Few || count <= all * share)
            return true;
        problems.Add(FormattableString.Invariant(
            $"{count} of {all} files {what} at once, which is more than {share:P0}: they are left as they are. {Confirm}"));
        return false;
    }

    private async Task<string> PathAsync(UnwantedFile file, CancellationToken cancellationToken) =>
        "/" + string.Join('/', await tree.GetPathAsync(file.ItemId, cancellationToken) ?? []);

    /// <summary>Logs the problems that the previous sweep did not have.</summary>
    private void LogNewProblems(List<string> problems)
    {
        foreach (var problem in problems.Except(_loggedProblems))
            LogProblem(logger, problem);
        _loggedProblems = problems;
    }

    [LoggerMessage(261, LogLevel.Information, "{Path} is hidden: no library has a link to it any more. The last one was {Holder}.")]
    private static partial void LogHidden(ILogger logger, string path, string holder);

    [LoggerMessage(262, LogLevel.Information, "{Path} is deleted: no library has a link to it any more. The last one was {Holder}.")]
    private static partial void LogDeleted(ILogger logger, string path, string holder);

    [LoggerMessage(
        263, LogLevel.Information, "/content/{Category}/{Job} is deleted: it was given up, and no library has taken anything of it.")]
    private static partial void LogReleased(ILogger logger, string category, string job);

    [LoggerMessage(
        264, LogLevel.Information,
        "/content/{Category}/{Job} was given up and stays: no *arr that is configured has sent it, and no library folder has ever had a " +
        "link to a file of it.")]
    private static partial void LogUncovered(ILogger logger, string category, string job);

    [LoggerMessage(
        266, LogLevel.Information,
        "{Path} would be hidden now and deleted {Days} days later, were the trial over: no library has a link to it any more. The last " +
        "one was {Holder}.")]
    private static partial void LogWould(ILogger logger, string path, double days, string holder);

    [LoggerMessage(265, LogLevel.Warning, "Nothing that libraries have no more is hidden or deleted: {Problem}")]
    private static partial void LogProblem(ILogger logger, string problem);

    /// <summary>
    /// Whether a library has a link to an item that is to be deleted. If a client has read its link, the libraries are read again first: an
    /// *arr may have imported, moved or deleted it since the last reading.
    /// </summary>
    /// <param name="keeper">Reads the libraries; null: they are not read again.</param>
    /// <param name="holds">The links that libraries have and had.</param>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="now">The time.</param>
    /// <param name="cancellationToken">Cancels the reading.</param>
    /// <exception cref="Catalog.Database.CatalogException">The catalog cannot be read or written.</exception>
    public static async ValueTask<HoldVerdict> FindHolderForDeletionAsync(
        LibraryKeeper? keeper, HoldStore holds, long itemId, DateTimeOffset now, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(holds);
        if (!await holds.WasLinkedAsync(itemId, cancellationToken))
            return default;
        if (keeper is not null)
            await keeper.RecheckAsync(itemId, now, cancellationToken);
        return await holds.FindHolderAsync(itemId, cancellationToken);
    }

    /// <summary>
    /// Reads the libraries again if none of the known links to an item is in its place, or if its link was only read, and records which of
    /// its files no library has any more: an *arr may have moved or deleted links since the last reading, or copied the file itself. A link
    /// of a library that is no longer configured counts as gone when nothing is at its path. Nothing is recorded as lost while a link is in
    /// its place, or while a library cannot be read.
    /// </summary>
    private async Task RecheckAsync(long itemId, DateTimeOffset now, CancellationToken cancellationToken)
    {
        var holders = await holds.ListHoldersAsync(itemId, cancellationToken);
        if (holders.Any(static pair => IsInPlace(pair.Key, pair.Value)))
            return;
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            var all = sources();

            // A folder has a link as soon as a file is imported; the list of an *arr may lag behind.
            if (holders.Count == 0 && (!all.Any(static source => source.Folder is not null) || now - _rechecked < RecheckEvery))
                return;
            _rechecked = now;
            var (held, problems) = await _reader.ReadAsync(all, accept: false, cancellationToken);
            await holds.AddAsync(held, now, cancellationToken);
            if (problems.Count > 0)
                return;
            await unwanted.MarkLostAsync([.. holders.Keys.Where(id => !held.ContainsKey(id))], now, cancellationToken);

            // Further losses are left to the next sweep, which first checks how many they are.
            if (all.Count > 0)
                await holds.RecordAsync([], CategoriesOf(all), now, cancellationToken);
        }
        finally
        {
            _mutex.Release();
        }
    }

    /// <summary>
    /// True if a holder is a symbolic link on this machine that leads to the file, a .strm file that exists, or a path that cannot be read.
    /// Holders of an *arr (<c>Sonarr: /tv/…</c>) are not paths.
    /// </summary>
    private static bool IsInPlace(long itemId, string holder)
    {
        if (!Path.IsPathRooted(holder))
            return false;
        try
        {
            return new FileInfo(holder).LinkTarget is { } target
                ? LinkTarget.PathsIn(target).Any(path => LinkTarget.IdIn(path) == itemId)
                : Path.GetExtension(holder).Equals(LinkNames.Address, StringComparison.OrdinalIgnoreCase) && File.Exists(holder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }
}

/// <summary>How files that libraries no longer have are treated. Immutable.</summary>
public sealed record KeepingOptions
{
    /// <summary>Folders with links, absolute, without trailing slashes.</summary>
    public IReadOnlyList<string> Folders { get; init; } = [];

    /// <summary>Time between two readings of everything.</summary>
    public TimeSpan ReadEvery { get; init; } = TimeSpan.FromHours(1);

    /// <summary>How long a file without a link is still shown.</summary>
    public TimeSpan HideAfter { get; init; } = TimeSpan.FromDays(7);

    /// <summary>How long a file stays hidden before it is deleted.</summary>
    public TimeSpan DeleteAfter { get; init; } = TimeSpan.FromDays(30);

    /// <summary>How long after the first complete reading nothing is hidden or deleted yet.</summary>
    public TimeSpan Trial { get; init; } = TimeSpan.FromDays(14);

    /// <summary>
    /// The largest share of the files that libraries have or had, 0 … 1, that may be lost, hidden or deleted at once without a person.
    /// </summary>
    public double MostShare { get; init; } = 0.1;
}

/// <summary>Outcome of a sweep.</summary>
/// <param name="At">When the sweep began.</param>
/// <param name="Problems">Why files that were due were not hidden or deleted, in words; empty: nothing prevented it.</param>
/// <param name="Held">Number of files that libraries have links to.</param>
/// <param name="Hidden">Number of files that this sweep hid.</param>
/// <param name="Deleted">Number of files that this sweep deleted.</param>
/// <param name="TrialEnds">End of the trial, during which files are only listed as lost; null: no sweep has read all libraries yet.</param>
public sealed record KeeperReport(
    DateTimeOffset At, IReadOnlyList<string> Problems, int Held, int Hidden, int Deleted, DateTimeOffset? TrialEnds);
