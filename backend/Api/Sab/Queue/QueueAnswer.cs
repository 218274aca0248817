namespace NzbDav.Api.Sab.Queue;

/// <summary>See <see cref="QueueBody"/>.</summary>
internal sealed record QueueAnswer(QueueBody Queue);
