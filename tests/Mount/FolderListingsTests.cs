using NzbDav.Conformance.Tests.Stubs;
using NzbDav.WebDav.Store;

namespace NzbDav.Mount.Tests;

public sealed class FolderListingsTests
{
    private readonly NodeTable _nodes = new();
    private readonly FolderListings _listings = new();

    [Fact]
    public void What_was_read_before_a_change_is_not_kept()
    {
        var folder = Folder("jobs");
        var before = folder.Changes;
        folder.Changed();
        _listings.Drop(folder);
        _listings.Keep(folder, "1", Items(FolderListings.LeastItems), before);
        Assert.Null(_listings.Find(folder, "1"));
        _listings.Keep(folder, "1", Items(FolderListings.LeastItems), folder.Changes);
        Assert.Equal(FolderListings.LeastItems, _listings.Find(folder, "1")!.Count);

        // Another process may have changed it.
        Assert.Null(_listings.Find(folder, "2"));
    }

    [Fact]
    public void The_listings_used_last_are_kept_within_the_limit()
    {
        var folders = Enumerable.Range(0, 5).Select(i => Folder($"jobs {i}")).ToArray();
        foreach (var folder in folders[..4])
            _listings.Keep(folder, "1", Items(FolderListings.MostItems / 4), folder.Changes);
        Assert.NotNull(_listings.Find(folders[0], "1"));
        _listings.Keep(folders[4], "1", Items(FolderListings.LeastItems), folders[4].Changes);
        Assert.Equal([true, false, true, true, true], folders.Select(folder => _listings.Find(folder, "1") is not null));
        _listings.Keep(folders[1], "1", Items(FolderListings.LeastItems - 1), folders[1].Changes);
        _listings.Keep(folders[1], "1", Items(FolderListings.MostItems + 1), folders[1].Changes);
        Assert.Null(_listings.Find(folders[1], "1"));
    }

    private Node Folder(string name) => _nodes.Hold(_nodes.Find(NodeTable.RootId)!, name, new StubCollection(name));

    private static List<IStoreItem> Items(int count) => [.. Enumerable.Repeat<IStoreItem>(new StubCollection("job"), count)];
}
