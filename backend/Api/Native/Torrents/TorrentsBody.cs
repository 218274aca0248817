namespace NzbDav.Api.Native.Torrents;

/// <summary>Torrents of the library and of the queue.</summary>
/// <param name="Torrents">Those in their swarms first, then at most 500 others, latest first.</param>
internal sealed record TorrentsBody(IReadOnlyList<TorrentBody> Torrents);
