using NzbDav.Archives.Recovery;
using NzbDav.Content;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;

namespace NzbDav.Import.Repair;

/// <summary>
/// Looks for the recovery slices of a set, one volume after another and only as far as needed, as each slice costs an article. Recovery volumes come before other
/// files, and large ones first, as they hold the most slices for their size. Used once.
/// </summary>
internal sealed class SliceSearch(ImportTools tools, Par2Set set, IEnumerable<PostedPart> volumes)
{
    private readonly Queue<PostedPart> _volumes = new(volumes.OrderByDescending(static volume => volume.IsRecovery).ThenByDescending(static volume => volume.Length));

    /// <summary>Finds as many slices as are needed, and some spare ones; or all, if there are fewer. A volume that was posted twice counts once.</summary>
    public async Task<IReadOnlyList<RecoverySlice>> FindAsync(long needed, CancellationToken cancellationToken)
    {
        var (found, exponents) = (new List<RecoverySlice>(), new HashSet<int>());
        while (exponents.Count < needed + Spare(needed) && await FindMoreAsync(cancellationToken) is { } more)
        {
            found.AddRange(more);
            exponents.UnionWith(more.Select(static slice => slice.Exponent));
        }

        return found;
    }

    /// <summary>The slices of the next volume, none if it has none; null after the last volume.</summary>
    public async Task<IReadOnlyList<RecoverySlice>?> FindMoreAsync(CancellationToken cancellationToken) =>
        _volumes.TryDequeue(out var volume) ? await RecoveryScan.ReadAsync(tools.Usenet.Open(volume.Map!), set, volume.Holes, ReadIntent.Import, cancellationToken) : null;

    /// <summary>Additional slices for damage that is only found when all files are read: without them the next pass would wait for further volumes.</summary>
    private static long Spare(long needed) => Math.Max(2, needed / 10);
}
