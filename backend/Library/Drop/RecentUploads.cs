using System.Globalization;
using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>
/// Recent uploads that the listing does not show under their own name, for clients that check what they wrote. Thread-safe; bounded.
/// </summary>
internal sealed class RecentUploads(TimeProvider time)
{
    /// <summary>How long a file that is no longer listed can still be found by its name.</summary>
    public static readonly TimeSpan StaysReachable = TimeSpan.FromMinutes(2);

    private const int MaxFiles = 256;

    private readonly Lock _gate = new();
    private readonly Dictionary<(string Category, string Name), RecentUpload> _files = [];

    public void Put(string category, RecentUpload upload)
    {
        lock (_gate)
        {
            RemoveOld();
            if (_files.Count >= MaxFiles)
                _files.Remove(_files.MinBy(file => file.Value.CreatedAt).Key);
            _files[(category, upload.Name)] = upload;
        }
    }

    public RecentUpload? Find(string category, string name)
    {
        lock (_gate)
        {
            RemoveOld();
            return _files.GetValueOrDefault((category, name));
        }
    }

    public void Remove(string category, string name)
    {
        lock (_gate)
            _files.Remove((category, name));
    }

    private void RemoveOld()
    {
        var oldest = time.GetUtcNow() - StaysReachable;
        foreach (var (key, file) in _files)
        {
            if (file.CreatedAt <= oldest)
                _files.Remove(key);
        }
    }
}

/// <summary>
/// A recent upload that was packed, or whose post already existed. Has the name and size that clients check for, but not the bytes.
/// </summary>
internal sealed class RecentUpload(string name, long length, DateTimeOffset taken, IReadOnlyList<long> jobs) : IStoreFile
{
    public string Name => name;

    public DateTimeOffset CreatedAt => taken;

    public DateTimeOffset ModifiedAt => taken;

    public string ETag { get; } = string.Create(CultureInfo.InvariantCulture, $"\"taken-{taken.UtcTicks:x}-{length:x}\"");

    public long Length => length;

    public StoreKeeping Keeping => StoreKeeping.Uploads;

    /// <summary>Ids of the jobs that a packed upload made; empty otherwise.</summary>
    public IReadOnlyList<long> Jobs => jobs;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreOpenResult.Failed(
            ContentFault.Missing, "The upload was not kept: its .nzb files are queued under their own names or existed before."));
}
