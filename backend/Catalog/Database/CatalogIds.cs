using System.Diagnostics;
using System.Security.Cryptography;

namespace NzbDav.Catalog;

/// <summary>
/// Makes 64-bit ids: 41 bits of milliseconds since 2025 (enough until 2094), 22 bits that begin at random in each millisecond.
/// Positive, ordered by time, strictly increasing within the process even when the clock steps back. Thread-safe.
/// </summary>
internal sealed class CatalogIds(TimeProvider time)
{
    private const int LowBits = 22;
    private static readonly DateTimeOffset Epoch = new(2025, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly Lock _gate = new();
    private long _last;

    public long Next()
    {
        var milliseconds = Math.Max(1, (long)(time.GetUtcNow() - Epoch).TotalMilliseconds);

        // Half of the low range is left for ids that follow in the same millisecond: a publication takes hundreds at once.
        var candidate = (milliseconds << LowBits) | (uint)RandomNumberGenerator.GetInt32(1 << (LowBits - 1));
        lock (_gate)
        {
            _last = Math.Max(_last + 1, candidate);
            Debug.Assert(_last > 1, "1 is the root");
            return _last;
        }
    }
}
