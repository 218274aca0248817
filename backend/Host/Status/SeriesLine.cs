namespace NzbDav.Host.Status;

/// <summary>A quantity with what it is called.</summary>
/// <param name="Name">For programs.</param>
/// <param name="Label">For people; null where the name is enough.</param>
/// <param name="Unit">What its values are.</param>
/// <param name="Ring">Its values.</param>
internal sealed record SeriesLine(string Name, string? Label, SeriesUnit Unit, SeriesRing Ring);
