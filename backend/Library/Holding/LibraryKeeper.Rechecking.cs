using NzbDav.Catalog.Links;
using NzbDav.Library.Links;

namespace NzbDav.Library.Holding;

/// <content>Looks again at links that are in the way of a deletion.</content>
public sealed partial class LibraryKeeper
{
    /// <summary>Without a link in the way, all libraries are read again at most this often: a client may delete file by file.</summary>
    private static readonly TimeSpan RecheckEvery = TimeSpan.FromSeconds(10);

    private DateTimeOffset? _rechecked;

    /// <summary>
    /// Whether a library has a link to an item that is to be deleted. If somebody has read its link, the libraries are read again first: an
    /// *arr may have imported, moved or deleted it since the last reading.
    /// </summary>
    /// <param name="keeper">Reads the libraries; null where none is read.</param>
    /// <param name="holds">What is known of links.</param>
    /// <param name="itemId">A file or a collection.</param>
    /// <param name="now">The time.</param>
    /// <param name="cancellationToken">Cancels the reading.</param>
    /// <exception cref="Catalog.Database.CatalogException">The catalog cannot be read or written.</exception>
    public static async ValueTask<HoldVerdict> JudgeForDeletionAsync(
        LibraryKeeper? keeper, HoldStore holds, long itemId, DateTimeOffset now, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(holds);
        if (!await holds.WasLinkedAsync(itemId, cancellationToken))
            return default;
        if (keeper is not null)
            await keeper.RecheckAsync(itemId, now, cancellationToken);
        return await holds.JudgeAsync(itemId, cancellationToken);
    }

    /// <summary>
    /// Reads the libraries again if the links to an item that are known are not where they were, or if its link was only read, and records
    /// which of its files no library has any more: an *arr may have moved or deleted links since the last reading, or copied the file
    /// itself. A link of a library that is no longer configured counts as gone when nothing is at its path. Nothing changes while a link is
    /// in its place, or while a library cannot be read.
    /// </summary>
    private async Task RecheckAsync(long itemId, DateTimeOffset now, CancellationToken cancellationToken)
    {
        var holders = await holds.ListHoldersAsync(itemId, cancellationToken);
        if (holders.Any(static pair => IsInPlace(pair.Key, pair.Value)))
            return;
        await _turn.WaitAsync(cancellationToken);
        try
        {
            var all = sources();

            // A folder has a link as soon as it is imported; an *arr may list it later.
            if (holders.Count == 0 && (!all.Any(static source => source.Folder is not null) || now - _rechecked < RecheckEvery))
                return;
            _rechecked = now;
            var (held, problems) = await _reader.ReadAsync(all, accept: false, cancellationToken);
            await holds.AddAsync(held, now, cancellationToken);
            if (problems.Count > 0)
                return;
            await holds.MarkLostAsync([.. holders.Keys.Where(id => !held.ContainsKey(id))], now, cancellationToken);

            // What else is missing is for the next sweep, which counts it first.
            if (all.Count > 0)
                await holds.RecordAsync([], CategoriesOf(all), now, cancellationToken);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>
    /// True if a holder is a link or a .strm file on this machine that leads to the file, or one that cannot be looked at. Those of an *arr
    /// (<c>Sonarr: /tv/…</c>) are not paths.
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
