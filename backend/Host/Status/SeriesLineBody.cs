namespace NzbDav.Host.Status;

/// <summary>A quantity over time.</summary>
/// <param name="Name">provider.NUMBER, torrents.down, torrents.up, streams, memory or cpu.</param>
/// <param name="Label">The provider's name; for other lines, the same as the name.</param>
/// <param name="Unit">The unit of the values.</param>
/// <param name="Values">Oldest first; null where nothing was measured.</param>
internal sealed record SeriesLineBody(string Name, string Label, SeriesUnit Unit, IReadOnlyList<double?> Values);
