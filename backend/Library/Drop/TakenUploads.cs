namespace NzbDav.Library;

/// <summary>The packed uploads that were taken last, for clients that look at what they wrote. Thread-safe; bounded.</summary>
internal sealed class TakenUploads(TimeProvider time)
{
    private const int MaxFiles = 256;

    private readonly Lock _gate = new();
    private readonly Dictionary<(string Category, string Name), TakenUpload> _files = [];

    public void Put(string category, TakenUpload upload)
    {
        lock (_gate)
        {
            RemoveOld();
            if (_files.Count >= MaxFiles)
                _files.Remove(_files.MinBy(file => file.Value.CreatedAt).Key);
            _files[(category, upload.Name)] = upload;
        }
    }

    public TakenUpload? Find(string category, string name)
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
        var oldest = time.GetUtcNow() - DropCollection.StaysReachable;
        foreach (var (key, file) in _files)
        {
            if (file.CreatedAt <= oldest)
                _files.Remove(key);
        }
    }
}
