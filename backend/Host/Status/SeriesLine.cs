namespace NzbDav.Host.Status;

/// <summary>A named quantity.</summary>
/// <param name="Name">Its name for programs.</param>
/// <param name="Label">Its name for people; null if the name is enough.</param>
/// <param name="Unit">The unit of its values.</param>
/// <param name="Ring">Its values.</param>
internal sealed record SeriesLine(string Name, string? Label, SeriesUnit Unit, SeriesRing Ring);
