using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Links;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Holding;

/// <summary>Reads libraries and finds the files that their links lead to. Thread-safe.</summary>
internal sealed class LibraryReader(TreeStore tree, AliasStore aliases)
{
    /// <summary>Reads libraries one after the other.</summary>
    /// <param name="sources">The libraries.</param>
    /// <param name="accept">A person has confirmed that an emptied library is right.</param>
    /// <param name="cancellationToken">Cancels the reading.</param>
    /// <returns>A link for each file that has one, and why libraries could not be read.</returns>
    public async Task<(Dictionary<long, string> Held, List<string> Problems)> ReadAsync(
        IEnumerable<ILibrarySource> sources, bool accept, CancellationToken cancellationToken)
    {
        var held = new Dictionary<long, string>();
        var problems = new List<string>();
        foreach (var source in sources)
        {
            var reading = await source.ReadAsync(cancellationToken);
            if (reading.Problem is not null && !(accept && reading.IsEmptied))
                problems.Add(reading.Problem);
            foreach (var link in reading.Links)
            {
                foreach (var path in LinkTarget.PathsIn(link.Target))
                    await AddAsync(held, path, link.Path, cancellationToken);
                if (await MovedLink.FindAsync(aliases, link.Target, isMount: null, cancellationToken) is { } moved)
                    held.TryAdd(moved, link.Path);
            }
        }

        return (held, problems);
    }

    private async Task AddAsync(Dictionary<long, string> held, StorePath path, string holder, CancellationToken cancellationToken)
    {
        if (LinkTarget.IdIn(path) is { } id)
        {
            held.TryAdd(id, holder);
            return;
        }

        // A link into /content, to a file or to a folder with everything in it. /completed-symlinks has the same structure.
        if (path.Segments is not [JobStore.ContentCollection or LinkView.Top, .. var names])
            return;
        var item = await tree.ResolveAsync([JobStore.ContentCollection, .. names], cancellationToken);
        if (item is null && names is [.., var last] && LinkNames.FileOfLink(last) is { } file)
            item = await tree.ResolveAsync([JobStore.ContentCollection, .. names[..^1], file], cancellationToken);
        if (item is not null)
            await AddAllAsync(held, item, holder, cancellationToken);
    }

    private async Task AddAllAsync(Dictionary<long, string> held, CatalogItem item, string holder, CancellationToken cancellationToken)
    {
        if (!item.IsCollection)
        {
            held.TryAdd(item.Id, holder);
            return;
        }

        await foreach (var child in tree.ListAsync(item.Id, after: null, cancellationToken))
            await AddAllAsync(held, child, holder, cancellationToken);
    }
}
