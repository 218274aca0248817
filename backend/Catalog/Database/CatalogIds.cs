using System.Diagnostics;
using System.Security.Cryptography;

namespace NzbDav.Catalog.Database;

/// <summary>
/// Makes 64-bit ids: 41 bits of milliseconds since 2025 (enough until 2094), 12 bits that start at random in each millisecond, and 10 bits
/// that identify the opening of the catalog. Positive, ordered by time, strictly increasing within the process even when the clock steps
/// back. No two processes that share a catalog make the same id. Thread-safe.
/// </summary>
/// <param name="time">Clock.</param>
/// <param name="opening">Number of this opening of the catalog. Only the lowest 10 bits count; two processes share them only if the catalog
/// was opened 1,024 times in between.</param>
internal sealed class CatalogIds(TimeProvider time, long opening)
{
    private const int OpeningBits = 10;
    private const int CountBits = 12;
    private const long Step = 1L << OpeningBits;
    private static readonly DateTimeOffset Epoch = new(2025, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly Lock _gate = new();
    private readonly long _opening = opening & (Step - 1);
    private long _last;

    public long Next()
    {
        var milliseconds = Math.Max(1, (long)(time.GetUtcNow() - Epoch).TotalMilliseconds);

        // Starts in the lower half of the range, which leaves room for further ids in the same millisecond. A larger publication runs on
        // into the range of the next milliseconds.
        var count = (milliseconds << CountBits) + RandomNumberGenerator.GetInt32(1 << (CountBits - 1));
        lock (_gate)
        {
            _last = Math.Max(_last + Step, (count << OpeningBits) | _opening);
            Debug.Assert(_last > 1, "1 is the root");
            return _last;
        }
    }
}
