namespace NzbDav.Api.Native.Streams;

/// <summary>The last five minutes of a stream.</summary>
/// <param name="From">Start of the timeline.</param>
/// <param name="Events">What happened, oldest first; the latest 500.</param>
/// <param name="Providers">Requests to each provider for the file's articles.</param>
internal sealed record StreamTimelineBody(DateTimeOffset From, IReadOnlyList<StreamEventBody> Events, IReadOnlyList<StreamProviderBody> Providers);
