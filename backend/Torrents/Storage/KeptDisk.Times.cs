namespace NzbDav.Torrents.Storage;

/// <content>Times of change of the files, which are stored with the claims: a file that something else wrote to is hashed.</content>
internal sealed partial class KeptDisk
{
    /// <summary>In place of a time: the file is being hashed, and has to be again if that does not come to an end.</summary>
    private const long Unchecked = -1;

    /// <summary>What file systems round times to: 10 ms on exFAT, whole seconds on old ones, two on FAT. They show the exact time until
    /// they are mounted anew.</summary>
    private static readonly long[] Steps = [TimeSpan.TicksPerMillisecond * 10, TimeSpan.TicksPerSecond, TimeSpan.TicksPerSecond * 2];

    /// <summary>Files written to since their times were read.</summary>
    private readonly HashSet<int> _written = [];

    /// <summary>All files that were written to.</summary>
    private readonly HashSet<int> _ours = [];

    /// <summary>Files that are being hashed, with their times when they were looked at.</summary>
    private readonly Dictionary<int, long> _changed = [];

    /// <summary>Time of change of each file in ticks, or <see cref="Unchecked"/>; 0: not known, which is no reason to hash it.</summary>
    private long[] _times;

    /// <summary>The pieces of the files in <see cref="KeptLook.Changed"/> have been hashed.</summary>
    public void Checked()
    {
        lock (_gate)
        {
            foreach (var (file, time) in _changed)
                _times[file] = time;
            _changed.Clear();
        }
    }

    /// <summary>Closes all files. Some file systems set the time of change only then, so the times are read again with the next
    /// claims.</summary>
    /// <returns>True if any was written to since it was opened.</returns>
    public bool CloseFiles()
    {
        _open.Close(this);
        lock (_gate)
        {
            _written.UnionWith(_ours);
            return _written.Count > 0;
        }
    }

    /// <param name="file">The file.</param>
    /// <param name="time">Its time of change.</param>
    /// <param name="wasOpen">A run that was killed wrote to the files, so their times say nothing.</param>
    private bool IsChanged(int file, long time, bool wasOpen)
    {
        lock (_gate)
        {
            var known = _times[file];
            if (wasOpen && known != Unchecked)
            {
                _written.Add(file);
                return false;
            }

            if (known == 0 || known == time || (known > 0 && Array.Exists(Steps, step => known - (known % step) == time)))
                return false;
            _changed[file] = time;
            _times[file] = Unchecked;
            return true;
        }
    }

    /// <summary>Reads the times of the files that were written to. Call when nothing is being written.</summary>
    private void ReadTimes()
    {
        int[] files;
        lock (_gate)
        {
            _ours.UnionWith(_written);
            files = [.. _written.Union(_lengths.Keys.Where(file => _times[file] == 0)).Where(file => !_changed.ContainsKey(file))];
            _written.Clear();
        }

        foreach (var file in files)
        {
            var found = _beneath.Look(PathOf(file));
            lock (_gate)
                _times[file] = found.Length == _info.Files[file].Length ? found.Changed : _times[file];
        }
    }
}
