namespace NzbDav.Api.Native.Torrents;

/// <summary>An action with torrents.</summary>
/// <param name="Hashes">1 to 1000 info-hashes.</param>
/// <param name="Action">What is done.</param>
internal sealed record TorrentsActionBody(IReadOnlyList<string>? Hashes, TorrentActionName? Action);
