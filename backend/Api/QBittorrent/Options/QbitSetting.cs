namespace NzbDav.Api.QBittorrent;

/// <summary>A setting of the server as it is now.</summary>
/// <param name="Value">As it is set, else its default; null: neither, or a secret.</param>
/// <param name="Least">For numbers, the least that is allowed.</param>
/// <param name="Most">For numbers, the most that is allowed.</param>
public sealed record QbitSetting(string? Value, int Least, int Most);
