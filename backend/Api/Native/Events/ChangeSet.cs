namespace NzbDav.Api.Native.Events;

/// <summary>Ids that are gathered until somebody takes them, up to a bound. Thread-safe.</summary>
/// <param name="most">More are not kept: it is said that there were too many.</param>
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

    /// <summary>What was gathered; null: too many.</summary>
    public HashSet<long>? Take()
    {
        lock (_gate)
        {
            var taken = _tooMany ? null : _ids;
            (_ids, _tooMany) = ([], false);
            return taken;
        }
    }
}
