namespace NzbDav.WebDav.Access;

/// <summary>
/// Caches recent verdicts on Authorization headers by a keyed digest: neither the header nor a hash that could be attacked is
/// kept. A header that was right once is remembered as such after its verdict has run out. Thread-safe; bounded.
/// </summary>
internal sealed class VerdictCache
{
    private const int MaxVerdicts = 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<UInt128, Verdict> _right = [];
    private readonly Dictionary<UInt128, Verdict> _wrong = [];
    private readonly Dictionary<UInt128, Task<bool>> _running = [];
    private int _generation;

    /// <summary>Changes when passwords do.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>A verdict that still counts, if there is one.</summary>
    /// <param name="header">Digest of the header.</param>
    /// <param name="now">The time.</param>
    /// <param name="wasRight">True if the header was right at some time.</param>
    public bool? Find(UInt128 header, DateTimeOffset now, out bool wasRight)
    {
        lock (_gate)
        {
            wasRight = _right.TryGetValue(header, out var verdict);
            if (wasRight && now < verdict.Expires)
                return true;
            return _wrong.TryGetValue(header, out verdict) && now < verdict.Expires ? false : null;
        }
    }

    /// <summary>Joins the check that runs for this header, or becomes it.</summary>
    /// <returns>The check to await: <paramref name="own"/> if none was running.</returns>
    public Task<bool> Join(UInt128 header, Task<bool> own)
    {
        lock (_gate)
            return _running.TryAdd(header, own) ? own : _running[header];
    }

    /// <summary>Ends a check.</summary>
    /// <param name="header">Digest of the header.</param>
    /// <param name="right">The verdict; null if there is none.</param>
    /// <param name="expires">Until when it counts.</param>
    /// <param name="generation">What <see cref="Generation"/> was when the check began.</param>
    public void End(UInt128 header, bool? right, DateTimeOffset expires, int generation)
    {
        lock (_gate)
        {
            _running.Remove(header);
            if (generation != _generation || right is null)
                return;
            (right == true ? _wrong : _right).Remove(header);
            var verdicts = right == true ? _right : _wrong;
            if (verdicts.Count >= MaxVerdicts && !verdicts.ContainsKey(header))
                verdicts.Remove(verdicts.MinBy(pair => pair.Value.Expires).Key);
            verdicts[header] = new(expires);
        }
    }

    /// <summary>Forgets all verdicts, those of checks that run now included.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _generation++;
            _right.Clear();
            _wrong.Clear();
            _running.Clear();
        }
    }

    private readonly record struct Verdict(DateTimeOffset Expires);
}
