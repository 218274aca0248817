namespace NzbDav.Import.Limits;

/// <summary>Limits the memory of all repairs of the process together. A repair that fits waits for its turn; one that never fits is
/// refused. Thread-safe.</summary>
public sealed class RepairMemory
{
    /// <summary>On a machine with plenty of memory. Damage beyond it is rarely covered by recovery data.</summary>
    internal const long Largest = 1L << 30;

    /// <summary>On any machine: slices of some megabytes are repaired one at a time at least.</summary>
    internal const long Least = 32L << 20;

    /// <summary>
    /// A third of what the read budget leaves: 98 MiB in a container of 512 MiB, of which the runtime counts three quarters. Streaming then
    /// takes up to 220 MB, and the .nzb files of imports up to 96 MiB.
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
    /// A share of this machine's memory. In a container with a memory limit the runtime counts three quarters of the limit.
    /// </summary>
    /// <param name="readBudget">Bytes that the buffers of readers may take.</param>
    public static RepairMemory Of(long readBudget) => new(Of(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, readBudget));

    /// <summary>The bytes for repairs on a machine with this much memory.</summary>
    internal static long Of(long memory, long readBudget) => Math.Clamp((memory - readBudget) / PartOfMemory, Least, Largest);

    /// <summary>Waits until the bytes are free, in order of arrival.</summary>
    /// <returns>Dispose it once, to give them back.</returns>
    internal Task<IDisposable> AcquireAsync(long bytes, CancellationToken cancellationToken) =>
        _limiter.AcquireAsync(bytes, cancellationToken);
}

/// <summary>The memory that one repair holds; disposal gives it back. For one caller at a time.</summary>
internal sealed class RepairLease(RepairMemory memory) : IDisposable
{
    private IDisposable? _held;

    /// <summary>Takes memory in place of what is held so far. That is given back first: repairs that wait for more while they hold some
    /// would wait for each other.</summary>
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
