using NzbDav.Catalog.Database;

namespace NzbDav.Library.Pins;

/// <summary>Evicts sets to make room.</summary>
public sealed partial class PinStore
{
    private void DropSet(PinSet set)
    {
        lock (_gate)
        {
            if (_sets.TryGetValue(set.Key.Item, out var current) && ReferenceEquals(current, set))
                Remove(set);
        }
    }

    private void MakeRoom(long bytes)
    {
        while (_sets.Count > 0 && _size + bytes > _limit)
            Remove(_sets.Values.MinBy(static set => set.Used)!);
    }

    private void Remove(PinSet set)
    {
        set.Drop();
        _sets.Remove(set.Key.Item);
        _size -= set.Size;
        try
        {
            File.Delete(set.Path);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            LogNotRemoved(_logger, set.Path, e.Message);
        }
    }

    private static void Touch(string path, DateTimeOffset now)
    {
        try
        {
            File.SetLastWriteTimeUtc(path, now.UtcDateTime);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            // The order in which sets leave after a restart is a little off.
        }
    }
}
