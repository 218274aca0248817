namespace NzbDav.Api.Native.Events;

/// <summary>Collects ids until they are taken, up to a bound. Thread-safe.</summary>
/// <param name="most">The bound. With more ids, <see cref="Drain"/> only reports that there were too many.</param>
internal sealed class ChangeSet(int most)
{
    private readonly Lock _gate = new();
    private HashSet<long> _ids = [];
    private bool _tooMany;

    public void Add(params IEnumerable<long> ids)
    {
        lock (_gate)
        {
            foreach (var id in ids)
            {
                if (_tooMany)
                    return;
                _ids.Add(id);
                if (_ids.Count <= most)
                    continue;
                _tooMany = true;
                _ids = [];
            }
        }
    }

    /// <summary>Anything may have changed: <see cref="Drain"/> reports that there were too many.</summary>
    public void AddAll()
    {
        lock (_gate)
            (_ids, _tooMany) = ([], true);
    }

    /// <summary>Takes the collected ids; null if there were too many.</summary>
    public HashSet<long>? Drain()
    {
        lock (_gate)
        {
            var taken = _tooMany ? null : _ids;
            (_ids, _tooMany) = ([], false);
            return taken;
        }
    }
}
