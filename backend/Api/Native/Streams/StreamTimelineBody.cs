using NzbDav.Content.Recording;

namespace NzbDav.Api.Native.Streams;

/// <summary>The last five minutes of a stream.</summary>
/// <param name="From">Start of the timeline.</param>
/// <param name="Events">What happened, oldest first; the latest 500.</param>
/// <param name="Providers">Requests to each provider for the file's articles.</param>
internal sealed record StreamTimelineBody(
    DateTimeOffset From, IReadOnlyList<StreamEventBody> Events, IReadOnlyList<StreamProviderBody> Providers);

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

/// <summary>Kind of a stream's event.</summary>
internal enum StreamEventKind
{
    /// <summary>The client requested bytes.</summary>
    Request,

    /// <summary>The client waited for bytes.</summary>
    Wait,

    /// <summary>A connection to a provider was lost.</summary>
    Lost,

    /// <summary>A connection on which nothing arrived was given up.</summary>
    Silent,

    /// <summary>A connection to a provider could not be opened.</summary>
    Failed,

    /// <summary>A provider allows fewer connections than configured.</summary>
    Capped,
}

/// <summary>A request for an article to one provider.</summary>
/// <param name="Provider">Name of the provider; null: it is no longer configured.</param>
/// <param name="Result">Its outcome.</param>
/// <param name="QueuedSeconds">How long the article waited for a connection before the request.</param>
/// <param name="Seconds">From the request to its end.</param>
internal sealed record StreamAttemptBody(string? Provider, ArticleResult Result, double QueuedSeconds, double Seconds);

/// <summary>Requests to one provider for a file's articles in the last minutes.</summary>
/// <param name="Provider">Name of the provider; null: it is no longer configured.</param>
/// <param name="Articles">Number of requests.</param>
/// <param name="Found">How often it delivered the article.</param>
/// <param name="Missing">How often it did not have the article.</param>
/// <param name="Faults">How often the article arrived damaged, late or not at all.</param>
/// <param name="MedianSeconds">Median time of a delivered article, from the request to its end; null: none was delivered.</param>
/// <param name="LongestSeconds">The longest time of a delivered article; null: none was delivered.</param>
internal sealed record StreamProviderBody(
    string? Provider, int Articles, int Found, int Missing, int Faults, double? MedianSeconds, double? LongestSeconds);
