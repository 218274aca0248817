namespace NzbDav.Import.Queue;

/// <summary>Names an <see cref="ImportQueue"/> in the claims of its workers.</summary>
/// <param name="Value">New at each start: in a container the process has the same number each time.</param>
public sealed record QueueName(string Value)
{
    /// <summary>A name that no other queue has or had.</summary>
    public static QueueName New() => new($"{Environment.MachineName}-{Guid.NewGuid():N}");
}
