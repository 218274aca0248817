namespace NzbDav.Usenet.Nntp;

/// <summary>What the speed limit asks of a connection after a receive.</summary>
/// <param name="Wait">How long to leave its socket alone.</param>
/// <param name="Changed">Completes when the limit changes: then the wait is over.</param>
internal readonly record struct LineHold(TimeSpan Wait, Task Changed)
{
    /// <summary>No wait.</summary>
    public static LineHold None { get; } = new(TimeSpan.Zero, Task.CompletedTask);
}
