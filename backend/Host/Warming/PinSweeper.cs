using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Upkeep;
using NzbDav.Library.Pins;

namespace NzbDav.Host.Warming;

/// <summary>Removes the pinned starts of deleted files.</summary>
internal sealed class PinSweeper(PinStore pins, TreeStore tree, JobStore jobs, CatalogMark mark, ILogger<PinSweeper> logger) : RemovalFollower(tree, jobs, mark, logger)
{
    private readonly TreeStore _tree = tree;

    /// <inheritdoc/>
    protected override async Task LookAsync(CancellationToken cancellationToken)
    {
        foreach (var item in pins.Items)
        {
            if (await _tree.GetAsync(item, cancellationToken) is null)
                pins.Drop(item);
        }
    }
}
