namespace NzbDav.Api.Native.Streams;

/// <summary>The last five minutes of a stream.</summary>
/// <param name="From">When what is told begins.</param>
/// <param name="Events">What happened, oldest first; the latest 500.</param>
/// <param name="Providers">What providers were asked for the file's articles.</param>
internal sealed record StreamTimelineBody(DateTimeOffset From, IReadOnlyList<StreamEventBody> Events, IReadOnlyList<StreamProviderBody> Providers);
