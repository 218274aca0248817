namespace NzbDav.Api.Native.Torrents;

/// <summary>An action on torrents.</summary>
/// <param name="Hashes">1 to 1000 info-hashes.</param>
/// <param name="Action">The action.</param>
internal sealed record TorrentsActionBody(IReadOnlyList<string>? Hashes, TorrentActionName? Action);
