namespace NzbDav.Api.Native.Streams;

/// <summary>An event of a stream, or of a provider while the stream ran.</summary>
internal sealed record StreamEventBody
{
    /// <summary>When it happened; for events with a duration, when they ended.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>Kind of the event.</summary>
    public required StreamEventKind Kind { get; init; }

    /// <summary>Request: the first byte. Wait: the byte that was waited for. Otherwise null.</summary>
    public long? Position { get; init; }

    /// <summary>Request: number of bytes requested. Otherwise null.</summary>
    public long? Length { get; init; }

    /// <summary>Request: time until the first byte was available. Wait: its length. Otherwise null, or not known.</summary>
    public double? Seconds { get; init; }

    /// <summary>Wait: the number of the article in its file, from 1. Otherwise null, or not known.</summary>
    public int? Article { get; init; }

    /// <summary>Wait: the requests for the article, in order of the answers. Otherwise empty.</summary>
    public IReadOnlyList<StreamAttemptBody> Attempts { get; init; } = [];

    /// <summary>Wait: the server log's description of it, in English. Otherwise null, or none.</summary>
    public string? Story { get; init; }

    /// <summary>The provider; null if the event concerns none, or it is no longer configured.</summary>
    public string? Provider { get; init; }

    /// <summary>How many times in a row the same event happened at that provider.</summary>
    public int Times { get; init; } = 1;

    /// <summary>Capped: number of connections that are allowed. Otherwise null.</summary>
    public int? Connections { get; init; }

    /// <summary>The message of the provider or the network. Otherwise null.</summary>
    public string? Reason { get; init; }
}
