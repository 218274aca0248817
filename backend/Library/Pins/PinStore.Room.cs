using NzbDav.Catalog.Database;
using NzbDav.Content.Checksums;

namespace NzbDav.Library.Pins;

/// <summary>What is done with the files: reading a block, evicting sets to make room.</summary>
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

    /// <summary>Forgets a set. Its file goes later. Called under the lock.</summary>
    private void Remove(PinSet set)
    {
        set.Drop();
        _sets.Remove(set.Key.Item);
        _size -= set.Size;
        _disk.Post(() => Delete(set));
    }

    private void Delete(PinSet set)
    {
        lock (_naming)
        {
            // A newer set of the same file has the same name.
            lock (_gate)
            {
                if (_sets.ContainsKey(set.Key.Item))
                    return;
            }

            try
            {
                File.Delete(set.Path);
            }
            catch (Exception e) when (FileFaults.IsFault(e))
            {
                LogNotRemoved(_logger, set.Path, e.Message);
            }
        }
    }

    private ReadOnlyMemory<byte>? Read(PinSet set, int index, long position)
    {
        var range = set.Ranges[index];
        long before = PinFile.HeaderOf(set.Ranges);
        var block = (int)((position - range.Start) / PinSet.Block);
        var checksum = block;
        for (var i = 0; i < index; i++)
        {
            before += set.Ranges[i].Length;
            checksum += PinSet.BlocksOf(set.Ranges[i]);
        }

        var start = (long)block * PinSet.Block;
        var bytes = new byte[Math.Min(PinSet.Block, range.Length - start)];
        try
        {
            using var file = File.OpenHandle(set.Path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            for (var filled = 0; filled < bytes.Length;)
            {
                var count = RandomAccess.Read(file, bytes.AsSpan(filled), before + start + filled);
                if (count == 0)
                    break;
                filled += count;
            }
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            LogUnreadable(_logger, set.Path, e.Message);
            DropSet(set);
            return null;
        }

        if (set.IsDropped)
            return null;
        if (Crc32.Append(0, bytes) != set.Checksums[checksum])
        {
            LogDamaged(_logger, set.Path);
            DropSet(set);
            return null;
        }

        return bytes.AsMemory((int)(position - range.Start - start));
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
