namespace NzbDav.Usenet.Articles;

/// <summary>
/// Remembers which providers recently did not have an article. They are asked last when it is requested again, but never skipped, so a
/// wrong hint costs a detour but no article. Looks nothing up while there are no hints. Used under the dispatcher's lock.
/// </summary>
/// <param name="time">Clock for the age of hints.</param>
internal sealed class MissingHints(TimeProvider time)
{
    /// <summary>
    /// A hint is valid for at least this long (less only beyond <see cref="Most"/>), and at most twice as long: new posts spread within
    /// minutes, and articles that were taken down do not come back.
    /// </summary>
    internal static readonly TimeSpan Lifetime = TimeSpan.FromHours(1);

    /// <summary>Most hints per generation: about 2 MB, and more articles than a film of 20 GB has.</summary>
    internal const int Most = 32_768;

    // Keyed by the hash of the message-id: a collision makes a wrong hint.
    private Dictionary<int, ulong> _new = [];
    private Dictionary<int, ulong> _old = [];
    private long _rotatedAt;

    /// <summary>Bits of the providers believed not to have an article.</summary>
    public ulong Of(string id)
    {
        if (_new.Count == 0 && _old.Count == 0)
            return 0;
        Age();
        var key = KeyOf(id);
        return _new.GetValueOrDefault(key) | _old.GetValueOrDefault(key);
    }

    /// <summary>Records that providers do not have an article.</summary>
    public void Add(string id, ulong providers)
    {
        Age();
        if (_new.Count >= Most)
            Rotate();
        _new[KeyOf(id)] = providers | _new.GetValueOrDefault(KeyOf(id));
    }

    /// <summary>Records that a provider has an article after all.</summary>
    public void Remove(string id, ulong provider)
    {
        if (_new.Count == 0 && _old.Count == 0)
            return;
        Remove(_new);
        Remove(_old);

        void Remove(Dictionary<int, ulong> notes)
        {
            if (notes.TryGetValue(KeyOf(id), out var providers) && (providers & provider) != 0)
                notes[KeyOf(id)] = providers & ~provider;
        }
    }

    /// <summary>Forgets everything, because bits are assigned to other providers from now on.</summary>
    public void Clear()
    {
        _new.Clear();
        _old.Clear();
    }

    private void Age()
    {
        if (time.GetElapsedTime(_rotatedAt) is var age && age < Lifetime)
            return;
        if (age >= 2 * Lifetime)
            _new.Clear();
        Rotate();
    }

    private void Rotate()
    {
        (_old, _new) = (_new, _old);
        _new.Clear();
        _rotatedAt = time.GetTimestamp();
    }

    private static int KeyOf(string id) => id.GetHashCode(StringComparison.Ordinal);
}
