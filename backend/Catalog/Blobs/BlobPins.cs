namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Counts pins on blobs that are stored but not referenced yet. Each caller that stored the same blob either references it or lets its pin
/// expire. Thread-safe.
/// </summary>
internal sealed class BlobPins(TimeProvider time, TimeSpan lifetime)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<BlobHash, (int Count, DateTimeOffset Until)> _pins = [];
    private int _pruneAt = 10_000;

    public void Add(BlobHash hash)
    {
        lock (_gate)
        {
            if (_pins.Count >= _pruneAt)
                Prune();
            var count = Contains(hash) ? _pins[hash].Count : 0;
            _pins[hash] = (count + 1, time.GetUtcNow() + lifetime);
        }
    }

    /// <summary>Removes one pin if it has not expired.</summary>
    public void Remove(BlobHash hash)
    {
        lock (_gate)
        {
            if (!_pins.TryGetValue(hash, out var pin))
                return;
            if (pin.Count > 1)
                _pins[hash] = pin with { Count = pin.Count - 1 };
            else
                _pins.Remove(hash);
        }
    }

    public bool Contains(BlobHash hash)
    {
        lock (_gate)
        {
            if (!_pins.TryGetValue(hash, out var pin))
                return false;
            if (pin.Until > time.GetUtcNow())
                return true;
            _pins.Remove(hash);
            return false;
        }
    }

    /// <summary>Removes expired pins. Otherwise blobs that were never referenced would stay pinned forever.</summary>
    private void Prune()
    {
        var now = time.GetUtcNow();
        foreach (var expired in _pins.Where(pin => pin.Value.Until <= now).Select(pin => pin.Key).ToList())
            _pins.Remove(expired);
        _pruneAt = Math.Max(10_000, _pins.Count * 2);
    }
}
