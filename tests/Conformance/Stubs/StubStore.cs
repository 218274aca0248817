using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests.Stubs;

/// <summary>A tree in memory.</summary>
internal sealed class StubStore : IStore
{
    private int _lookups;

    public StubCollection Root { get; } = new("");

    /// <summary>Names at the top below which paths that look like junk may exist.</summary>
    public HashSet<string> JunkPlaces { get; } = [];

    public bool MayHoldJunk(StorePath path) => path.Segments is [var top, ..] && JunkPlaces.Contains(top);

    /// <summary>Below as many names everything may be listed at once.</summary>
    public int DeepFrom { get; set; } = int.MaxValue;

    public bool MayListDeep(StorePath path) => path.Segments.Length >= DeepFrom;

    public int Lookups => Volatile.Read(ref _lookups);

    public ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _lookups);
        IStoreItem? item = Root;
        foreach (var name in path.Segments)
            item = (item as StubCollection)?[name];
        return ValueTask.FromResult(item);
    }

    public ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken) =>
        GetItemAsync(path, cancellationToken);
}
