using NzbDav.WebDav.Store;

namespace NzbDav.Host.Warming;

/// <summary>The tree, with one additional file at an unguessable path while the program warms up. Thread-safe.</summary>
internal sealed class WarmUpStore(IStore inner) : IStore
{
    private volatile IStoreFile? _file;

    /// <summary>The file; null once the warm-up is over.</summary>
    public IStoreFile? File
    {
        get => _file;
        set => _file = value;
    }

    public ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(path);
        return _file is { } file && path.Segments is [var name] && name == file.Name
            ? ValueTask.FromResult<IStoreItem?>(file)
            : inner.GetItemAsync(path, cancellationToken);
    }

    public ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken) => inner.GetParentForWriteAsync(path, cancellationToken);

    public bool MayHoldJunk(StorePath path) => inner.MayHoldJunk(path);

    public bool MayListDeep(StorePath path) => inner.MayListDeep(path);
}
