namespace NzbDav.Migration.Titles;

/// <summary>A Sonarr, Radarr or Lidarr that another program knows.</summary>
/// <param name="Application"><c>Sonarr</c>, <c>Radarr</c> or <c>Lidarr</c>.</param>
/// <param name="Name">For people; empty: none.</param>
/// <param name="Url">Where it is.</param>
/// <param name="ApiKey">Its key.</param>
/// <param name="Category">The category of its downloads; null: not known.</param>
public sealed record OldArr(string Application, string Name, string Url, string ApiKey, string? Category);
