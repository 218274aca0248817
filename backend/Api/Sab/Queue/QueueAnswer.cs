namespace NzbDav.Api.Sab;

/// <summary>See <see cref="QueueBody"/>.</summary>
internal sealed record QueueAnswer(QueueBody Queue);
