namespace NzbDav.Import.Limits;

/// <summary>The memory that one repair holds; disposal gives it back. For one caller at a time.</summary>
internal sealed class RepairRoom(RepairMemory memory) : IDisposable
{
    private IDisposable? _held;

    /// <summary>Takes memory in place of what is held so far. That is given back first: repairs that wait for more while they hold some would wait for each other.</summary>
    public async Task TakeAsync(long bytes, CancellationToken cancellationToken)
    {
        Dispose();
        _held = await memory.EnterAsync(bytes, cancellationToken);
    }

    public void Dispose()
    {
        _held?.Dispose();
        _held = null;
    }
}
