namespace NzbDav.Content.Tests;

/// <summary>Keeps what is written to it, without copying.</summary>
internal sealed class RecordingStream : MemoryStream
{
    public List<ReadOnlyMemory<byte>> Writes { get; } = [];

    /// <summary>Writes that succeed.</summary>
    public int FailAfter { get; init; } = int.MaxValue;

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (Writes.Count == FailAfter)
            return ValueTask.FromException(new IOException("The destination is full."));
        Writes.Add(buffer);
        return ValueTask.CompletedTask;
    }
}
