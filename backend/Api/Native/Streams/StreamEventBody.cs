namespace NzbDav.Api.Native.Streams;

/// <summary>Something that happened to a stream, or at a provider while it ran.</summary>
internal sealed record StreamEventBody
{
    /// <summary>When; of something that takes time, when it was over.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>What.</summary>
    public required StreamEventKind Kind { get; init; }

    /// <summary>Request: the first byte. Wait: the byte that was waited for. Else null.</summary>
    public long? Position { get; init; }

    /// <summary>Request: bytes asked for. Else null.</summary>
    public long? Length { get; init; }

    /// <summary>Request: until the first byte was at hand. Wait: how long. Else null, or not known.</summary>
    public double? Seconds { get; init; }

    /// <summary>Wait: the number of the article in its file, from 1. Else null, or not known.</summary>
    public int? Article { get; init; }

    /// <summary>Wait: who was asked for the article, in order of the answers. Else empty.</summary>
    public IReadOnlyList<StreamAttemptBody> Attempts { get; init; } = [];

    /// <summary>Wait: what the server's log says of it, in English. Else null, or nothing.</summary>
    public string? Story { get; init; }

    /// <summary>The provider; null where it is about none, or it is configured no more.</summary>
    public string? Provider { get; init; }

    /// <summary>How many times in a row the same happened there.</summary>
    public int Times { get; init; } = 1;

    /// <summary>Capped: connections that are allowed. Else null.</summary>
    public int? Connections { get; init; }

    /// <summary>What the provider or the network said. Else null.</summary>
    public string? Reason { get; init; }
}
