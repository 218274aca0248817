using System.Globalization;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>
/// Small files that clients write beside an upload, kept in memory for ten minutes: the empty file that Explorer and Finder create before
/// they send the bytes, and Finder's own files (<c>._x</c>, <c>.DS_Store</c>). Thread-safe; bounded.
/// </summary>
internal sealed class PendingUploads(TimeProvider time)
{
    /// <summary>Largest file that is kept, in bytes. Finder's AppleDouble files have 4 KiB.</summary>
    public const int MaxLength = 64 << 10;

    // 16 MiB at most, with the largest files.
    private const int MaxFiles = 256;

    private static readonly TimeSpan Lifetime = TimeSpan.FromMinutes(10);

    private readonly Lock _gate = new();
    private readonly Dictionary<(string Category, string Name), PendingFile> _files = [];
    private long _version;

    /// <summary>Stores a file, replacing one of the same name. True if there was none.</summary>
    public bool Put(string category, string name, byte[] bytes)
    {
        lock (_gate)
        {
            RemoveOld();
            if (_files.Count >= MaxFiles && !_files.ContainsKey((category, name)))
                _files.Remove(_files.MinBy(file => file.Value.CreatedAt).Key);
            var isNew = !_files.ContainsKey((category, name));
            _files[(category, name)] = new PendingFile(name, bytes, time.GetUtcNow(), ++_version);
            return isNew;
        }
    }

    public PendingFile? Find(string category, string name)
    {
        lock (_gate)
        {
            RemoveOld();
            return _files.GetValueOrDefault((category, name));
        }
    }

    public bool Remove(string category, string name)
    {
        lock (_gate)
            return _files.Remove((category, name));
    }

    public IReadOnlyList<PendingFile> List(string category)
    {
        lock (_gate)
        {
            RemoveOld();
            return [.. _files.Where(file => file.Key.Category == category).Select(file => file.Value)];
        }
    }

    private void RemoveOld()
    {
        if (_files.Count == 0)
            return;
        var oldest = time.GetUtcNow() - Lifetime;
        foreach (var (key, file) in _files)
        {
            if (file.CreatedAt < oldest)
                _files.Remove(key);
        }
    }
}

/// <summary>A small file in <c>/nzbs</c> or <c>/torrents</c> that is not a job, or not yet.</summary>
internal sealed class PendingFile(string name, byte[] bytes, DateTimeOffset created, long version) : IStoreFile
{
    public string Name => name;

    public DateTimeOffset CreatedAt => created;

    public DateTimeOffset ModifiedAt => created;

    public string ETag { get; } = string.Create(CultureInfo.InvariantCulture, $"\"pending-{created.UtcTicks:x}-{version:x}\"");

    public long Length => bytes.Length;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Of(new BytesContent(bytes)));
}
