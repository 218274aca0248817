using NzbDav.Catalog;
using NzbDav.Host.Serving;
using NzbDav.Library.Pins;

namespace NzbDav.Host.Warming;

/// <summary>Removes the kept starts of files that are gone.</summary>
internal sealed class PinSweeper(PinStore pins, TreeStore tree, JobStore jobs, ILogger<PinSweeper> logger) : RemovalFollower(tree, jobs, logger)
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
