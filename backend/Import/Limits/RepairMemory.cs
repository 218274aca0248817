namespace NzbDav.Import.Limits;

/// <summary>
/// Limits the memory of all repairs in the process together. A repair that fits waits for its turn; one that never fits is refused.
/// Thread-safe.
/// </summary>
public sealed class RepairMemory
{
    /// <summary>Limit on a machine with plenty of memory. Recovery data rarely cover damage beyond it.</summary>
    internal const long Largest = 1L << 30;

    /// <summary>Limit on any machine: repairs slices of some megabytes, at least one at a time.</summary>
    internal const long Least = 32L << 20;

    /// <summary>
    /// The limit is a third of what the read budget leaves: 98 MiB in a container of 512 MiB, of which the runtime counts three quarters.
    /// Streaming then takes up to 220 MB, and the .nzb files of imports up to 96 MiB.
    /// </summary>
    internal const int PartOfMemory = 3;

    private readonly ByteLimiter _limiter;

    /// <param name="most">Bytes for all repairs together.</param>
    internal RepairMemory(long most) => _limiter = new ByteLimiter(most);

    /// <summary>Bytes for all repairs together.</summary>
    public long Most => _limiter.Most;

    /// <summary>How many repairs wait for others.</summary>
    internal int Waiting => _limiter.Waiting;

    /// <summary>
    /// The limit for this machine's memory. In a container with a memory limit the runtime counts three quarters of that limit.
    /// </summary>
    /// <param name="readBudget">Bytes that the buffers of readers may take.</param>
    public static RepairMemory Of(long readBudget) => new(Of(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, readBudget));

    /// <summary>The bytes for repairs on a machine with this much memory.</summary>
    internal static long Of(long memory, long readBudget) => Math.Clamp((memory - readBudget) / PartOfMemory, Least, Largest);

    /// <summary>Waits until the bytes are free, in order of arrival.</summary>
    /// <returns>Dispose it once, to release the bytes.</returns>
    internal Task<IDisposable> AcquireAsync(long bytes, CancellationToken cancellationToken) =>
        _limiter.AcquireAsync(bytes, cancellationToken);
}

/// <summary>The memory that one repair holds; disposal releases it. For one caller at a time.</summary>
internal sealed class RepairLease(RepairMemory memory) : IDisposable
{
    private IDisposable? _held;

    /// <summary>
    /// Acquires memory in place of the memory held so far, which is released first: repairs that wait for more while they hold some would
    /// wait for each other.
    /// </summary>
    public async Task AcquireAsync(long bytes, CancellationToken cancellationToken)
    {
        Dispose();
        _held = await memory.AcquireAsync(bytes, cancellationToken);
    }

    public void Dispose()
    {
        _held?.Dispose();
        _held = null;
    }
}
