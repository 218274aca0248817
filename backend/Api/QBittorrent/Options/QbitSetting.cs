namespace NzbDav.Api.QBittorrent.Options;

/// <summary>The current value of a setting.</summary>
/// <param name="Value">The value that is set, otherwise the default; null: neither exists, or it is secret.</param>
/// <param name="Least">For numbers, the smallest value allowed.</param>
/// <param name="Most">For numbers, the largest value allowed.</param>
public sealed record QbitSetting(string? Value, int Least, int Most);
